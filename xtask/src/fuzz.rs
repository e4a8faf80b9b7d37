//! `cargo xtask fuzz`: coverage-guided fuzzing of the core, with cargo-fuzz.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ctx::{Context, Ctx, Result, Stop};
use crate::setup::rust;

const USAGE: &str = "cargo xtask fuzz [TARGET...] [--seconds N (60 for each target)] [--keep]

--keep  then makes the fewest inputs that reach all of the code the seeds that git has: core/fuzz/corpus/*/seed-*";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let mut targets = Vec::new();
    let (mut seconds, mut keep) = (60u64, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                let value = args.next().and_then(|value| value.parse().ok());
                seconds = value.ok_or_else(|| Stop::failed("--seconds needs a number").hint(USAGE))?;
            }
            "--keep" => keep = true,
            flag if flag.starts_with('-') => return Err(Stop::failed(format!("unknown option {flag}")).hint(USAGE)),
            target => targets.push(target.to_string()),
        }
    }
    let dir = ctx.path("core/fuzz");
    // Sanitizers and coverage are unstable flags of the compiler.
    rust::nightly(ctx, &[])?;
    let nightly = || rust::on_nightly(ctx).dir(&dir);
    if !nightly().args(["fuzz", "--version"]).succeeds() {
        ctx.say("installing cargo-fuzz (about a minute, once)");
        ctx.cargo().args(["install", "cargo-fuzz"]).env_remove("CARGO_TARGET_DIR").run()?;
    }
    if targets.is_empty() {
        targets = nightly().args(["fuzz", "list"]).output()?.lines().map(str::to_string).collect();
    }
    for target in &targets {
        ctx.say(format!("fuzzing {target} for {seconds} s"));
        nightly()
            .args(["fuzz", "run", target, "--", &format!("-max_total_time={seconds}")])
            .hint(format!("the input that did it is in core/fuzz/artifacts/{target}"))
            .run()?;
        if keep {
            let corpus = dir.join("corpus").join(target);
            // Made anew: what libFuzzer merges into counts as there already.
            let fewest = dir.join("artifacts").join(format!("{target}-seeds"));
            let _ = fs::remove_dir_all(&fewest);
            fs::create_dir_all(&fewest).context(fewest.display())?;
            // Edges alone: with counts of their runs it would be five times as many inputs.
            let merge = ["--", "-set_cover_merge=1", "-use_counters=0"];
            nightly().args(["fuzz", "run", target]).arg(&fewest).arg(&corpus).args(merge).run()?;
            let count = seeds(&fewest, &corpus)?;
            ctx.say(format!("{count} inputs of {target} reach what all of them do"));
        }
    }
    Ok(())
}

/// Moves all files of a folder into another, in place of its seeds.
fn seeds(from: &Path, to: &Path) -> Result<usize> {
    let files = |folder: &Path| -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(folder).context(folder.display())?.flatten();
        // Their names are their digests.
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort_unstable();
        Ok(files)
    };
    let is_seed = |file: &Path| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("seed-"));
    for old in files(to)?.iter().filter(|file| is_seed(file)) {
        fs::remove_file(old).context(old.display())?;
    }
    let new = files(from)?;
    for (n, file) in new.iter().enumerate() {
        fs::rename(file, to.join(format!("seed-{n:03}"))).context(file.display())?;
    }
    Ok(new.len())
}

//! `cargo xtask fuzz`: coverage-guided fuzzing of the core, with cargo-fuzz.

use crate::ctx::{Ctx, Result, Stop};
use crate::setup::rust;

const USAGE: &str = "cargo xtask fuzz [TARGET...] [--seconds N (60 for each target)]";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let mut targets = Vec::new();
    let mut seconds = 60u64;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                let value = args.next().and_then(|value| value.parse().ok());
                seconds = value.ok_or_else(|| Stop::failed("--seconds needs a number").hint(USAGE))?;
            }
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
    }
    Ok(())
}

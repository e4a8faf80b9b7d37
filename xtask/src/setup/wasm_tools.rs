//! wasm-pack, and the wasm-bindgen program of exactly the version that the crate is locked to.

use super::rust;
use crate::ctx::{Context, Ctx, Result, Stop, which};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

const WASM_PACK: &str = "0.15.1";

/// Makes both available and gives the folders to put in front of PATH for them.
pub fn ensure(ctx: &Ctx) -> Result<Vec<PathBuf>> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());

    let version = locked_version(ctx, "wasm-bindgen")?;
    let bindgen = tool(ctx, "wasm-bindgen", "wasm-bindgen-cli", &version, |found| found == version)?;
    // Any wasm-pack since 0.12 has the options used here.
    let pack = tool(ctx, "wasm-pack", "wasm-pack", WASM_PACK, |found| at_least(found, 0, 12))?;
    // Hundreds of megabytes that only the next version would use, in part.
    let _ = std::fs::remove_dir_all(rust::cache_dir()?.join("build"));
    Ok(vec![bindgen, pack])
}

/// The folder of a `program` whose version pleases, which is installed when there is none.
fn tool(ctx: &Ctx, program: &str, package: &str, version: &str, pleases: impl Fn(&str) -> bool) -> Result<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let own = rust::cache_dir()?.join(format!("{package}-{version}"));
    let there = own.join("bin").join(&file);
    let usual = rust::cargo_home().map(|home| home.join("bin").join(&file));
    for candidate in [which(program), usual, Some(there.clone())].into_iter().flatten() {
        if version_of(ctx, &candidate).is_some_and(|found| pleases(&found)) {
            return Ok(folder(&candidate));
        }
    }
    ctx.say(format!("installing {package} {version} (a minute or two of compiling, once)"));
    let build = rust::cache_dir()?.join("build");
    let install = |locked: bool| {
        ctx.cargo()
            .args(["install", package, "--version", version, "--root"])
            .arg(&own)
            .args(locked.then_some("--locked"))
            // Without optimising it compiles in a third of the time, and still takes a tenth of a second for modules as
            // small as ours. That is why it stays out of the place where `cargo install` puts programs.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            // One folder, so that what both programs share is compiled once and an interrupted install goes on.
            .env("CARGO_TARGET_DIR", &build)
            .env_remove("RUSTFLAGS")
            .hint("look at the compiler's message above; a C compiler is needed")
            .run()
    };
    // A mirror of the registry may lack a version that the program's own lock file asks for.
    if install(true).is_err() {
        ctx.say(format!("once more, with the newest dependencies instead of {package}'s own lock file"));
        install(false)?;
    }
    match version_of(ctx, &there) {
        Some(found) if pleases(&found) => Ok(folder(&there)),
        found => Err(Stop::failed(format!("{} is {found:?} after installing {package} {version}", there.display()))),
    }
}

fn folder(program: &Path) -> PathBuf {
    program.parent().expect("a program lies in a folder").to_path_buf()
}

/// The second word of what `program --version` says, e.g. 0.2.130.
fn version_of(ctx: &Ctx, program: &Path) -> Option<String> {
    if !program.is_file() {
        return None;
    }
    let said = ctx.cmd(program).arg("--version").output().ok()?;
    said.split_whitespace().nth(1).map(str::to_string)
}

fn at_least(version: &str, major: u32, minor: u32) -> bool {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= (major, minor)
}

/// The version of a crate in Cargo.lock.
pub fn locked_version(ctx: &Ctx, name: &str) -> Result<String> {
    let lock = std::fs::read_to_string(ctx.path("Cargo.lock")).context("Cargo.lock")?;
    version_in_lock(&lock, name).ok_or_else(|| Stop::failed(format!("Cargo.lock has no {name}")))
}

fn version_in_lock(lock: &str, name: &str) -> Option<String> {
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    lines.next()?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"').map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_from_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n\n\
                    [[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.131\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm-bindgen-macro").as_deref(), Some("0.2.131"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }

    #[test]
    fn compares_versions_by_number() {
        assert!(at_least("0.12.0", 0, 12) && at_least("0.15.1", 0, 12) && at_least("1.0.0", 0, 12));
        assert!(!at_least("0.9.1", 0, 12) && !at_least("nonsense", 0, 12));
    }
}

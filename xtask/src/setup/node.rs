//! Node, and the npm packages that building and testing need.

use crate::ctx::{Context, Ctx, Result, Stop, in_ci};
use crate::stamp;
use std::sync::Mutex;

const OLDEST: u32 = 20;

/// Whether Node is there and new enough.
pub fn check(ctx: &Ctx) -> Result {
    let hint = "install Node 20.19 or newer, with npm";
    let Ok(version) = ctx.node().arg("--version").output() else {
        return Err(Stop::missing("Node is not on PATH", hint));
    };
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.unwrap_or(0) < OLDEST {
        return Err(Stop::missing(format!("Node {version} is too old"), hint));
    }
    if !ctx.npm().arg("--version").succeeds() {
        return Err(Stop::missing("npm is not on PATH", hint));
    }
    Ok(())
}

/// Makes `node_modules` be what package-lock.json says.
pub fn modules(ctx: &Ctx) -> Result {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());

    check(ctx)?;
    let mark = ctx.path("node_modules/.sha1dc-lock");
    let lock = || stamp::of_files(&[ctx.path("package-lock.json")]);
    if std::fs::read_to_string(&mark).is_ok_and(|found| Ok(found) == lock().map_err(drop)) {
        return Ok(());
    }
    ctx.say("installing the npm packages of package-lock.json");
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    let exact = || ctx.npm().arg("ci").args(quiet).hint("run `npm install` and commit package-lock.json").run();
    // `npm ci` wants the lock file to be in step and begins by deleting everything: right for a machine's first time, not
    // for a person who has just edited a package.json.
    if in_ci() {
        exact()?;
    } else if ctx.path("node_modules").exists() || exact().is_err() {
        ctx.npm().arg("install").args(quiet).run()?;
    }
    std::fs::write(&mark, lock()?).context(mark.display())
}

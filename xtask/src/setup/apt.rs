//! Packages of Debian and Ubuntu.

use crate::ctx::{Ctx, Result, Stop, which};
use std::sync::Mutex;

/// dpkg lets one process in at a time; steps that run beside each other wait here instead of failing there.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Installs those of `packages` that are missing. `why` completes the sentence "... is needed for".
pub fn install(ctx: &Ctx, packages: &[&str], why: &str) -> Result {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let list = packages.join(" ");
    if which("apt-get").is_none() {
        return Err(Stop::missing(
            format!("{why} needs {list}, and this system has no apt-get to install it with"),
            "install the like with your system's package manager",
        ));
    }
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !installed(ctx, package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("run: apt-get update && apt-get install --no-install-recommends {}", missing.join(" "));
    let Some(as_root) = as_root(ctx) else {
        return Err(Stop::missing(format!("{why} needs {list}; not root, and sudo asks for a password"), by_hand));
    };
    ctx.say(format!("{why}: installing {} from the system's packages", missing.join(" ")));
    let get = |words: &[&str]| {
        let mut all: Vec<&str> = as_root.to_vec();
        all.extend([
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-q",
            "-o",
            "DPkg::Lock::Timeout=600",
            "-o",
            "Acquire::Retries=3",
        ]);
        all.extend(words);
        ctx.cmd(all[0]).args(&all[1..])
    };
    let mut words = vec!["install", "-y", "--no-install-recommends"];
    words.extend(&missing);
    // With lists of today this is all; with old lists, or none as in a fresh image, it fails at once.
    if get(&words).run().is_ok() {
        return Ok(());
    }
    ctx.say("the package lists seem to be old: apt-get update, then once more");
    let done = get(&["update"]).run().and_then(|()| get(&words).run());
    done.map_err(|stop| Stop::missing(format!("{why} needs {list}: {stop}"), by_hand))
}

fn installed(ctx: &Ctx, package: &str) -> bool {
    let status = ctx.cmd("dpkg-query").args(["-W", "-f=${db:Status-Status}", package]).capture();
    matches!(status, Ok((0, text, _)) if text.trim() == "installed")
}

/// The words that make the next ones run as root; none where that would need a password.
fn as_root(ctx: &Ctx) -> Option<&'static [&'static str]> {
    if ctx.cmd("id").arg("-u").output().is_ok_and(|id| id == "0") {
        Some(&[])
    } else if ctx.cmd("sudo").args(["-n", "true"]).succeeds() {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

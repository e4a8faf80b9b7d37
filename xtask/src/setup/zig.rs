//! Zig as a linker: for modules that load on old systems and on musl, whatever this machine is.

use super::{apt, rust};
use crate::ctx::{Ctx, Result, Stop, which};
use std::path::PathBuf;

/// Makes cargo-zigbuild available and gives the folder to put in front of PATH for it; none if it is on PATH already.
pub fn ensure(ctx: &Ctx) -> Result<Option<PathBuf>> {
    if which("cargo-zigbuild").is_some() && which("zig").is_some() {
        return Ok(None);
    }
    let venv = rust::cache_dir()?.join("zig");
    let bin = venv.join("bin");
    if bin.join("cargo-zigbuild").is_file() {
        return Ok(Some(bin));
    }
    let hint = "install zig and cargo-zigbuild, for instance with: pip install ziglang cargo-zigbuild";
    if which("python3").is_none() {
        return Err(Stop::missing("cargo-zigbuild is missing, and so is the Python to install it with", hint));
    }
    ctx.say("installing zig and cargo-zigbuild (a hundred megabytes, once)");
    let make = || ctx.cmd("python3").args(["-m", "venv"]).arg(&venv).hint(hint).run();
    // Debian's Python comes without what this needs.
    make().or_else(|_| apt::install(ctx, &["python3-venv"], "installing zig").and_then(|()| make()))?;
    ctx.cmd(bin.join("pip")).args(["install", "--quiet", "ziglang", "cargo-zigbuild"]).hint(hint).run()?;
    Ok(Some(bin))
}

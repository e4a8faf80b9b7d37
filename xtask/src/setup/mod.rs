//! Brings what the other tasks need onto this machine. Everything here looks first and does nothing when the thing is
//! there, so tasks call it freely.

pub mod apt;
pub mod browsers;
pub mod node;
pub mod rust;
pub mod wasm_tools;
pub mod zig;

use crate::ctx::{Ctx, Result};

/// `cargo xtask setup [--all]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let all = args.iter().any(|arg| arg == "--all");
    if args.iter().any(|arg| arg == "--debian-sysroot") {
        let bin = rust::debian_sysroot(ctx, rust::WASM)?;
        ctx.say(format!("the std for {} is ready: toolchain in {}", rust::WASM, bin.display()));
        return Ok(());
    }
    node::check(ctx)?;
    rust::target(ctx, rust::WASM)?;
    wasm_tools::ensure(ctx)?;
    node::modules(ctx)?;
    let chromium = browsers::chromium(ctx)?;
    ctx.say(format!("Chromium: {}", chromium.display()));
    if all {
        browsers::firefox(ctx)?;
        browsers::webkit(ctx)?;
        zig::ensure(ctx)?;
        crate::qemu::setup(ctx)?;
    }
    ctx.say("everything is in place");
    Ok(())
}

//! `cargo xtask hash`: the npm package's command line, built first if need be.

use crate::build;
use crate::ctx::{Context, Ctx, Result};

/// Ends the process with the command line's own exit code.
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    build::everything(ctx)?;
    let here = std::env::current_dir().context("the current folder")?;
    let code = ctx.node().arg(ctx.path("npm/dist/node/cli.cjs")).args(args).dir(here).code()?;
    match code {
        0 => Ok(()),
        code => std::process::exit(code),
    }
}

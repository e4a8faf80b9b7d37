//! `cargo xtask bench`: the tables of speed. The programs stand beside what they measure; this only starts them.

use crate::build;
use crate::ctx::{Ctx, Result};

/// Arguments go to both programs.
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    build::everything(ctx)?;
    ctx.cargo().args(["bench", "--package", "sha1dc-core", "--"]).args(args).run()?;
    ctx.node().arg("tests/bench/run.mjs").args(args).run()
}

//! `cargo xtask soak`: the long forms of the tests, in Rust and in JavaScript.

use crate::build;
use crate::ctx::{Ctx, Result};

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    ctx.cargo()
        .args(["test", "--release", "--package", "sha1dc-core", "--no-fail-fast"])
        .args(args)
        .args(["--", "--nocapture"])
        .env("SHA1DC_TEST_LONG", "1")
        .run()?;
    build::everything(ctx)?;
    ctx.node().args(["tests/run.mjs", "--backend", "all", "--long", "--strict"]).run()
}

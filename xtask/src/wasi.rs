//! The core's own tests in WebAssembly, in Node: what the package's module cannot show, since no more is exported from it than
//! the package needs.

use crate::build::WASM_FORMS;
use crate::ctx::{Cmd, Ctx, Result};
use crate::setup::rust;

const TARGET: &str = "wasm32-wasip1";

/// The suite, in both forms. With a tenth of the random cases.
pub fn suite(ctx: &Ctx) -> Result {
    for (form, flags) in WASM_FORMS {
        cargo(ctx, form, flags)?
            .args(["test", "--package", "sha1dc-core", "--profile", "checked", "--test", "suite"])
            .env("SHA1DC_TEST_SCALE", "0.1")
            .run()?;
    }
    Ok(())
}

/// The long comparison, in both forms.
pub fn soak(ctx: &Ctx, args: &[&str]) -> Result {
    WASM_FORMS.iter().try_for_each(|(form, flags)| {
        ctx.say(format!("blocks in WebAssembly: {form}"));
        cargo(ctx, form, flags)?
            .args(["run", "--package", "sha1dc-core", "--release", "--example", "soak", "--"])
            .args(args)
            .show()
    })
}

/// Cargo for a program in WebAssembly; the verb comes first of what is added.
fn cargo<'a>(ctx: &'a Ctx, form: &str, flags: &[&str]) -> Result<Cmd<'a>> {
    let runner = format!("node --disable-warning=ExperimentalWarning {}", ctx.path("core/tests/wasi.mjs").display());
    Ok(rust::target(ctx, TARGET)?
        .cargo(ctx)
        .env("CARGO_TARGET_DIR", ctx.target().join("wasi").join(form))
        .env("CARGO_BUILD_TARGET", TARGET)
        .env("CARGO_TARGET_WASM32_WASIP1_RUNNER", runner)
        .env("RUSTFLAGS", flags.join(" "))
        .arg("--locked"))
}

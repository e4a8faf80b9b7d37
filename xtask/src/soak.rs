//! `cargo xtask soak`: the long forms of the tests, in Rust and in JavaScript.

use crate::build;
use crate::ctx::{Context, Ctx, Result, Stop};

const USAGE: &str = "\
cargo xtask soak [--scale N] [--minutes N]

  --scale N    so many times the random cases of the long form (default: 1; that is a good hour on two cores)
  --minutes N  how long the JavaScript fuzzer runs on each of its engines (default: 10)

Every part prints its seed. SHA1DC_TEST_SEED repeats the Rust half, SHA1DC_TEST_BACKEND keeps it to one backend.";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let (mut scale, mut minutes) = (1.0, 10.0);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--scale" => &mut scale,
            "--minutes" => &mut minutes,
            "--help" => {
                println!("{USAGE}");
                return Ok(());
            }
            _ => return Err(Stop::failed(format!("unknown option {arg}")).hint(USAGE)),
        };
        let text = args.next().ok_or_else(|| Stop::failed(format!("{arg} needs a number")).hint(USAGE))?;
        *value = text.parse::<f64>().context(arg)?;
    }
    build::everything(ctx)?;
    // All parts run, whatever the others find.
    let rust = ctx
        .cargo()
        .args(["test", "--release", "--package", "sha1dc-core", "--no-fail-fast", "--", "--nocapture"])
        .env("SHA1DC_TEST_LONG", "1")
        .env("SHA1DC_TEST_SCALE", scale.to_string())
        .show();
    let suite = ctx.node().args(["tests/run.mjs", "--backend", "all", "--long", "--strict"]).show();
    let seconds = (minutes * 60.0).to_string();
    let fuzz = ["native", "wasm", "js"].map(|backend| {
        ctx.say(format!("fuzzing the JavaScript API on {backend} for {minutes} minutes"));
        ctx.node().args(["tests/fuzz.mjs", "--seconds", &seconds]).env("SHA1DC_BACKEND", backend).show()
    });
    rust.and(suite).and(fuzz.into_iter().fold(Ok(()), Result::and))
}

//! `cargo xtask soak`: comparisons with the references for hours, and the long forms of the tests.

use crate::ctx::{Context, Ctx, Result, Stop};
use crate::{build, wasi};

const USAGE: &str = "\
cargo xtask soak [--minutes N] [OPTIONS OF core/examples/soak.rs]

  --minutes N  how long the JavaScript fuzzer runs on each of its engines (default: 10)
  --blocks N   how many blocks are compared on each backend of the CPU (default: a thousand million)
  --seed N     the seed of that comparison; it prints the one it took
  --backend B  only this backend

Parts: blocks on every backend, and ten million in WebAssembly and in plain JavaScript; the long forms of the Rust tests; the long
form of the conformance suite; the fuzzer of the JavaScript API. All run, whatever the others find.";

const TEN_MILLION: &str = "10000000";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return Ok(());
    }
    let mut args = args.to_vec();
    let mut minutes = 10.0;
    if let Some(at) = args.iter().position(|arg| arg == "--minutes") {
        let value = args.get(at + 1).ok_or_else(|| Stop::failed("--minutes needs a number").hint(USAGE))?;
        minutes = value.parse::<f64>().context("--minutes")?;
        args.drain(at..at + 2);
    }
    build::everything(ctx)?;
    let core = |words: &[&str]| ctx.cargo().args(words).args(["--release", "--locked", "--package", "sha1dc-core"]);
    let blocks = core(&["run"]).args(["--example", "soak", "--"]).args(args).show();
    let wasm = wasi::soak(ctx, &["--blocks", TEN_MILLION]);
    let script = ["native", "wasm32/simd128", "wasm32/portable", "js"].map(|backend| {
        ctx.node().args(["tests/soak.mjs", "--blocks", TEN_MILLION]).env("SHA1DC_BACKEND", backend).show()
    });
    let tests = core(&["test"]).args(["--no-fail-fast", "--", "--nocapture"]).env("SHA1DC_TEST_LONG", "1").show();
    let suite = ctx.node().args(["tests/run.mjs", "--backend", "all", "--long", "--strict"]).show();
    let seconds = (minutes * 60.0).to_string();
    let fuzz = ["native", "wasm", "js"].map(|backend| {
        ctx.say(format!("fuzzing the JavaScript API on {backend} for {minutes} minutes"));
        ctx.node().args(["tests/fuzz.mjs", "--seconds", &seconds]).env("SHA1DC_BACKEND", backend).show()
    });
    script.into_iter().chain(fuzz).fold(blocks.and(wasm).and(tests).and(suite), Result::and)
}

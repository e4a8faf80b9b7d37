//! `cargo xtask bench`: the tables of speed. The programs stand beside what they measure; this builds and starts them.

use crate::build;
use crate::ctx::{Context, Ctx, Result, Stop, which};
use crate::setup::{apt, browsers, rust};

const USAGE: &str = "\
cargo xtask bench [--quick] [--only NAME[,NAME...]] [--repo DIR] [--list] [--save]

  --quick   fewer rounds: figures to look at, not to publish
  --only    only sections whose names begin so: native-... are the Rust half, all others the JavaScript half
  --repo    a git repository whose objects are hashed (default: this one)
  --list    prints the names of the sections
  --save    puts the figures, the picture and the tables into docs/ and README.md, if all was measured and with care

Figures and picture go to target/bench.";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return Ok(());
    }
    let save = args.iter().any(|arg| arg == "--save");
    if save && args.iter().any(|arg| arg == "--quick" || arg == "--only") {
        return Err(Stop::failed("--save wants a whole run: without --quick and --only"));
    }
    let mut args: Vec<String> = args.iter().filter(|arg| *arg != "--save").cloned().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--repo") {
        // The programs start in the root of the checkout, whoever asks stands elsewhere.
        let given = args.get(at + 1).ok_or_else(|| Stop::failed("--repo needs a folder"))?;
        args[at + 1] = std::path::absolute(given).context(given)?.display().to_string();
    }
    let list = args.iter().any(|arg| arg == "--list");

    build::everything(ctx)?;
    let figures = ctx.target().join("bench");
    std::fs::create_dir_all(&figures).context(figures.display())?;
    let target = ctx.target().join("benches");

    let manifest = ["build", "--release", "--locked", "--manifest-path"];
    let mut native = ctx.cargo().args(manifest).arg("core/benches/Cargo.toml");
    if !openssl(ctx) {
        ctx.say("OpenSSL is left out of the comparison: its headers are missing (libssl-dev)");
        native = native.arg("--no-default-features");
    }
    native.env("CARGO_TARGET_DIR", &target).run()?;
    // A peer for the wasm modules, built as ours are.
    let toolchain = rust::target(ctx, rust::WASM)?;
    let peer = toolchain.cargo(ctx).args(manifest).args(["core/benches/wasm/Cargo.toml", "--target", rust::WASM]);
    peer.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-Ctarget-feature=+simd128").run()?;

    let program = target.join("release").join(format!("sha1dc-bench{}", std::env::consts::EXE_SUFFIX));
    ctx.cmd(program).args(&args).arg("--json").arg(figures.join("native.json")).show()?;

    let mut javascript = ctx.node().arg("tests/bench/run.mjs").args(&args);
    if !list {
        match browsers::chromium(ctx) {
            Ok(browser) => javascript = javascript.env("CHROME_BIN", browser),
            Err(stop) => ctx.say(format!("Chromium is left out: {stop}")),
        }
    }
    javascript.arg("--json").arg(figures.join("javascript.json")).show()?;
    if list {
        return Ok(());
    }
    let report = ctx.node().arg("tests/bench/report.mjs");
    if save { report.arg("--save").show() } else { report.show() }
}

/// Whether programs can be built against the system's OpenSSL, after installing what that needs.
fn openssl(ctx: &Ctx) -> bool {
    let found = || ctx.cmd("pkg-config").args(["--exists", "openssl"]).succeeds();
    found()
        || (which("apt-get").is_some()
            && apt::install(ctx, &["libssl-dev", "pkg-config"], "OpenSSL").is_ok()
            && found())
}

//! `cargo xtask bench`: the tables of speed. The programs stand beside what they measure; this builds and starts them.

use crate::build;
use crate::ctx::{Context, Ctx, Result, which};
use crate::setup::apt;

const USAGE: &str = "\
cargo xtask bench [--quick] [--only NAME[,NAME...]] [--repo DIR] [--list]

  --quick   fewer rounds: figures to look at, not to publish
  --only    only sections whose names begin so: native-... are the Rust half, all others the JavaScript half
  --repo    a git repository whose objects are hashed (default: this one)
  --list    prints the names of the sections

Figures go to target/bench/native.json and target/bench/javascript.json too.";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if args.iter().any(|arg| arg == "--help") {
        println!("{USAGE}");
        return Ok(());
    }
    build::everything(ctx)?;
    let figures = ctx.target().join("bench");
    std::fs::create_dir_all(&figures).context(figures.display())?;

    let mut native = ctx.cargo().args(["build", "--release", "--manifest-path", "core/benches/Cargo.toml"]);
    if !openssl(ctx) {
        ctx.say("OpenSSL is left out of the comparison: its headers are missing (libssl-dev)");
        native = native.arg("--no-default-features");
    }
    let target = ctx.target().join("benches");
    native.env("CARGO_TARGET_DIR", &target).run()?;
    let program = target.join("release").join(format!("sha1dc-bench{}", std::env::consts::EXE_SUFFIX));
    ctx.cmd(program).args(args).arg("--json").arg(figures.join("native.json")).show()?;

    let json = figures.join("javascript.json");
    ctx.node().arg("tests/bench/run.mjs").args(args).arg("--json").arg(json).show()
}

/// Whether programs can be built against the system's OpenSSL, after installing what that needs.
fn openssl(ctx: &Ctx) -> bool {
    let found = || ctx.cmd("pkg-config").args(["--exists", "openssl"]).succeeds();
    found()
        || (which("apt-get").is_some()
            && apt::install(ctx, &["libssl-dev", "pkg-config"], "OpenSSL").is_ok()
            && found())
}

//! `cargo xtask memory`: the core and the native module under AddressSanitizer, valgrind and Miri.

use crate::build;
use crate::ctx::{Cmd, Context, Ctx, Result, Stop};
use crate::platform::Platform;
use crate::setup::{apt, rust};
use std::path::PathBuf;

const USAGE: &str = "\
cargo xtask memory [asan|module|valgrind|miri]...

  asan      the core's whole suite with AddressSanitizer (nightly Rust)
  module    the native module with AddressSanitizer: the conformance suite in Node, every native backend
  valgrind  the core's suite in valgrind, which has AVX2 but neither SHA-NI nor AVX-512
  miri      the core's small tests in Miri (a component of nightly Rust): portable and SSE2, big-endian, 32 bits

Without a name, all of them one after the other.";

type Checker = fn(&Ctx) -> Result;

const CHECKERS: [(&str, Checker); 4] = [
    ("asan", |ctx| asan(ctx, "1")),
    ("module", |ctx| module(ctx, &["--backend", "native", "--long"])),
    // It would report what the fence's test does on purpose.
    ("valgrind", |ctx| valgrind(ctx, &["--skip", "the_fence_holds"])),
    ("miri", miri),
];

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if let Some(name) = args.iter().find(|arg| !CHECKERS.iter().any(|(name, _)| name == arg)) {
        return Err(Stop::failed(format!("no checker is called {name}")).hint(USAGE));
    }
    for (name, check) in CHECKERS {
        if args.is_empty() || args.iter().any(|arg| arg == name) {
            ctx.say(format!("memory: {name}"));
            check(ctx)?;
        }
    }
    Ok(())
}

/// The host's triple, where the checkers work.
fn host() -> Result<&'static str> {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skipped("memory checkers are set up for Linux only".into()));
    }
    Ok(Platform::host()?.triple)
}

/// The core's suite with AddressSanitizer; `scale` is the share of the random cases.
pub fn asan(ctx: &Ctx, scale: &str) -> Result {
    let host = host()?;
    rust::nightly(ctx, &[])?;
    rust::on_nightly(ctx)
        .args(["test", "--package", "sha1dc-core", "--tests", "--profile", "checked", "--no-fail-fast", "--locked"])
        .args(["--target", host])
        .env("CARGO_TARGET_DIR", ctx.target().join("asan"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("SHA1DC_TEST_SCALE", scale)
        .run()
}

/// The conformance suite on a native module with AddressSanitizer. Its runtime is loaded into Node before everything else, so
/// that what V8 allocates for a view has borders too.
pub fn module(ctx: &Ctx, args: &[&str]) -> Result {
    let host = host()?;
    let platform = Platform::host()?;
    rust::nightly(ctx, &[])?;
    apt::install(ctx, &["gcc"], "AddressSanitizer's library")?;
    let library = ctx.cmd("gcc").arg("-print-file-name=libasan.so").output()?;
    build::everything(ctx)?;
    let target = ctx.target().join("asan");
    rust::on_nightly(ctx)
        .args(["build", "--package", "sha1dc-node", "--profile", "checked", "--locked", "--target", host])
        .env("CARGO_TARGET_DIR", &target)
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .run()?;
    let built = target.join(host).join("checked").join(platform.library());
    let installed = package_with(ctx, "asan/package", &built, platform)?;
    // A leak checker would wait for Node to free at its end what it leaves to the system. Node's own allocations that
    // fail, on purpose in some tests, must give errors as they do without the library.
    ctx.node()
        .args(["tests/run.mjs", "--strict", "--from"])
        .arg(&installed)
        .args(args)
        .env("LD_PRELOAD", library)
        .env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1")
        .run()
}

/// The built package with another native module, in target/`folder`, for --from. Gives the folder.
pub fn package_with(ctx: &Ctx, folder: &str, module: &std::path::Path, platform: &Platform) -> Result<PathBuf> {
    let root = ctx.target().join(folder);
    let package = root.join("node_modules/sha1dc");
    let _ = std::fs::remove_dir_all(&package);
    let native = package.join("native");
    std::fs::create_dir_all(&native).context(native.display())?;
    std::fs::copy(module, native.join(platform.module())).context(module.display())?;
    std::fs::copy(ctx.path("npm/package.json"), package.join("package.json")).context("npm/package.json")?;
    copy_folder(&ctx.path("npm/dist"), &package.join("dist"))?;
    std::fs::write(root.join("package.json"), "{}\n").context(root.display())?;
    Ok(root)
}

fn copy_folder(from: &std::path::Path, to: &std::path::Path) -> Result {
    std::fs::create_dir_all(to).context(to.display())?;
    for entry in std::fs::read_dir(from).context(from.display())?.flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            std::fs::copy(&from, &to).context(from.display())?;
        }
    }
    Ok(())
}

/// The core's suite in valgrind: a share of the random cases, or the small tests alone.
fn valgrind(ctx: &Ctx, tests: &[&str]) -> Result {
    let host = host()?;
    apt::install(ctx, &["valgrind"], "the memory checker valgrind")?;
    let runner = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    suite(ctx.cargo(), &["--profile", "checked"])
        .args(tests)
        .env(&runner, "valgrind --quiet --error-exitcode=9")
        .env("SHA1DC_TEST_SCALE", "0.02")
        .run()
}

/// What `cargo xtask test` runs of it.
pub fn valgrind_short(ctx: &Ctx) -> Result {
    valgrind(ctx, &["small::"])
}

/// What Miri runs (wider sets have inline assembly, which it does not): target, backend, and the features of the CPU that it is told to have.
const INTERPRETED: [(&str, &str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "x86_64/portable", ""),
    ("x86_64-unknown-linux-gnu", "x86_64/sse2", ""),
    ("s390x-unknown-linux-gnu", "portable", ""),
    ("i686-unknown-linux-gnu", "portable", ""),
];

/// The small tests in Miri.
fn miri(ctx: &Ctx) -> Result {
    INTERPRETED.iter().try_for_each(|(target, backend, flags)| {
        ctx.say(format!("Miri: {backend} on {target}"));
        interpret(ctx, target, backend, flags, &["small::"])
    })
}

/// What `cargo xtask test` runs of it, a quarter of a minute on each: the rest takes minutes.
pub fn miri_short(ctx: &Ctx) -> Result {
    let [_, rows @ ..] = INTERPRETED;
    rows.iter().try_for_each(|(target, backend, flags)| {
        interpret(ctx, target, backend, flags, &["small::saved", "small::what_else", "small::recompressions"])
    })
}

fn interpret(ctx: &Ctx, target: &str, backend: &str, flags: &str, tests: &[&str]) -> Result {
    rust::nightly(ctx, &["miri", "rust-src"])?;
    suite(rust::on_nightly(ctx).arg("miri"), &["--target", target])
        .args(tests)
        .env("CARGO_TARGET_DIR", ctx.target().join("miri"))
        // The tests read the variables, and the time for their seeds.
        .env("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-disable-isolation")
        .env("RUSTFLAGS", flags)
        .env("SHA1DC_TEST_BACKEND", backend)
        .run()
}

fn suite<'a>(cargo: Cmd<'a>, args: &[&str]) -> Cmd<'a> {
    cargo.args(["test", "--package", "sha1dc-core", "--test", "suite", "--locked"]).args(args).arg("--")
}

//! `cargo xtask build`: the native module, both forms of the wasm module, and the npm package around them.

use crate::ctx::{Context, Ctx, Result, Stop};
use crate::platform::Platform;
use crate::setup::{node, rust, wasm_tools, zig};
use crate::stamp::{self, Stamp};
use std::path::PathBuf;

/// What is unrolled in the wasm modules is written out, where it pays; the rest is better small (a tenth of a module).
const WASM_FLAGS: [&str; 1] = ["-Cllvm-args=-unroll-threshold=60"];

/// The two forms of the wasm module, and the compiler flags that make the difference.
pub const WASM_FORMS: [(&str, &[&str]); 2] = [("simd128", &["-Ctarget-feature=+simd128"]), ("baseline", &[])];

/// `cargo xtask build [--target PLATFORM|TRIPLE]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    match args {
        [] => {
            everything(ctx)?;
            ctx.say("built: npm/native, target/wasm, npm/dist");
            Ok(())
        }
        [flag, name] if flag == "--target" => {
            let module = portable(ctx, Platform::named(name)?)?;
            ctx.say(format!("built: {}", module.display()));
            Ok(())
        }
        _ => Err(Stop::failed("usage: cargo xtask build [--target PLATFORM]").hint(Platform::choices())),
    }
}

/// All that the npm package consists of on this machine; without a native module where there is none for it.
pub fn everything(ctx: &Ctx) -> Result {
    // On a fresh machine each of these takes minutes, most of them on one core or waiting for the network.
    std::thread::scope(|scope| {
        let others = [scope.spawn(|| native(ctx)), scope.spawn(|| node::modules(ctx))];
        let tools = wasm_tools::ensure(ctx).map(drop);
        others
            .into_iter()
            .map(|other| other.join().expect("it reports errors, it does not panic"))
            .fold(tools, Result::and)
    })?;
    wasm(ctx)?;
    package(ctx)
}

/// The native module for this machine, if there is one.
pub fn native(ctx: &Ctx) -> Result {
    match Platform::host() {
        Ok(platform) => module(ctx, platform, Linker::Ordinary).map(drop),
        Err(stop) => {
            ctx.say(stop);
            Ok(())
        }
    }
}

/// The native module for any platform, as it is published: on Linux, it loads on systems much older than this one.
pub fn portable(ctx: &Ctx, platform: &Platform) -> Result<PathBuf> {
    module(ctx, platform, if platform.os == "linux" { Linker::Zig } else { Linker::Ordinary })
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Linker {
    Ordinary,
    /// With cargo-zigbuild, which brings the C libraries of all Linux platforms, old ones too.
    Zig,
}

/// The C library of RHEL 7; every Node that the package supports asks for a newer one.
const OLDEST_GLIBC: &str = "2.17";

/// A native module, in npm/native. Gives its path.
fn module(ctx: &Ctx, platform: &Platform, linker: Linker) -> Result<PathBuf> {
    let mut flags = remapped_paths(ctx);
    if platform.libc == Some("musl") {
        // A module is loaded into a process that has its C library already.
        flags.push("-Ctarget-feature=-crt-static".into());
    }
    let inputs = ["core/src", "core/Cargo.toml", "bindings-node", "Cargo.toml", "Cargo.lock"];
    let words = [ctx.cmd("rustc").arg("-vV").output()?, flags.join(" "), format!("{linker:?}")];
    let now = stamp::of_inputs(ctx, &inputs, &words)?;
    let module = ctx.path("npm/native").join(platform.module());
    let stamp = Stamp::new(ctx, &format!("native-{}", platform.name), now, vec![module.clone()]);
    if stamp.fresh() {
        return Ok(module);
    }

    ctx.say(format!("building the native module for {}", platform.name));
    let target_dir = ship_dir(ctx);
    let (cargo, folder) = match linker {
        // The machine's own platform needs no --target, and then shares what it compiles with build scripts.
        Linker::Ordinary if platform.name == Platform::host()?.name => (ctx.cargo().arg("build"), target_dir.clone()),
        Linker::Ordinary => {
            let toolchain = rust::target(ctx, platform.triple)?;
            let cargo = toolchain.cargo(ctx).args(["build", "--target", platform.triple]);
            (cargo, target_dir.join(platform.triple))
        }
        Linker::Zig => {
            let zig = zig::ensure(ctx)?;
            let toolchain = rust::target(ctx, platform.triple)?;
            let version = if platform.libc == Some("glibc") { format!(".{OLDEST_GLIBC}") } else { String::new() };
            let mut cargo = toolchain.cargo(ctx);
            if let Some(dir) = zig {
                cargo = cargo.path_first(dir);
            }
            cargo = cargo.args(["zigbuild", "--target", &format!("{}{version}", platform.triple)]);
            (cargo, target_dir.join(platform.triple))
        }
    };
    cargo
        .args(["--release", "--locked", "--package", "sha1dc-node"])
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .run()?;

    let built = folder.join("release").join(platform.library());
    std::fs::create_dir_all(ctx.path("npm/native")).context("npm/native")?;
    // In place of the old file, not into it: a process may have that one loaded.
    let new = module.with_extension("new");
    std::fs::copy(&built, &new).context(built.display())?;
    std::fs::rename(&new, &module).context(module.display())?;
    stamp.write()?;
    Ok(module)
}

/// Both wasm forms, in target/wasm/{simd128,baseline}.
pub fn wasm(ctx: &Ctx) -> Result {
    for (form, features) in WASM_FORMS {
        wasm_form(ctx, form, features)?;
    }
    Ok(())
}

fn wasm_form(ctx: &Ctx, form: &str, features: &[&str]) -> Result {
    node::modules(ctx)?;
    let mut flags = remapped_paths(ctx);
    flags.extend(WASM_FLAGS.iter().chain(features).map(|flag| flag.to_string()));
    let inputs = [
        "core/src",
        "core/Cargo.toml",
        "bindings-wasm",
        "Cargo.toml",
        "Cargo.lock",
        "node_modules/binaryen/package.json",
    ];
    let compiler = ctx.cmd("rustc").arg("-vV").output()?;
    let now = stamp::of_inputs(ctx, &inputs, &[compiler, flags.join(" ")])?;
    let out = ctx.target().join("wasm").join(form);
    let products = ["sha1dc_wasm.js", "sha1dc_wasm_bg.wasm"].map(|name| out.join(name));
    let stamp = Stamp::new(ctx, &format!("wasm-{form}"), now, products.to_vec());
    if stamp.fresh() {
        return Ok(());
    }

    let toolchain = rust::target(ctx, rust::WASM)?;
    let tools = wasm_tools::ensure(ctx)?;
    ctx.say(format!("building the wasm module, form {form}"));
    // wasm-pack keeps what is in the way, so what an older version of the crate made would stay beside the new.
    let _ = std::fs::remove_dir_all(&out);
    let mut pack = ctx.cmd("wasm-pack");
    for dir in tools {
        pack = pack.path_first(dir);
    }
    toolchain
        .on(pack)
        .path_first(ctx.path("node_modules/.bin")) // wasm-opt, of npm's binaryen
        .args(["build", "bindings-wasm", "--release", "--target", "web", "--mode", "no-install", "--no-pack"])
        .args(["--out-name", "sha1dc_wasm", "--out-dir"])
        .arg(&out)
        .env("CARGO_TARGET_DIR", ship_dir(ctx))
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .run()?;
    stamp.write()
}

/// The npm package's JavaScript and types, in npm/dist, from the TypeScript and the wasm modules.
pub fn package(ctx: &Ctx) -> Result {
    node::modules(ctx)?;
    let inputs = [
        "npm/src",
        "npm/scripts",
        "npm/package.json",
        "npm/tsconfig.json",
        "target/wasm",
        "node_modules/typescript/package.json",
        "node_modules/binaryen/package.json",
    ];
    let now = stamp::of_inputs(ctx, &inputs, &[ctx.node().arg("--version").output()?])?;
    let stamp = Stamp::new(ctx, "package", now, vec![ctx.path("npm/dist")]);
    if ctx.path("npm/dist").is_dir() && stamp.fresh() {
        return Ok(());
    }
    ctx.say("building the npm package");
    ctx.npm().args(["run", "--silent", "build", "--workspace", "npm"]).run()?;
    stamp.write()
}

/// What is shipped is built apart, with flags of its own, and so does not take turns with `cargo build` and `cargo test`.
fn ship_dir(ctx: &Ctx) -> PathBuf {
    ctx.target().join("ship")
}

/// Takes this machine's folders out of the panic messages in what is shipped: two machines build the same bytes.
fn remapped_paths(ctx: &Ctx) -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=/sha1dc", ctx.root.display())];
    flags.extend(rust::cargo_home().map(|home| format!("--remap-path-prefix={}=/cargo", home.display())));
    flags
}

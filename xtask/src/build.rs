//! `cargo xtask build`: the native module, both forms of the wasm module, and the npm package around them.

use crate::ctx::{Context, Ctx, Result, Stop};
use crate::platform::Platform;
use crate::setup::{apt, node, rust, wasm_tools};
use crate::stamp::{self, Stamp};
use std::path::PathBuf;

/// The two forms of the wasm module, and the compiler flags that make the difference.
const WASM_FORMS: [(&str, &[&str]); 2] = [("simd128", &["-Ctarget-feature=+simd128"]), ("baseline", &[])];

/// `cargo xtask build [--target PLATFORM|TRIPLE]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    match args {
        [] => {
            everything(ctx)?;
            ctx.say("built: npm/native, target/wasm, npm/dist");
            Ok(())
        }
        [flag, name] if flag == "--target" => native(ctx, Platform::named(name)?).map(drop),
        _ => Err(Stop::failed("usage: cargo xtask build [--target PLATFORM]").hint(Platform::choices())),
    }
}

/// All that the npm package consists of on this machine; without a native module where there is none for it.
pub fn everything(ctx: &Ctx) -> Result {
    native_here(ctx)?;
    wasm(ctx)?;
    package(ctx)
}

/// The native module for this machine, if there is one.
pub fn native_here(ctx: &Ctx) -> Result {
    match Platform::host() {
        Ok(platform) => native(ctx, platform).map(drop),
        Err(stop) => {
            ctx.say(stop);
            Ok(())
        }
    }
}

/// The native module for `platform`, in npm/native. Gives its path.
pub fn native(ctx: &Ctx, platform: &Platform) -> Result<PathBuf> {
    let host = platform.name == Platform::host()?.name;
    let mut flags = remapped_paths(ctx);
    if platform.libc == Some("musl") {
        // A module is loaded into a process that has its C library already.
        flags.push("-Ctarget-feature=-crt-static".into());
    }
    let inputs = ["core/src", "core/Cargo.toml", "bindings-node", "Cargo.toml", "Cargo.lock"];
    let compiler = ctx.cmd("rustc").arg("-vV").output()?;
    let now = stamp::of_inputs(ctx, &inputs, &[&compiler, &flags.join(" ")])?;
    let module = ctx.path("npm/native").join(platform.module());
    let stamp = Stamp::new(ctx, &format!("native-{}", platform.name), now, vec![module.clone()]);
    if stamp.fresh() {
        return Ok(module);
    }

    ctx.say(format!("building the native module for {}", platform.name));
    let toolchain = if host { rust::Toolchain::Ordinary } else { rust::target(ctx, platform.triple)? };
    let target_dir = ship_dir(ctx);
    let mut cargo = toolchain.cargo(ctx);
    // cargo-zigbuild brings linkers for every target, and an old glibc to link against.
    let zig = platform.os == "linux" && std::env::var_os("SHA1DC_ZIGBUILD").is_some();
    cargo = cargo.arg(if zig { "zigbuild" } else { "build" });
    cargo = cargo.args(["--release", "--package", "sha1dc-node"]).env("CARGO_TARGET_DIR", &target_dir);
    let mut folder = target_dir.clone();
    if zig || !host {
        let triple = if zig && platform.libc == Some("glibc") {
            format!("{}.{OLDEST_GLIBC}", platform.triple)
        } else {
            platform.triple.to_string()
        };
        cargo = cargo.args(["--target", &triple]);
        folder = folder.join(platform.triple);
    }
    if let Some(linker) = platform.cross_linker().filter(|_| !zig && !host) {
        apt::install(ctx, &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"], "linking for ARM64")?;
        cargo = cargo.env(&platform.linker_variable(), linker);
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).run()?;

    let built = folder.join("release").join(platform.library());
    std::fs::create_dir_all(ctx.path("npm/native")).context("npm/native")?;
    // In place of the old file, not into it: a process may have that one loaded.
    let new = module.with_extension("new");
    std::fs::copy(&built, &new).context(built.display())?;
    std::fs::rename(&new, &module).context(module.display())?;
    stamp.write()?;
    Ok(module)
}

/// What released modules are linked against with cargo-zigbuild: the floor of Node 20's own builds is higher.
const OLDEST_GLIBC: &str = "2.17";

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
    flags.extend(features.iter().map(|flag| flag.to_string()));
    let inputs = [
        "core/src",
        "core/Cargo.toml",
        "bindings-wasm",
        "Cargo.toml",
        "Cargo.lock",
        "node_modules/binaryen/package.json",
    ];
    let compiler = ctx.cmd("rustc").arg("-vV").output()?;
    let now = stamp::of_inputs(ctx, &inputs, &[&compiler, &flags.join(" ")])?;
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
    let now = stamp::of_inputs(ctx, &inputs, &[&ctx.node().arg("--version").output()?])?;
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

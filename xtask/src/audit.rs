//! `cargo xtask audit`: cargo deny on every Cargo project, and npm's advisories.

use crate::ctx::{Ctx, Result, Stop, in_ci};
use crate::setup::node;
use crate::test::APART;

const USAGE: &str = "\
cargo xtask audit

Licences, bans and sources of every Cargo project, by cargo deny (which it installs: a few minutes, once). Known
vulnerabilities of crates and npm packages, where their databases can be had; where CI is set, they must be.";

pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if !args.is_empty() {
        return Err(Stop::failed("audit takes no arguments").hint(USAGE));
    }
    if !ctx.cmd("cargo-deny").arg("--version").succeeds() {
        ctx.say("installing cargo-deny");
        ctx.cargo().args(["install", "cargo-deny"]).env_remove("CARGO_TARGET_DIR").run()?;
    }
    let advisories = ctx.cmd("cargo-deny").args(["fetch", "db"]).run();
    let config = ctx.path("deny.toml");
    for manifest in ["Cargo.toml"].iter().chain(&APART) {
        ctx.say(format!("cargo deny: {manifest}"));
        let mut deny = ctx.cmd("cargo-deny").args(["--manifest-path", manifest, "check", "--config"]).arg(&config);
        deny = deny.args(["--allow", "license-not-encountered", "licenses", "bans", "sources"]);
        if advisories.is_ok() {
            deny = deny.arg("advisories");
        }
        deny.run()?;
    }
    node::modules(ctx)?;
    let (code, report, _) = ctx.npm().args(["audit", "--omit=dev", "--json"]).capture()?;
    let npm = if code == 0 {
        Ok(())
    } else if report.contains("\"vulnerabilities\"") {
        return Err(Stop::failed(format!("npm audit: {report}")));
    } else {
        Err(Stop::failed(report))
    };
    for (what, asked) in [("RustSec's database", advisories), ("npm's advisories", npm)] {
        match asked {
            Ok(()) => ctx.say(format!("{what}: nothing known")),
            Err(stop) if in_ci() => return Err(stop),
            Err(_) => ctx.say(format!("NOT CHECKED: {what} cannot be reached from here")),
        }
    }
    Ok(())
}

//! `cargo xtask pack`: what npm publishes, as tarballs in target/npm.

use crate::build;
use crate::ctx::{Context, Ctx, Result, Stop};
use crate::platform::{PLATFORMS, Platform};
use crate::setup::node;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// `cargo xtask pack [--platforms A,B... | --built | --from-scratch]`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    if args == ["--from-scratch"] {
        return from_scratch(ctx);
    }
    let out = ctx.target().join("npm");
    let platforms = match args {
        [] => {
            build::native(ctx)?;
            Platform::host().map(|host| vec![host]).unwrap_or_default()
        }
        [flag, names] if flag == "--platforms" => {
            let platforms: Vec<_> = names.split(',').map(Platform::named).collect::<Result<_>>()?;
            for platform in &platforms {
                build::portable(ctx, platform)?;
            }
            platforms
        }
        // A release: the modules come from several machines and lie in npm/native.
        [flag] if flag == "--built" => PLATFORMS.iter().collect(),
        _ => return Err(Stop::failed("usage: cargo xtask pack [--platforms A,B... | --built | --from-scratch]")),
    };
    build::wasm(ctx)?;
    build::package(ctx)?;
    pack_into(ctx, &out, &platforms)?;
    for (name, bytes) in tarballs(&out)? {
        ctx.say(format!("{:>9} bytes  target/npm/{name}", bytes.len()));
    }
    Ok(())
}

fn pack_into(ctx: &Ctx, out: &Path, platforms: &[&Platform]) -> Result {
    node::modules(ctx)?;
    let mut pack = ctx.node().arg("npm/scripts/pack.mjs").arg("--out").arg(out);
    for platform in platforms {
        pack = pack.args(["--platform", platform.name]);
    }
    pack.run()
}

/// Packs twice, into different folders, and compares.
pub fn reproducibly(ctx: &Ctx) -> Result {
    build::everything(ctx)?;
    let platforms: Vec<_> = Platform::host().into_iter().collect();
    let outs = [ctx.target().join("npm"), ctx.target().join("npm-again")];
    let mut packed = Vec::new();
    for out in &outs {
        pack_into(ctx, out, &platforms)?;
        packed.push(tarballs(out)?);
    }
    std::fs::remove_dir_all(&outs[1]).context("target/npm-again")?;
    if packed[0].is_empty() || packed[0] != packed[1] {
        let names = |n: usize| packed[n].keys().cloned().collect::<Vec<_>>().join(" ");
        return Err(Stop::failed(format!("packing twice gave different bytes: {} / {}", names(0), names(1))));
    }
    Ok(())
}

/// Builds and packs the commit at hand in two new checkouts, in folders of different names, and compares. The files that both
/// give are left in target/npm.
fn from_scratch(ctx: &Ctx) -> Result {
    let mut packed = Vec::new();
    for name in ["one", "another-one"] {
        let checkout = ctx.target().join("from-scratch").join(name);
        let _ = std::fs::remove_dir_all(&checkout);
        ctx.cmd("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(&ctx.root).arg(&checkout).run()?;
        ctx.cargo().args(["xtask", "pack"]).dir(&checkout).env_remove("CARGO_TARGET_DIR").run()?;
        packed.push((tarballs(&checkout.join("target/npm"))?, checkout));
    }
    let [(one, checkout), (other, _)] = &packed[..] else { unreachable!("two were packed") };
    for name in one.keys().chain(other.keys()) {
        if one.get(name) != other.get(name) {
            return Err(Stop::failed(format!("{name} differs; both are in target/from-scratch")));
        }
    }
    let out = ctx.target().join("npm");
    std::fs::create_dir_all(&out).context(out.display())?;
    for name in one.keys() {
        std::fs::copy(checkout.join("target/npm").join(name), out.join(name)).context(name)?;
    }
    ctx.say(format!(
        "two builds from scratch gave the same {} files: {}",
        one.len(),
        one.keys().cloned().collect::<Vec<_>>().join(" ")
    ));
    std::fs::remove_dir_all(ctx.target().join("from-scratch")).context("target/from-scratch")
}

/// The files in `folder` by name.
fn tarballs(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).context(folder.display())?.flatten() {
        let path: PathBuf = entry.path();
        if path.is_file() {
            let bytes = std::fs::read(&path).context(path.display())?;
            files.insert(entry.file_name().to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(files)
}

/// Runs a script that installs the tarballs as their users do, and uses them.
pub fn try_with(ctx: &Ctx, script: &str) -> Result {
    let mut trial = ctx.node().arg(format!("npm/scripts/{script}")).arg("--from").arg(ctx.target().join("npm"));
    if let Ok(platform) = Platform::host() {
        trial = trial.args(["--platform", platform.name]);
    }
    trial.run()
}

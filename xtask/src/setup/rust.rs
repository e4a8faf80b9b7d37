//! The standard library of Rust for other targets than this machine.

use super::apt;
use crate::ctx::{Cmd, Context, Ctx, Result, Stop, which};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub const WASM: &str = "wasm32-unknown-unknown";

/// A compiler that can build for the target that was asked for.
#[derive(Clone, Debug)]
pub enum Toolchain {
    /// The one that runs this program.
    Ordinary,
    /// Debian's, in front of PATH, with a std built by [`debian_sysroot`].
    Debian { bin: PathBuf },
}

impl Toolchain {
    pub fn cargo<'a>(&self, ctx: &'a Ctx) -> Cmd<'a> {
        match self {
            Toolchain::Ordinary => ctx.cargo(),
            Toolchain::Debian { bin } => self.on(ctx.cmd(bin.join("cargo"))).env("CARGO_TARGET_DIR", ctx.target()),
        }
    }

    /// Lets `cmd` find this compiler.
    pub fn on<'a>(&self, cmd: Cmd<'a>) -> Cmd<'a> {
        match self {
            Toolchain::Ordinary => cmd,
            Toolchain::Debian { bin } => cmd.path_first(bin).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO"),
        }
    }
}

/// Makes sure that Rust's standard library for `target` is there: already, else by rustup, else by Debian's packages.
pub fn target(ctx: &Ctx, target: &str) -> Result<Toolchain> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());

    // To try the last resort where it is not needed: SHA1DC_RUST=debian.
    if std::env::var_os("SHA1DC_RUST").is_some_and(|value| value == "debian") {
        return debian_sysroot(ctx, target).map(|bin| Toolchain::Debian { bin });
    }
    if has_std(&ctx.cmd("rustc").args(["--print", "target-libdir", "--target", target]).output()) {
        return Ok(Toolchain::Ordinary);
    }
    if which("rustup").is_some() {
        ctx.say(format!("adding Rust's standard library for {target}"));
        if ctx.cmd("rustup").args(["target", "add", target]).run().is_ok() {
            return Ok(Toolchain::Ordinary);
        }
    }
    if which("apt-get").is_some() {
        ctx.say("rustup could not add the target: building its standard library with Debian's compiler, once");
        return debian_sysroot(ctx, target).map(|bin| Toolchain::Debian { bin });
    }
    Err(Stop::missing(
        format!("Rust's standard library for {target} is missing"),
        format!("run: rustup target add {target} (or install it with the package manager that Rust came from)"),
    ))
}

/// What of nightly Rust the checkers need beyond the compiler.
const NIGHTLY_COMPONENTS: [&str; 2] = ["miri", "rust-src"];

/// Makes sure that nightly Rust is there, with these of [`NIGHTLY_COMPONENTS`]: sanitizers, coverage and Miri are
/// unstable. `SHA1DC_NIGHTLY` names another than today's, such as `nightly-2026-05-20`.
///
/// All components are had the first time, whoever asks: rustup replaces the compiler when it is told to install a
/// toolchain that is not today's, and another step may be at work with it by then.
pub fn nightly(ctx: &Ctx, components: &[&str]) -> Result {
    static TRIED: Mutex<bool> = Mutex::new(false);
    let mut tried = TRIED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());

    let name = nightly_name();
    let has = |components: &[&str]| {
        let list = ctx.cmd("rustup").args(["component", "list", "--installed", "--toolchain", &name]).output();
        list.is_ok_and(|list| components.iter().all(|component| list.lines().any(|line| line.starts_with(component))))
    };
    if !std::mem::replace(&mut *tried, true) && !has(&NIGHTLY_COMPONENTS) {
        install_nightly(ctx, &name, has(&[]))?;
    }
    if has(components) {
        return Ok(());
    }
    // Not on every network, and not with every component every day. The hosted workflow has it.
    let by_hand = format!("rustup toolchain install {name} --component {}", NIGHTLY_COMPONENTS.join(","));
    Err(Stop::Skipped(format!("{name} Rust with {components:?} could not be had; try: {by_hand}")))
}

/// What is there is completed before it is replaced. Fails only where nothing could be tried.
fn install_nightly(ctx: &Ctx, name: &str, there: bool) -> Result {
    if which("rustup").is_none() {
        return Err(Stop::Skipped(format!("{name} Rust needs rustup")));
    }
    ctx.say(format!("installing {name} Rust, {}", NIGHTLY_COMPONENTS.join(", ")));
    let rustup = || ctx.cmd("rustup");
    let install = || rustup().args(["toolchain", "install", name, "--profile", "minimal"]);
    let complete =
        there && rustup().args(["component", "add", "--toolchain", name]).args(NIGHTLY_COMPONENTS).run().is_ok();
    let complete = complete || install().args(["--component", &NIGHTLY_COMPONENTS.join(",")]).run().is_ok();
    if !complete && !there {
        // The sanitizers need no component.
        let _ = install().run();
    }
    Ok(())
}

fn nightly_name() -> String {
    std::env::var("SHA1DC_NIGHTLY").unwrap_or_else(|_| "nightly".into())
}

/// Cargo of nightly Rust.
pub fn on_nightly(ctx: &Ctx) -> Cmd<'_> {
    ctx.cmd("rustup").args(["run", &nightly_name(), "cargo"]).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN")
}

fn has_std(libdir: &Result<String>) -> bool {
    let Ok(libdir) = libdir else { return false };
    let Ok(files) = std::fs::read_dir(libdir) else { return false };
    files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
}

/// Debian's compiler with a standard library for `target`, built from Debian's copy of its source (about a minute). For
/// networks where distribution packages can be had and rustup's downloads cannot. Gives the folder of `cargo` and `rustc`.
pub fn debian_sysroot(ctx: &Ctx, target: &str) -> Result<PathBuf> {
    let why = format!("Rust's standard library for {target}");
    apt::install(ctx, &["rustc-web", "cargo-web", "rust-web-src"], &why)?;
    let version = ctx.cmd("/usr/bin/rustc").arg("-vV").output()?;
    let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim();
    // The linker for wasm, of the compiler's own LLVM.
    let llvm = field("LLVM version:").split('.').next().unwrap_or("");
    apt::install(ctx, &[&format!("lld-{llvm}")], &why)?;

    let root = cache_dir()?.join(format!("debian-rust-{}", field("release:")));
    let bin = root.join("bin");
    let rustlib = root.join("lib/rustlib");
    std::fs::create_dir_all(&bin).context("the toolchain's folder")?;
    std::fs::create_dir_all(&rustlib).context("the toolchain's folder")?;
    for entry in std::fs::read_dir("/usr/lib/rustlib").context("/usr/lib/rustlib")?.flatten() {
        link(&entry.path(), &rustlib.join(entry.file_name()))?;
    }
    link(Path::new("/usr/bin/cargo"), &bin.join("cargo"))?;
    // The name under which rustc looks for its linker for wasm.
    link(&Path::new("/usr/lib").join(format!("llvm-{llvm}/bin/lld")), &bin.join("rust-lld"))?;
    for program in ["rustc", "rustdoc"] {
        let script = format!("#!/bin/sh\nexec /usr/bin/{program} --sysroot '{}' \"$@\"\n", root.display());
        executable(&bin.join(program), &script)?;
    }

    let libdir = rustlib.join(target).join("lib");
    if has_std(&Ok(libdir.display().to_string())) {
        return Ok(bin);
    }
    let work = root.join("build-std");
    std::fs::create_dir_all(work.join("src")).context("the folder to build std in")?;
    let wasm = target.starts_with("wasm");
    let panic = if wasm { "abort" } else { "unwind" };
    let crates = if wasm { "std,panic_abort,test" } else { "std,panic_abort,panic_unwind,test" };
    let manifest = format!(
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [profile.release]\nopt-level = 3\npanic = \"{panic}\"\n[workspace]\n"
    );
    std::fs::write(work.join("Cargo.toml"), manifest).context("the manifest to build std with")?;
    std::fs::write(work.join("src/lib.rs"), "#![no_std]\n").context("the crate to build std with")?;
    // As in Rust's own build: this one crate is always compiled for the strategy in its name.
    let compiler = work.join("rustc");
    let abort = "case \" $* \" in *' --crate-name panic_abort '*) set -- \"$@\" -C panic=abort;; esac";
    executable(&compiler, &format!("#!/bin/sh\n{abort}\nexec /usr/bin/rustc \"$@\"\n"))?;
    let mut flags = String::from("-Cembed-bitcode=yes");
    if let Some(home) = cargo_home() {
        flags += &format!("\x1f--remap-path-prefix={}=/cargo", home.display());
    }
    ctx.cmd("/usr/bin/cargo")
        .args(["build", "--release", "--target", target, &format!("-Zbuild-std={crates}")])
        .dir(&work)
        // Build-std is unstable, and allowed so. Without bitcode in std, lto of a cdylib fails.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTC", &compiler)
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .run()?;
    // Complete or not there at all: an interrupted copy must not look like a standard library.
    let unfinished = rustlib.join(format!("{target}.unfinished"));
    let _ = std::fs::remove_dir_all(&unfinished);
    std::fs::create_dir_all(unfinished.join("lib")).context("the standard library's folder")?;
    let built = work.join("target").join(target).join("release/deps");
    for file in std::fs::read_dir(&built).context(built.display())?.flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty") {
            std::fs::copy(file.path(), unfinished.join("lib").join(&name)).context(name)?;
        }
    }
    let _ = std::fs::remove_dir_all(rustlib.join(target));
    std::fs::rename(&unfinished, rustlib.join(target)).context("the standard library's folder")?;
    std::fs::remove_dir_all(&work).context("the folder to build std in")?;
    Ok(bin)
}

/// Where cargo keeps the sources of dependencies.
pub fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| home().map(|home| home.join(".cargo")))
}

/// The user's own folder.
pub fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from)
}

/// Where things go that serve every checkout of this user.
pub fn cache_dir() -> Result<PathBuf> {
    std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|dir| dir.is_absolute())
        .or_else(|| home().map(|home| home.join(".cache")))
        .map(|dir| dir.join("sha1dc-xtask"))
        .ok_or_else(|| Stop::failed("neither XDG_CACHE_HOME nor HOME is set"))
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> Result {
    if at.symlink_metadata().is_ok() {
        return Ok(());
    }
    std::os::unix::fs::symlink(to, at).context(at.display())
}

#[cfg(unix)]
pub fn executable(path: &Path, script: &str) -> Result {
    use std::os::unix::fs::PermissionsExt;
    if std::fs::read_to_string(path).is_ok_and(|there| there == script) {
        return Ok(());
    }
    std::fs::write(path, script).context(path.display())?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).context(path.display())
}

#[cfg(not(unix))]
fn link(_: &Path, at: &Path) -> Result {
    Err(Stop::failed(format!("{}: only where apt-get is", at.display())))
}

#[cfg(not(unix))]
pub fn executable(path: &Path, _: &str) -> Result {
    Err(Stop::failed(format!("{}: only where apt-get is", path.display())))
}

//! Finds the sources of the two reference crates.
//!
//! Neither makes its filter's mask public, and the mask is what our fast
//! filters must equal. So their own files are compiled into this crate, from
//! where cargo has unpacked them: nothing of theirs is kept here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let metadata = metadata();
    let c_port = source(&metadata, "sha1collisiondetection", "0.3.4");
    let checked = source(&metadata, "sha1-checked", "0.10.0");
    let module = |name: &str, path: PathBuf| {
        assert!(path.is_file(), "no file {}", path.display());
        format!("#[path = {:?}]\npub(crate) mod {name};\n", path.display().to_string())
    };
    // The C port's files refer to each other as `crate::...`, so its modules
    // are declared in the root of this crate.
    let modules = module("sha1", c_port.join("lib/sha1.rs"))
        + &module("ubc_check", c_port.join("lib/ubc_check.rs"))
        + &module("checked_ubc_check", checked.join("src/ubc_check.rs"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // `#[path]` counts from the file it stands in, and there it is absolute.
    fs::write(out.join("reference.rs"), modules).expect("OUT_DIR is writable");
    println!("cargo:rustc-env=REFERENCE_FILES={}", c_port.join("test").display());
}

/// `cargo metadata` of this package: where every dependency is.
fn metadata() -> String {
    let run = |offline: &[&str]| {
        let output = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"))
            .args(["metadata", "--format-version=1", "--locked"])
            .args(["--filter-platform", &env::var("HOST").expect("cargo sets HOST")])
            .args(offline)
            .current_dir(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout).expect("JSON is UTF-8")),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    };
    // This build may have needed only a part of what the lock file lists.
    run(&["--offline"]).or_else(|_| run(&[])).unwrap_or_else(|error| panic!("cargo metadata: {error}"))
}

/// The folder of a package.
fn source(metadata: &str, name: &str, version: &str) -> PathBuf {
    let package = format!("\"name\":\"{name}\",\"version\":\"{version}\"");
    let key = "\"manifest_path\":\"";
    let path = metadata
        .split_once(&package)
        .and_then(|(_, rest)| rest.split_once(key))
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(path, _)| path.replace("\\\\", "\\"));
    let path = path.unwrap_or_else(|| panic!("{name} {version} is not in the dependencies"));
    Path::new(&path).parent().expect("a manifest is in a folder").to_path_buf()
}

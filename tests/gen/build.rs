//! The public API of `sha1collisiondetection` tells only that there was a collision. Where, for which disturbance
//! vector and with which partner block stands in its context struct, so its two source files are included here as
//! modules, straight from the published crate, with the fields that name a disturbance vector made public.
use std::{env, fs, path::Path, process::Command};

fn main() {
    let manifest = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("Cargo.toml");
    let metadata = Command::new(env::var("CARGO").unwrap())
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(&manifest)
        .output()
        .expect("cargo metadata");
    let text = String::from_utf8(metadata.stdout).expect("cargo metadata prints UTF-8");
    let marker = "sha1collisiondetection-0.3.4";
    let at = text.find(&format!("{marker}/Cargo.toml")).or_else(|| text.find(&format!("{marker}\\\\Cargo.toml")));
    let at = at.expect("the crate's source folder");
    let start = text[..at].rfind('"').unwrap() + 1;
    let lib = Path::new(&text[start..at].replace("\\\\", "\\")).join(marker).join("lib");

    let out = env::var("OUT_DIR").unwrap();
    for file in ["sha1.rs", "ubc_check.rs"] {
        let path = lib.join(file);
        let mut source = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for field in ["dvType", "dvK", "dvB"] {
            source = source.replace(&format!("    {field}: i32,"), &format!("    pub {field}: i32,"));
        }
        fs::write(Path::new(&out).join(file), source).unwrap();
    }
    fs::write(
        Path::new(&out).join("reference.rs"),
        format!(
            "#[allow(warnings)] #[path = {:?}] pub mod sha1;\n#[allow(warnings)] #[path = {:?}] pub mod ubc_check;\n",
            Path::new(&out).join("sha1.rs"),
            Path::new(&out).join("ubc_check.rs"),
        ),
    )
    .unwrap();
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.toml");
}

//! The platforms that the npm package has native modules for, under the names used in file and package names.

use crate::ctx::{Result, Stop};

#[derive(Debug)]
pub struct Platform {
    /// As in `sha1dc-<name>` and `sha1dc.<name>.node`.
    pub name: &'static str,
    pub triple: &'static str,
    /// npm's words for the same, as package.json has them.
    pub os: &'static str,
    pub libc: Option<&'static str>,
}

const fn platform(name: &'static str, triple: &'static str, os: &'static str, libc: Option<&'static str>) -> Platform {
    Platform { name, triple, os, libc }
}

pub static PLATFORMS: [Platform; 8] = [
    platform("linux-x64-gnu", "x86_64-unknown-linux-gnu", "linux", Some("glibc")),
    platform("linux-arm64-gnu", "aarch64-unknown-linux-gnu", "linux", Some("glibc")),
    platform("linux-x64-musl", "x86_64-unknown-linux-musl", "linux", Some("musl")),
    platform("linux-arm64-musl", "aarch64-unknown-linux-musl", "linux", Some("musl")),
    platform("darwin-x64", "x86_64-apple-darwin", "darwin", None),
    platform("darwin-arm64", "aarch64-apple-darwin", "darwin", None),
    platform("win32-x64-msvc", "x86_64-pc-windows-msvc", "win32", None),
    platform("win32-arm64-msvc", "aarch64-pc-windows-msvc", "win32", None),
];

impl Platform {
    /// The one that this program was compiled for.
    pub fn host() -> Result<&'static Platform> {
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            other => other,
        };
        let libc = match os {
            "linux" if cfg!(target_env = "musl") => Some("musl"),
            "linux" => Some("glibc"),
            _ => None,
        };
        PLATFORMS
            .iter()
            .find(|p| p.os == os && p.libc == libc && p.triple.starts_with(std::env::consts::ARCH))
            .ok_or_else(|| Stop::Skipped(format!("no native module is made for {os} on {}", std::env::consts::ARCH)))
    }

    /// By its name here or by Rust's triple.
    pub fn named(name: &str) -> Result<&'static Platform> {
        PLATFORMS
            .iter()
            .find(|p| p.name == name || p.triple == name)
            .ok_or_else(|| Stop::failed(format!("no platform is called {name}")).hint(Platform::choices()))
    }

    pub fn choices() -> String {
        format!("the platforms are {}", PLATFORMS.iter().map(|p| p.name).collect::<Vec<_>>().join(", "))
    }

    /// The native module's file in npm/native and in the platform's package.
    pub fn module(&self) -> String {
        format!("sha1dc.{}.node", self.name)
    }

    /// What cargo calls it.
    pub fn library(&self) -> &'static str {
        match self.os {
            "darwin" => "libsha1dc_node.dylib",
            "win32" => "sha1dc_node.dll",
            _ => "libsha1dc_node.so",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_triples_find_the_same_platform() {
        for platform in &PLATFORMS {
            assert_eq!(Platform::named(platform.name).unwrap().triple, platform.triple);
            assert_eq!(Platform::named(platform.triple).unwrap().name, platform.name);
        }
        assert!(Platform::named("plan9-mips").is_err());
    }
}

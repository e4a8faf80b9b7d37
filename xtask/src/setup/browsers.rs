//! The browsers that tests run in.

use super::apt;
use crate::ctx::{Ctx, Result, Stop, which};
use std::path::PathBuf;

/// Chromium or a Chrome: the one that CHROME_BIN names, else an installed one, else Debian's.
pub fn chromium(ctx: &Ctx) -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME_BIN").map(PathBuf::from) {
        return match named.is_file() {
            true => Ok(named),
            false => Err(Stop::failed(format!("CHROME_BIN names {}, which is no file", named.display()))),
        };
    }
    if let Some(found) = installed_chromium() {
        return Ok(found);
    }
    let hint = "install Chromium or Chrome, or set CHROME_BIN to one";
    if which("apt-get").is_none() {
        return Err(Stop::missing("no Chromium was found", hint));
    }
    // Ubuntu's package of this name is a snap: then the file is not where it should be, and the hint says what helps.
    apt::install(ctx, &["chromium"], "the browser tests")?;
    installed_chromium().ok_or_else(|| Stop::missing("no Chromium after installing it", hint))
}

fn installed_chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
    let places = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
    ];
    names.into_iter().find_map(which).or_else(|| places.map(PathBuf::from).into_iter().find(|path| path.is_file()))
}

/// Firefox: FIREFOX_BIN, else an installed one, else Debian's ESR.
pub fn firefox(ctx: &Ctx) -> Result<PathBuf> {
    let installed = || ["firefox", "firefox-esr"].into_iter().find_map(which);
    if let Some(found) = std::env::var_os("FIREFOX_BIN").map(PathBuf::from).or_else(installed) {
        return Ok(found);
    }
    apt::install(ctx, &["firefox-esr"], "the tests in Firefox")?;
    installed().ok_or_else(|| Stop::missing("no Firefox was found", "install Firefox, or set FIREFOX_BIN to one"))
}

/// WebKitGTK's driver and browser, and an X server for it.
pub fn webkit(ctx: &Ctx) -> Result {
    apt::install(ctx, &["webkit2gtk-driver", "xvfb", "xauth"], "the tests in WebKit")
}

//! The browsers that tests run in.

use super::apt;
use crate::ctx::{Ctx, Result, Stop, which};
use std::path::PathBuf;

/// Chromium or a Chrome: the one that CHROME_BIN names, else an installed one, else Debian's.
pub fn chromium(ctx: &Ctx) -> Result<PathBuf> {
    match installed_chromium() {
        Some(found) if found.is_file() => return Ok(found),
        Some(other) => return Err(Stop::failed(format!("CHROME_BIN names {}, which is no file", other.display()))),
        None => {}
    }
    let hint = "install Chromium or Chrome, or set CHROME_BIN to one";
    if which("apt-get").is_none() {
        return Err(Stop::missing("no Chromium was found", hint));
    }
    // Ubuntu's package of this name is a snap: then the file is not where it should be, and the hint says what helps.
    apt::install(ctx, &["chromium"], "the browser tests")?;
    installed_chromium().ok_or_else(|| Stop::missing("no Chromium after installing it", hint))
}

/// Without installing anything.
pub fn installed_chromium() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROME_BIN") {
        return Some(named.into());
    }
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
    let places = ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:/Program Files/Mozilla Firefox/firefox.exe"];
    let installed = || {
        let on_path = ["firefox", "firefox-esr"].into_iter().find_map(which);
        on_path.or_else(|| places.map(PathBuf::from).into_iter().find(|path| path.is_file()))
    };
    if let Some(found) = std::env::var_os("FIREFOX_BIN").map(PathBuf::from).or_else(installed) {
        return Ok(found);
    }
    apt::install(ctx, &["firefox-esr"], "the tests in Firefox")?;
    installed().ok_or_else(|| Stop::missing("no Firefox was found", "install Firefox, or set FIREFOX_BIN to one"))
}

/// WebKitGTK's driver and browser, and an X server for it.
pub fn webkit(ctx: &Ctx) -> Result {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skipped("WebKit is tested as WebKitGTK, on Linux".into()));
    }
    apt::install(ctx, &["webkit2gtk-driver", "xvfb", "xauth"], "the tests in WebKit")
}

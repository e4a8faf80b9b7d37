//! What every task needs to know: where things are, where its words go, and how to start a program.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub type Result<T = ()> = std::result::Result<T, Stop>;

/// Why a task did not come to its end.
#[derive(Debug)]
pub enum Stop {
    /// It went wrong. `hint` says what to do about it.
    Failed { what: String, hint: Option<String> },
    /// It does not apply to this machine.
    Skipped(String),
    /// It needs something that could not be had: a skip for a person, a failure where `CI` is set.
    Missing { what: String, hint: String },
}

impl Stop {
    pub fn failed(what: impl Into<String>) -> Stop {
        Stop::Failed { what: what.into(), hint: None }
    }

    pub fn hint(self, text: impl Into<String>) -> Stop {
        match self {
            Stop::Failed { what, hint: None } => Stop::Failed { what, hint: Some(text.into()) },
            other => other,
        }
    }

    pub fn missing(what: impl Into<String>, hint: impl Into<String>) -> Stop {
        Stop::Missing { what: what.into(), hint: hint.into() }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Failed { what, hint: None } => f.write_str(what),
            Stop::Failed { what, hint: Some(hint) } => write!(f, "{what}\n  what to do: {hint}"),
            Stop::Skipped(reason) => write!(f, "skipped: {reason}"),
            Stop::Missing { what, hint } => write!(f, "{what}\n  what to do: {hint}"),
        }
    }
}

/// Adds "while doing what" to errors of the standard library.
pub trait Context<T> {
    fn context(self, what: impl fmt::Display) -> Result<T>;
}

impl<T, E: fmt::Display> Context<T> for std::result::Result<T, E> {
    fn context(self, what: impl fmt::Display) -> Result<T> {
        self.map_err(|error| Stop::failed(format!("{what}: {error}")))
    }
}

/// The checkout, and the place for words: the terminal, or the log of a step that runs beside others.
pub struct Ctx {
    pub root: PathBuf,
    log: Option<File>,
}

impl Ctx {
    pub fn new() -> Ctx {
        // Set by cargo at run time; the compiled-in value serves a binary that is started by hand.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).parent().expect("xtask/ lies in the checkout").to_path_buf();
        Ctx { root, log: None }
    }

    /// The same checkout, with all words and all output of programs going to the file `log`.
    pub fn logging_to(&self, log: File) -> Ctx {
        Ctx { root: self.root.clone(), log: Some(log) }
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Always `target/`, whatever CARGO_TARGET_DIR says: the package's build reads from there.
    pub fn target(&self) -> PathBuf {
        self.path("target")
    }

    pub fn say(&self, text: impl fmt::Display) {
        match self.log.as_ref() {
            // A log that cannot be written loses words, not the step.
            Some(log) => drop(writeln!(&*log, "{text}")),
            None => eprintln!("{}", paint("36", &text.to_string())),
        }
    }

    pub fn cmd(&self, program: impl AsRef<OsStr>) -> Cmd<'_> {
        Cmd::new(self, program.as_ref())
    }

    pub fn cargo(&self) -> Cmd<'_> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        self.cmd(cargo).env("CARGO_TARGET_DIR", self.target())
    }

    pub fn node(&self) -> Cmd<'_> {
        self.cmd("node")
    }

    pub fn npm(&self) -> Cmd<'_> {
        // npm and its like are batch files on Windows, which are found by their whole name only.
        self.cmd(if cfg!(windows) { "npm.cmd" } else { "npm" })
    }

    /// A program of an installed npm package, e.g. `prettier`.
    pub fn npm_bin(&self, name: &str) -> Cmd<'_> {
        let file = if cfg!(windows) { format!("{name}.cmd") } else { name.into() };
        self.cmd(self.path("node_modules/.bin").join(file))
    }
}

/// A program to start. It starts in the root of the checkout and says what it is when it fails.
pub struct Cmd<'a> {
    ctx: &'a Ctx,
    command: Command,
    path_first: Vec<PathBuf>,
    hint: Option<String>,
}

impl<'a> Cmd<'a> {
    fn new(ctx: &'a Ctx, program: &OsStr) -> Cmd<'a> {
        let mut command = Command::new(program);
        command.current_dir(&ctx.root);
        // These two describe xtask to xtask's own build; programs below have packages of their own.
        command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_PKG_NAME");
        Cmd { ctx, command, path_first: Vec::new(), hint: None }
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    pub fn env_remove(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    pub fn dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Programs in `dir` are found before those on PATH, and before those in folders that were put first earlier.
    pub fn path_first(mut self, dir: impl Into<PathBuf>) -> Self {
        self.path_first.insert(0, dir.into());
        self
    }

    /// What to do when it fails.
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }

    fn shown(&self) -> String {
        // The name is enough to run it again by hand, where cargo and npm's programs are found on PATH or by npx.
        let program = Path::new(self.command.get_program());
        let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
        words.extend(self.command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
        let place = match self.command.get_current_dir() {
            Some(dir) if dir != self.ctx.root => format!(" (in {})", dir.display()),
            _ => String::new(),
        };
        words.join(" ") + &place
    }

    fn prepare(&mut self) {
        if self.path_first.is_empty() {
            return;
        }
        let before = self
            .command
            .get_envs()
            .find(|(key, _)| *key == "PATH")
            .and_then(|(_, value)| value.map(OsStr::to_owned))
            .or_else(|| std::env::var_os("PATH"))
            .unwrap_or_default();
        let all = self.path_first.drain(..).chain(std::env::split_paths(&before));
        let joined: OsString = std::env::join_paths(all).expect("no separator within a folder's name");
        self.command.env("PATH", joined);
    }

    fn not_started(&self, error: std::io::Error) -> Stop {
        let stop = Stop::failed(format!("could not start `{}`: {error}", self.shown()));
        match &self.hint {
            Some(hint) => stop.hint(hint),
            None => stop,
        }
    }

    /// Runs it and gives its exit code (or 128 + the signal that ended it); its output is shown.
    pub fn code(mut self) -> Result<i32> {
        self.prepare();
        if let Some(log) = &self.ctx.log {
            self.ctx.say(format!("$ {}", self.shown()));
            self.command.stdin(Stdio::null());
            self.command.stdout(log.try_clone().context("the step's log")?);
            self.command.stderr(log.try_clone().context("the step's log")?);
        }
        let status = self.command.status().map_err(|error| self.not_started(error))?;
        Ok(exit_code(status))
    }

    /// Runs it as a means to something else: anything but exit code 0 is a failure, and its output goes to standard error, so
    /// that standard output is for what was asked for.
    pub fn run(mut self) -> Result {
        if self.ctx.log.is_none() {
            eprintln!("{}", paint("2", &format!("$ {}", self.shown())));
            self.command.stdout(std::io::stderr());
        }
        self.show()
    }

    /// Runs it for what it prints: anything but exit code 0 is a failure.
    pub fn show(self) -> Result {
        let shown = self.shown();
        let hint = self.hint.clone();
        match self.code()? {
            0 => Ok(()),
            code => {
                let stop = Stop::failed(format!("`{shown}` ended with exit code {code}"));
                Err(match hint {
                    Some(hint) => stop.hint(hint),
                    None => stop,
                })
            }
        }
    }

    /// Runs it and gives exit code, standard output and standard error.
    pub fn capture(mut self) -> Result<(i32, String, String)> {
        self.prepare();
        let output = self.command.stdin(Stdio::null()).output().map_err(|error| self.not_started(error))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok((exit_code(output.status), text(&output.stdout), text(&output.stderr)))
    }

    /// Its standard output, trimmed; anything but exit code 0 is a failure.
    pub fn output(self) -> Result<String> {
        let shown = self.shown();
        let (code, out, err) = self.capture()?;
        if code == 0 {
            Ok(out.trim().to_string())
        } else {
            Err(Stop::failed(format!("`{shown}` ended with exit code {code}\n{err}")))
        }
    }

    /// Whether it starts and ends with exit code 0. Says nothing.
    pub fn succeeds(self) -> bool {
        matches!(self.capture(), Ok((0, ..)))
    }
}

fn exit_code(status: std::process::ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}

/// The text in a terminal's colour `code`, plain where standard error is not a terminal.
pub fn paint(code: &str, text: &str) -> String {
    if std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_string()
    }
}

/// Whether a machine, not a person, asked: then what is missing is a failure.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Where on PATH the program `name` is.
pub fn which(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(&file)).find(|path| path.is_file())
}

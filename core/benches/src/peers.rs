//! Who is measured.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use sha1dc_core::{Backend, Message, Mode, Options, Outcome, hash_many};

use crate::measure::{Contestant, Label, Runner, at_once, one_by_one};
use crate::workload::{Digest, Workload};

pub const SHA1: &str = "sha1 0.11";
pub const OPENSSL: &str = "OpenSSL SHA-1";
pub const OPENSSL_SOFTWARE: &str = "OpenSSL SHA-1, software";
pub const SHA1_SOFTWARE: &str = "sha1 0.10, software";

fn peer(name: &str, detects: bool) -> Label {
    Label { name: name.into(), ours: false, detects }
}

fn ours(name: String, mode: Mode) -> Label {
    Label { name, ours: true, detects: mode != Mode::Plain }
}

/// Plain SHA-1 with SHA instructions where there are any: what most ratios are to. It comes first.
pub fn sha1(workload: &Workload) -> Contestant<'_> {
    use sha1::Digest as _;
    one_by_one(peer(SHA1, false), workload, |message| Digest(sha1::Sha1::digest(message).into()))
}

pub fn sha1_software(workload: &Workload) -> Contestant<'_> {
    use sha1_software::Digest as _;
    one_by_one(peer(SHA1_SOFTWARE, false), workload, |message| Digest(sha1_software::Sha1::digest(message).into()))
}

pub fn sha1dc(workload: &Workload) -> Contestant<'_> {
    one_by_one(peer("sha1dc 0.1.5", true), workload, |message| {
        Digest(sha1dc::digest(message).expect("no attack").to_bytes())
    })
}

pub fn sha1dc_software(workload: &Workload) -> Contestant<'_> {
    one_by_one(peer("sha1dc 0.1.5, software", true), workload, |message| {
        let mut hasher = sha1dc::Hasher::builder().internal_scalar_backend().build();
        hasher.update(message);
        Digest(hasher.finalize().expect("no attack").to_bytes())
    })
}

pub fn sha1_checked(workload: &Workload) -> Contestant<'_> {
    one_by_one(peer("sha1-checked 0.10", true), workload, |message| {
        Digest((*sha1_checked::Sha1::try_digest(message).hash()).into())
    })
}

pub fn c_port(workload: &Workload) -> Contestant<'_> {
    one_by_one(peer("sha1collisiondetection 0.3.4", true), workload, |message| {
        let mut hasher = sha1collisiondetection::Sha1CD::default();
        hasher.update(message);
        match hasher.finalize_cd() {
            Ok(digest) => Digest(digest.into()),
            Err(_) => panic!("no attack"),
        }
    })
}

#[cfg(feature = "openssl")]
pub fn openssl(workload: &Workload) -> Contestant<'_> {
    one_by_one(peer(OPENSSL, false), workload, |message| {
        // The older functions: the newer ones look the algorithm up by name each time, which would count against OpenSSL.
        let mut hasher = openssl::sha::Sha1::new();
        hasher.update(message);
        Digest(hasher.finish())
    })
}

#[cfg(feature = "openssl")]
pub fn openssl_sha256(workload: &Workload) -> Contestant<'_> {
    let contestant = one_by_one(peer("OpenSSL SHA-256", false), workload, |message| {
        let mut hasher = openssl::sha::Sha256::new();
        hasher.update(message);
        let [digest @ .., _, _, _, _, _, _, _, _, _, _, _, _] = hasher.finish();
        Digest(digest)
    });
    Contestant { sha1: false, ..contestant }
}

/// OpenSSL's, where it is built in.
pub fn openssl_all(workload: &Workload) -> Vec<Contestant<'_>> {
    #[cfg(feature = "openssl")]
    return vec![openssl(workload), openssl_sha256(workload)];
    #[cfg(not(feature = "openssl"))]
    return {
        workload.bytes();
        Vec::new()
    };
}

pub fn openssl_version() -> Option<&'static str> {
    #[cfg(feature = "openssl")]
    return Some(openssl::version::version());
    #[cfg(not(feature = "openssl"))]
    return None;
}

pub fn ours_name(backend: Backend) -> String {
    backend.name().to_string()
}

/// This project's, one message after the other.
pub fn ours_one_by_one(workload: &Workload, backend: Backend, mode: Mode) -> Contestant<'_> {
    let label = ours(ours_name(backend), mode);
    match mode {
        Mode::Plain => one_by_one(label, workload, move |message| {
            let mut hasher = sha1dc_core::plain::Hasher::on(backend);
            hasher.update(message);
            Digest(hasher.finalize().to_bytes())
        }),
        // What others are timed by.
        _ if backend == Backend::detect() => {
            one_by_one(label, workload, |message| Digest(sha1dc_core::digest(message).expect("no attack").to_bytes()))
        }
        _ => one_by_one(label, workload, move |message| {
            let outcome = sha1dc_core::hash(message, Options { mode, backend, ..Options::default() });
            assert!(!outcome.collision(), "no attack");
            Digest(outcome.digest.to_bytes())
        }),
    }
}

/// This project's, all messages with one call.
pub fn ours_many(workload: &Workload, backend: Backend, mode: Mode) -> Contestant<'_> {
    let options = Options { mode, backend, ..Options::default() };
    let messages: Vec<Message<'_>> = workload.messages.iter().map(|body| Message { head: b"", body }).collect();
    let mut outcomes = vec![Outcome::default(); messages.len()];
    at_once(ours(format!("{} batch", ours_name(backend)), mode), workload, move |out| {
        hash_many(options, &messages, &mut outcomes);
        for (out, outcome) in out.iter_mut().zip(&outcomes) {
            assert!(outcome.collisions.is_empty(), "no attack");
            *out = Digest(outcome.digest.to_bytes());
        }
    })
}

/// OpenSSL as it is on a CPU without SHA instructions.
///
/// It reads what the CPU has once, when it is loaded, so this is another process: this program, started again. It takes
/// its turns like everybody else.
#[derive(Clone)]
pub struct WithoutShaInstructions(Rc<RefCell<Line>>);

struct Line {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// The argument that makes this program such a child.
pub const SERVE: &str = "--serve-openssl";

impl WithoutShaInstructions {
    pub fn start() -> std::io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg(SERVE)
            // Bit 29 of EBX of CPUID leaf 7 is SHA; OpenSSL counts the leaf's words after the colon.
            .env("OPENSSL_ia32cap", ":~0x20000000")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Self(Rc::new(RefCell::new(Line { child, input, output }))))
    }

    /// Hashes one message of `size` bytes, or the messages with git's sizes.
    pub fn contestant(&self, size: Option<usize>) -> Contestant<'_> {
        let runner = Remote { line: self.clone(), what: size.map_or("git".into(), |size| size.to_string()) };
        Contestant { label: peer(OPENSSL_SOFTWARE, false), sha1: true, runner: Box::new(runner) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Remote {
    line: WithoutShaInstructions,
    what: String,
}

impl Remote {
    fn ask(&self, times: u64) -> String {
        let mut line = self.line.0.borrow_mut();
        writeln!(line.input, "{} {times}", self.what).expect("the child process listens");
        let mut answer = String::new();
        line.output.read_line(&mut answer).expect("the child process answers");
        answer.trim().to_string()
    }
}

impl Runner for Remote {
    fn sample(&mut self, times: u64) -> f64 {
        self.ask(times).parse().expect("nanoseconds")
    }

    fn digests(&mut self) -> Vec<Digest> {
        let answer = self.ask(0);
        let byte = |hex: &[u8]| u8::from_str_radix(std::str::from_utf8(hex).expect("hex"), 16).expect("hex");
        let digest = |hex: &[u8]| Digest(std::array::from_fn(|i| byte(&hex[2 * i..2 * i + 2])));
        answer.as_bytes().chunks(40).map(digest).collect()
    }
}

/// The child process: answers lines "WHAT TIMES" with nanoseconds, and "WHAT 0" with digests.
#[cfg(feature = "openssl")]
pub fn serve() {
    let mut workload: Option<(String, Workload)> = None;
    for line in std::io::stdin().lines() {
        let line = line.expect("the parent process speaks UTF-8");
        let (what, times) = line.split_once(' ').expect("two words");
        if workload.as_ref().is_none_or(|(known, _)| known != what) {
            let made = match what {
                "git" => Workload::git_sizes(),
                size => Workload::message(size.parse().expect("a size")),
            };
            workload = Some((what.to_string(), made));
        }
        let mut contestant = openssl(&workload.as_ref().expect("it was made").1);
        match times.parse().expect("a count") {
            0 => {
                let digests = contestant.runner.digests();
                let hex: String =
                    digests.iter().flat_map(|digest| digest.0).map(|byte| format!("{byte:02x}")).collect();
                println!("{hex}");
            }
            times => println!("{}", contestant.runner.sample(times)),
        }
    }
}

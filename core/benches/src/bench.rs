//! `cargo xtask bench`, its Rust half: this project's core and its peers, in one process and one run.
//!
//! The other half is tests/bench/, in Node.

mod measure;
mod peers;
mod report;
mod scale;
mod workload;

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use sha1dc_core::{Backend, Mode};

use measure::{Contestant, Effort, contest};
use report::{Base, Section};
use workload::Workload;

const HELP: &str = "\
Usage: sha1dc-bench [OPTION]...
  --quick         fewer rounds: figures to look at, not to publish
  --only A[,B]    only sections whose names begin with one of these
  --repo PATH     a git repository for native-repo (default: this one)
  --json FILE     write the figures
  --list          print the names of the sections
";

type Run = fn(&Settings) -> Vec<Section>;

const SECTIONS: [(&str, Run); 6] = [
    ("native-message", message),
    ("native-sizes", sizes),
    ("native-batch", batch),
    ("native-repo", repository),
    ("native-worst", worst),
    ("native-scale", |settings| scale::section(settings.quick)),
];

struct Settings {
    quick: bool,
    repo: PathBuf,
}

impl Settings {
    fn effort(&self) -> Effort {
        match self.quick {
            true => Effort { rounds: 7, sample: 1e6 },
            false => Effort { rounds: 31, sample: 4e6 },
        }
    }
}

/// The columns of most tables.
const BASES: &[Base] = &[
    Base { name: peers::SHA1, head: "/sha1" },
    Base { name: peers::OPENSSL, head: "/OpenSSL" },
    Base { name: peers::OPENSSL_SOFTWARE, head: "/OSSL soft" },
];

/// OpenSSL without SHA instructions, on the machines where this can be had.
fn software() -> Option<peers::WithoutShaInstructions> {
    if cfg!(all(feature = "openssl", target_arch = "x86_64")) {
        return peers::WithoutShaInstructions::start().ok();
    }
    None
}

/// Every backend, every peer, one message.
fn message(settings: &Settings) -> Vec<Section> {
    let software = software();
    let section = |size| {
        let workload = Workload::message(size);
        let mut all = vec![peers::sha1(&workload)];
        all.extend(peers::openssl_all(&workload));
        all.extend([peers::sha1dc(&workload), peers::sha1_checked(&workload), peers::c_port(&workload)]);
        all.extend(software.as_ref().map(|openssl| openssl.contestant(Some(size))));
        all.extend([peers::sha1_software(&workload), peers::sha1dc_software(&workload)]);
        for mode in [Mode::Detect, Mode::Plain] {
            all.extend(Backend::available().map(|backend| peers::ours_one_by_one(&workload, backend, mode)));
        }
        Section::of("native-message", &workload, contest(all, settings.effort()), BASES)
    };
    vec![section(1 << 20), section(16 << 10)]
}

/// From nothing to 64 MiB.
fn sizes(settings: &Settings) -> Vec<Section> {
    const SIZES: [usize; 20] = [
        0,
        1,
        32,
        64,
        128,
        256,
        512,
        1 << 10,
        2 << 10,
        4 << 10,
        8 << 10,
        16 << 10,
        32 << 10,
        64 << 10,
        256 << 10,
        1 << 20,
        4 << 20,
        16 << 20,
        32 << 20,
        64 << 20,
    ];
    let section = |size| {
        let workload = Workload::message(size);
        let mut all = vec![peers::sha1(&workload)];
        all.extend(peers::openssl_all(&workload).into_iter().filter(|contestant| contestant.sha1));
        all.extend([peers::sha1dc(&workload), peers::sha1_checked(&workload)]);
        all.extend([Mode::Detect, Mode::Plain].map(|mode| peers::ours_one_by_one(&workload, Backend::detect(), mode)));
        let mut effort = settings.effort();
        effort.sample /= 4.0;
        if size >= 4 << 20 {
            effort.rounds = effort.rounds / 4 + 1;
        }
        Section::of("native-sizes", &workload, contest(all, effort), BASES)
    };
    SIZES.into_iter().filter(|size| !settings.quick || *size <= 16 << 20).map(section).collect()
}

/// Everybody, on many messages.
fn many<'a>(workload: &'a Workload, software: Option<Contestant<'a>>) -> Vec<Contestant<'a>> {
    let mut all = vec![peers::sha1(workload)];
    all.extend(peers::openssl_all(workload));
    all.extend([peers::sha1dc(workload), peers::sha1_checked(workload)]);
    all.extend(software);
    all.push(peers::sha1_software(workload));
    all.push(peers::ours_one_by_one(workload, Backend::detect(), Mode::Detect));
    for mode in [Mode::Detect, Mode::Plain] {
        all.extend(Backend::available().map(|backend| peers::ours_many(workload, backend, mode)));
    }
    all
}

fn batch(settings: &Settings) -> Vec<Section> {
    let software = software();
    let workload = Workload::git_sizes();
    let all = many(&workload, software.as_ref().map(|openssl| openssl.contestant(None)));
    let mut effort = settings.effort();
    effort.rounds = effort.rounds / 2 + 1;
    vec![Section::of("native-batch", &workload, contest(all, effort), BASES)]
}

fn repository(settings: &Settings) -> Vec<Section> {
    let limit = if settings.quick { 4 << 20 } else { 32 << 20 };
    match Workload::repository(&settings.repo, limit) {
        Ok(workload) => {
            let mut effort = settings.effort();
            effort.rounds = effort.rounds / 2 + 1;
            let rows = contest(many(&workload, None), effort);
            vec![Section::of("native-repo", &workload, rows, BASES)]
        }
        Err(error) => {
            eprintln!("native-repo not measured: {error}");
            Vec::new()
        }
    }
}

/// How much slower the worst input is.
fn worst(settings: &Settings) -> Vec<Section> {
    let section = |workload: &Workload| {
        let mut all = vec![peers::sha1(workload), peers::sha1dc(workload), peers::sha1_checked(workload)];
        all.extend(Backend::available().map(|backend| peers::ours_one_by_one(workload, backend, Mode::Detect)));
        let mut effort = settings.effort();
        effort.rounds = effort.rounds / 3 + 1;
        Section::of("native-worst", workload, contest(all, effort), BASES)
    };
    vec![section(&Workload::worst(256 << 10)), section(&Workload::message(256 << 10))]
}

fn main() -> ExitCode {
    let mut settings = Settings { quick: false, repo: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")) };
    let mut only: Vec<String> = Vec::new();
    let mut json_file = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            #[cfg(feature = "openssl")]
            peers::SERVE => {
                peers::serve();
                return ExitCode::SUCCESS;
            }
            "--quick" => settings.quick = true,
            "--list" => {
                SECTIONS.iter().for_each(|(name, _)| println!("{name}"));
                return ExitCode::SUCCESS;
            }
            "--help" | "-h" => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            "--only" | "--repo" | "--json" => match (arg.as_str(), args.next()) {
                ("--only", Some(names)) => only.extend(names.split(',').map(str::to_string)),
                ("--repo", Some(path)) => settings.repo = path.into(),
                (_, Some(file)) => json_file = Some(file),
                (_, None) => return usage(&format!("{arg} wants a value")),
            },
            _ => return usage(&format!("what is {arg}?")),
        }
    }
    if let Some(unknown) = only.iter().find(|only| !SECTIONS.iter().any(|(name, _)| name.starts_with(only.as_str()))) {
        return usage(&format!("no section begins with {unknown}"));
    }

    let openssl = peers::openssl_version().unwrap_or("not built in: its rows are missing");
    println!(
        "Native, one thread, {}; OpenSSL: {openssl}.",
        if cfg!(unix) { "time on the CPU" } else { "time on the clock" }
    );
    println!("Ratios are medians of the rounds' ratios; more is faster. spread: half of the samples lie this close.");
    let mut sections = Vec::new();
    for (name, run) in SECTIONS {
        if only.is_empty() || only.iter().any(|only| name.starts_with(only.as_str())) {
            for section in run(&settings) {
                section.print();
                sections.push(section.json());
            }
        }
    }
    if let Some(file) = json_file {
        let all = json!({
            "program": "native",
            "date": report::today(),
            "quick": settings.quick,
            "machine": report::machine(),
            "sections": sections,
        });
        let text = serde_json::to_string_pretty(&all).expect("it has string keys only") + "\n";
        if let Err(error) = std::fs::write(&file, text) {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn usage(what: &str) -> ExitCode {
    eprint!("{what}\n{HELP}");
    ExitCode::from(2)
}

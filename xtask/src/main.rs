//! `cargo xtask VERB`: everything one does with this repository, on a machine that has Rust, Node and nothing else.
#![forbid(unsafe_code)]

mod audit;
mod bench;
mod build;
mod ctx;
mod fuzz;
mod hash;
mod memory;
mod pack;
mod platform;
mod qemu;
mod setup;
mod soak;
mod stamp;
mod test;
mod unsafety;
mod wasi;

use ctx::{Ctx, Result, Stop, paint};

type Verb = fn(&Ctx, &[String]) -> Result;

const VERBS: [(&str, Verb, &str); 12] = [
    ("hash", hash::verb, "FILE...: the sha1dc command line on files (all its options work; see `hash --help`)"),
    ("test", test::verb, "every check; --list, --only STEP, --skip STEP, --jobs N"),
    ("build", build::verb, "the native module, the wasm modules, the npm package; --target PLATFORM"),
    (
        "pack",
        pack::verb,
        "the npm tarballs, their checksums and bill of materials, into target/npm; --from-scratch: twice, compared",
    ),
    ("bench", bench::verb, "the tables of speed, against other implementations"),
    ("soak", soak::verb, "the long forms of the tests: hours, seeds printed"),
    ("fuzz", fuzz::verb, "[TARGET] [--seconds N] [--keep]: coverage-guided fuzzing (nightly Rust)"),
    ("memory", memory::verb, "[asan|module|valgrind|miri]: memory checkers on the core and on the native module"),
    (
        "qemu",
        qemu::verb,
        "[aarch64|s390x|i686]: the core's tests on emulated machines; --node: the suite in an arm64 Node",
    ),
    ("audit", audit::verb, "licences, sources and known vulnerabilities of all dependencies"),
    ("unsafe", unsafety::verb, "every use of unsafe in what is shipped, with its reason"),
    ("setup", setup::verb, "installs what the others need, ahead of time; --all: every browser and emulator too"),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("help", [].as_slice()),
    };
    if matches!(name, "help" | "--help" | "-h") {
        println!("cargo xtask VERB\n");
        for (name, _, about) in VERBS {
            println!("  {name:<6} {about}");
        }
        println!("\nWhat is missing is installed when it is first needed; what is fresh is not built again.");
        return;
    }
    let ctx = Ctx::new();
    let result = match VERBS.iter().find(|(verb, ..)| *verb == name) {
        Some((_, run, _)) => run(&ctx, rest),
        None => Err(Stop::failed(format!("no verb is called {name}")).hint("cargo xtask help")),
    };
    match result {
        Ok(()) => {}
        Err(Stop::Skipped(reason)) => ctx.say(format!("nothing done: {reason}")),
        Err(stop) => {
            eprintln!("{}", paint("31", &format!("cargo xtask {name}: {stop}")));
            std::process::exit(1);
        }
    }
}

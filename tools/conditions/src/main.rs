//! Makes of `core/src/detect/conditions.rs`, the published conditions, what the
//! filters run:
//!
//! - `core/src/detect/program.rs`, which tests all of them over lanes of blocks;
//! - the lines in `core/src/detect/sieve.rs`, most of them between the rounds
//!   of lanes of messages;
//! - the list in `core/src/detect/picks.rs` of those that a single block is not
//!   tested for.
//!
//! | arguments | what |
//! |---|---|
//! | none | writes all three |
//! | `program`, `sieve`, `picks` | writes one |
//! | `--check` | makes all again and compares them with the files |
//! | `program --seeds FIRST LAST` | how good other seeds are |
//! | `sieve NS...` | what the sieve would be if a candidate cost so many ns |
//!
//! Tests of the core prove that the program states for each vector what the
//! conditions state, and that the sieve states nothing else, so a mistake here
//! cannot become a wrong verdict.

mod catalogue;
mod classes;
// Only these two files and not the crate, which cannot be compiled without
// the file that is made here.
#[allow(dead_code, unreachable_pub)]
#[path = "../../../core/src/detect/conditions.rs"]
mod conditions;
mod costs;
mod emit;
mod picks;
mod program;
mod random;
mod search;
mod sieve;
mod state;
#[cfg(test)]
mod tests;
#[allow(dead_code, unreachable_pub)]
#[path = "../../../core/src/detect/vectors.rs"]
mod vectors;

use std::path::Path;
use std::process::ExitCode;

use catalogue::Catalogue;
use costs::Costs;
use emit::Cut;
use program::Plan;
use random::Random;

/// The core's folder of what is made here.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../core/src/detect");

/// The best of the seeds 0 to 17; most come within 2 % of it.
const SEED: u64 = 1;
const MOVES: u32 = 2_000_000;
/// Orders of the vectors that are looked at.
const ORDERS: u32 = 2_000;

/// Both kinds of instruction sets count the same. A search for one kind alone
/// comes to 306 or to 500 operations before conjunctions are shared, this one
/// to about 317 and 508: neither loses much.
const COSTS: Costs = Costs { three: 1, two: 1 };

/// With the 9 transpositions before it, one step for each of the 40 gaps that
/// 8 blocks have.
const PIECES: usize = 31;

/// The place of a vector's result. The conditions tie together bits 29 and 4
/// of many words, and 6 and 1 for the vectors with b = 2.
fn place(vector: usize) -> i32 {
    if vectors::PARAMETERS[vector].2 == 2 { 6 } else { 29 }
}

fn make(seed: u64) -> Cut {
    let classes = (0..vectors::COUNT).flat_map(|vector| {
        let classes = classes::classes(&conditions::CONDITIONS, vector);
        classes.into_iter().map(move |class| (vector, place(vector), class))
    });
    let catalogue = Catalogue::new(&classes.collect::<Vec<_>>());
    let mut random = Random::new(seed);
    let (solution, _) = search::search(&catalogue, COSTS, MOVES, &mut random);
    let plan = Plan::new(&catalogue, &solution, COSTS);
    Cut::best(&plan, PIECES, COSTS, ORDERS, &mut random)
}

fn summary(cut: &Cut) -> String {
    format!(
        "{} operations with three-input logic, {} without; {} values kept in {} places",
        cut.cost(Costs { three: 1, two: 0 }),
        cut.cost(Costs { three: 0, two: 1 }),
        cut.kept,
        cut.places
    )
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("conditions: {message}");
            ExitCode::FAILURE
        }
    }
}

/// What is made.
#[derive(Clone, Copy)]
enum Output {
    Program,
    Sieve,
    Picks,
}

impl Output {
    const ALL: [Self; 3] = [Self::Program, Self::Sieve, Self::Picks];

    fn name(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Sieve => "sieve",
            Self::Picks => "picks",
        }
    }

    /// The file with what is made in its place, and what to say of it.
    fn make(self, file: &str) -> Result<(String, String), String> {
        match self {
            Self::Program => {
                let cut = make(SEED);
                Ok((cut.text(), summary(&cut)))
            }
            Self::Sieve => {
                let lines = sieve::Lines::new();
                let sieve = sieve::Sieve::best(&lines, sieve::CANDIDATE);
                Ok((replaced(file, "\nsieve! {\n", "\n}\n", &sieve.text())?, sieve.summary()))
            }
            Self::Picks => {
                let picks = picks::Picks::best();
                Ok((replaced(file, "\nconst RARE: ", ";\n", &picks.text())?, picks.summary()))
            }
        }
    }

    /// Writes the file, or compares it.
    fn run(self, check: bool) -> Result<(), String> {
        let name = self.name();
        let path = Path::new(FOLDER).join(name).with_extension("rs");
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        let old = std::fs::read_to_string(&path).map_err(failed)?;
        let (new, summary) = self.make(&old)?;
        if !check {
            std::fs::write(&path, new).map_err(failed)?;
        } else if old != new {
            return Err(format!("{name}.rs is not what `cargo run --release -p conditions {name}` makes"));
        }
        println!("{name}: {summary}");
        Ok(())
    }
}

/// The file with other text from after `begin` to before the next `end`.
fn replaced(file: &str, begin: &str, end: &str, text: &str) -> Result<String, String> {
    let missing = || format!("no {:?} in the file", begin.trim());
    let start = file.find(begin).ok_or_else(missing)? + begin.len();
    let length = file[start..].find(end).ok_or_else(missing)?;
    Ok([&file[..start], text, &file[start + length..]].concat())
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
    match arguments {
        [] => Output::ALL.into_iter().try_for_each(|output| output.run(false)),
        ["--check"] => Output::ALL.into_iter().try_for_each(|output| output.run(true)),
        ["program", "--seeds", first, last] => {
            for seed in number(first)?..=number(last)? {
                let cut = make(seed.into());
                println!("{seed}: cost {}, {}", cut.cost(COSTS), summary(&cut));
            }
            Ok(())
        }
        ["sieve", prices @ ..] if !prices.is_empty() => {
            let lines = sieve::Lines::new();
            for price in prices {
                println!("{price} ns: {}", sieve::Sieve::best(&lines, number(price)?.into()).summary());
            }
            Ok(())
        }
        [one] if Output::ALL.iter().any(|output| output.name() == *one) => {
            Output::ALL.into_iter().filter(|output| output.name() == *one).try_for_each(|output| output.run(false))
        }
        _ => Err("arguments: see the head of tools/conditions/src/main.rs".into()),
    }
}

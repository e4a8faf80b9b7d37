//! Makes `core/src/detect/program.rs`, the program that tests the unavoidable
//! bit conditions over lanes, of `core/src/detect/conditions.rs`, the
//! published conditions.
//!
//! | arguments | what |
//! |---|---|
//! | none | writes the program |
//! | `--check` | makes it again and compares it with the file |
//! | `--seeds FIRST LAST` | how good other seeds are |
//!
//! A test of the core proves that the program states for each vector what the
//! conditions state, so a mistake here cannot become a wrong verdict.

mod catalogue;
mod classes;
// Only these two files and not the crate, which cannot be compiled without
// the file that is made here.
#[allow(dead_code, unreachable_pub)]
#[path = "../../../core/src/detect/conditions.rs"]
mod conditions;
mod costs;
mod emit;
mod program;
mod random;
mod search;
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

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../core/src/detect/program.rs");

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

fn run(arguments: &[&str]) -> Result<(), String> {
    let file = Path::new(FILE);
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    match arguments {
        [] => {
            let cut = make(SEED);
            std::fs::write(file, cut.text()).map_err(failed)?;
            println!("{}", summary(&cut));
        }
        ["--check"] => {
            let cut = make(SEED);
            if std::fs::read_to_string(file).map_err(failed)? != cut.text() {
                return Err("core/src/detect/program.rs is not what `cargo run --release -p conditions` makes".into());
            }
            println!("{}", summary(&cut));
        }
        ["--seeds", first, last] => {
            let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
            for seed in number(first)?..=number(last)? {
                let cut = make(seed);
                println!("{seed}: cost {}, {}", cut.cost(COSTS), summary(&cut));
            }
        }
        _ => return Err("arguments: none, or --check, or --seeds FIRST LAST".into()),
    }
    Ok(())
}

//! `cargo xtask test`: every check, side by side where they do not wait for each other, and one summary.

mod report;
mod steps;

pub use steps::APART;

use crate::ctx::{Context, Ctx, Result, Stop, in_ci, paint};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// One check. It runs when the steps that it `needs` have passed.
pub struct Step {
    pub name: String,
    /// What it proves, for `--list`.
    pub about: String,
    pub needs: Vec<&'static str>,
    pub run: Box<dyn Fn(&Ctx) -> Result + Send + Sync>,
}

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Finished {
    name: String,
    outcome: Outcome,
    took: Duration,
    /// What its programs said of themselves, e.g. "212 tests".
    detail: String,
    log: PathBuf,
}

const USAGE: &str = "\
cargo xtask test [--list] [--only STEP[,STEP...]] [--skip STEP[,STEP...]] [--jobs N]

  --list   print the steps and run nothing
  --only   run these steps and what they need; a name may end with * (example-*)
  --skip   run all but these
  --jobs   how many steps run side by side (default: 2)

Each step's output goes to target/xtask/log/STEP.log and is shown when the step fails. Where CI is set, a step that cannot
run because something could not be installed fails; elsewhere it is skipped, with the reason.";

/// `cargo xtask test`
pub fn verb(ctx: &Ctx, args: &[String]) -> Result {
    let mut only = Vec::new();
    let mut skip = Vec::new();
    let mut jobs = 2;
    let all = steps::all(ctx)?;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| Stop::failed(format!("{arg} needs a value")).hint(USAGE));
        match arg.as_str() {
            "--list" => {
                for step in &all {
                    println!("{:<24} {}", step.name, step.about);
                }
                return Ok(());
            }
            "--only" => only.extend(names(&all, &value()?)?),
            "--skip" => skip.extend(names(&all, &value()?)?),
            "--jobs" => jobs = value()?.parse::<usize>().context("--jobs")?.max(1),
            "--help" => {
                println!("{USAGE}");
                return Ok(());
            }
            _ => return Err(Stop::failed(format!("unknown option {arg}")).hint(USAGE)),
        }
    }
    let chosen = choose(all, &only, &skip);
    let logs = ctx.target().join("xtask/log");
    std::fs::create_dir_all(&logs).context(logs.display())?;
    let start = Instant::now();
    let finished = run_all(ctx, chosen, jobs, &logs);
    if !summary(&finished, start.elapsed()) {
        std::process::exit(1);
    }
    Ok(())
}

/// The names that a comma-separated list with wildcards stands for.
fn names(all: &[Step], list: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for pattern in list.split(',').filter(|pattern| !pattern.is_empty()) {
        let matching = all.iter().map(|step| &step.name).filter(|name| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => *name == pattern,
        });
        let before = found.len();
        found.extend(matching.cloned());
        if found.len() == before {
            return Err(Stop::failed(format!("no step is called {pattern}")).hint("cargo xtask test --list"));
        }
    }
    Ok(found)
}

/// Those in `only` (all, if it is empty) with what they need, less those in `skip`.
fn choose(all: Vec<Step>, only: &[String], skip: &[String]) -> Vec<Step> {
    let mut wanted: Vec<String> = match only {
        [] => all.iter().map(|step| step.name.clone()).collect(),
        _ => only.to_vec(),
    };
    let mut at = 0;
    while at < wanted.len() {
        let needs = all.iter().find(|step| step.name == wanted[at]).map(|step| step.needs.clone()).unwrap_or_default();
        for need in needs {
            if !wanted.iter().any(|name| name == need) {
                wanted.push(need.to_string());
            }
        }
        at += 1;
    }
    all.into_iter().filter(|step| wanted.contains(&step.name) && !skip.contains(&step.name)).collect()
}

struct State {
    waiting: Vec<Step>,
    running: usize,
    /// By name, whether it passed.
    done: BTreeMap<String, bool>,
    finished: Vec<Finished>,
}

fn run_all(ctx: &Ctx, steps: Vec<Step>, jobs: usize, logs: &std::path::Path) -> Vec<Finished> {
    let names: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    let state = Mutex::new(State { waiting: steps, running: 0, done: BTreeMap::new(), finished: Vec::new() });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(next) = next_step(&state, &changed, &names) {
                    let finished = match next {
                        Next::Run(step) => {
                            eprintln!("{} {}", paint("2", "start"), step.name);
                            run_one(ctx, &step, logs)
                        }
                        Next::Stuck(step, need) => Finished {
                            name: step.name,
                            outcome: Outcome::Skipped(format!("it needs {need}, which did not pass")),
                            took: Duration::ZERO,
                            detail: String::new(),
                            log: PathBuf::new(),
                        },
                    };
                    show(&finished);
                    let mut state = state.lock().expect("no step panics while it holds the lock");
                    state.running -= 1;
                    state.done.insert(finished.name.clone(), matches!(finished.outcome, Outcome::Passed));
                    state.finished.push(finished);
                    changed.notify_all();
                }
            });
        }
    });
    let mut finished = state.into_inner().expect("all workers have ended").finished;
    finished.sort_by_key(|f| names.iter().position(|name| *name == f.name));
    finished
}

enum Next {
    Run(Step),
    /// With the need that did not pass.
    Stuck(Step, &'static str),
}

/// Waits for a step that can start, in the order of the list. None when all have started.
fn next_step(state: &Mutex<State>, changed: &Condvar, chosen: &[String]) -> Option<Next> {
    let mut state = state.lock().expect("no step panics while it holds the lock");
    while !state.waiting.is_empty() {
        for at in 0..state.waiting.len() {
            let next = match readiness(&state.waiting[at], &state.done, chosen) {
                Readiness::Waits => continue,
                Readiness::Ready => Next::Run(state.waiting.remove(at)),
                Readiness::Stuck(need) => Next::Stuck(state.waiting.remove(at), need),
            };
            state.running += 1;
            return Some(next);
        }
        assert!(state.running > 0, "the steps wait for each other");
        state = changed.wait(state).expect("no step panics while it holds the lock");
    }
    None
}

enum Readiness {
    Ready,
    Waits,
    Stuck(&'static str),
}

fn readiness(step: &Step, done: &BTreeMap<String, bool>, chosen: &[String]) -> Readiness {
    let mut readiness = Readiness::Ready;
    for &need in &step.needs {
        match done.get(need) {
            Some(true) => {}
            Some(false) => return Readiness::Stuck(need),
            None if chosen.iter().any(|name| name == need) => readiness = Readiness::Waits,
            // Left out by --skip: whoever says so vouches for it.
            None => {}
        }
    }
    readiness
}

fn run_one(ctx: &Ctx, step: &Step, logs: &std::path::Path) -> Finished {
    let start = Instant::now();
    let log = logs.join(format!("{}.log", step.name));
    let result = File::options().create(true).write(true).truncate(true).open(&log).context(log.display());
    let result = result.and_then(|file| (step.run)(&ctx.logging_to(file)));
    let outcome = match result {
        Ok(()) => Outcome::Passed,
        Err(Stop::Skipped(reason)) => Outcome::Skipped(reason),
        Err(Stop::Missing { what, .. }) if !in_ci() => Outcome::Skipped(what),
        Err(other) => Outcome::Failed(other.to_string()),
    };
    let detail = report::counts(&std::fs::read_to_string(&log).unwrap_or_default());
    Finished { name: step.name.clone(), outcome, took: start.elapsed(), detail, log }
}

fn show(finished: &Finished) {
    let seconds = format!("{:.1} s", finished.took.as_secs_f64());
    let detail = if finished.detail.is_empty() { String::new() } else { format!(", {}", finished.detail) };
    match &finished.outcome {
        Outcome::Passed => eprintln!("{} {} ({seconds}{detail})", paint("32", "pass "), finished.name),
        Outcome::Skipped(reason) => eprintln!("{} {}: {reason}", paint("33", "skip "), finished.name),
        Outcome::Failed(what) => {
            // Whole, as far as a person or a CI's page can take it; the file has the rest, while the machine lasts.
            let log = std::fs::read_to_string(&finished.log).unwrap_or_default();
            eprintln!("{} {} ({seconds}{detail})", paint("31", "FAIL "), finished.name);
            eprintln!("----- {} -----", finished.log.display());
            eprintln!("{}", report::tail(&log, 300));
            // Last, for of a long log it is the end that is kept.
            for name in report::failures(&log) {
                eprintln!("----- failed: {name}");
            }
            eprintln!("----- {what}");
        }
    }
}

/// Prints it, the closing line last. Gives whether all is well.
fn summary(finished: &[Finished], took: Duration) -> bool {
    let mut counts = [0; 3];
    println!();
    for step in finished {
        let (index, word) = match &step.outcome {
            Outcome::Passed => (0, "pass".to_string()),
            Outcome::Failed(what) => (1, format!("FAIL: {}", what.lines().next().unwrap_or_default())),
            Outcome::Skipped(reason) => (2, format!("skip: {}", reason.lines().next().unwrap_or_default())),
        };
        counts[index] += 1;
        let detail = if step.detail.is_empty() { String::new() } else { format!(" ({})", step.detail) };
        println!("{:<24} {:>7.1} s  {word}{detail}", step.name, step.took.as_secs_f64());
    }
    println!("{:<24} {:>7.1} s", "in all", took.as_secs_f64());
    println!();
    for step in finished.iter().filter(|step| matches!(step.outcome, Outcome::Failed(_))) {
        let log = std::fs::read_to_string(&step.log).unwrap_or_default();
        for name in report::failures(&log) {
            println!("failed in {}: {name}", step.name);
        }
    }
    let [passed, failed, skipped] = counts;
    if failed > 0 {
        println!("What failed stands in target/xtask/log/STEP.log; once more: cargo xtask test --only STEP\n");
    }
    let skips = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
    println!("{passed} passed, {failed} failed{skips}");
    failed == 0 && passed > 0
}

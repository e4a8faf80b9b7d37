//! A long comparison with the references: masks, recompressions, digests and
//! verdicts of every backend on random and crafted blocks.
//!
//! ```text
//! cargo run --release -p sha1dc-core --example soak -- [--blocks N] [--seed N] [--backend NAME] [--threads N]
//! cargo run --release -p sha1dc-core --example soak -- --slow
//! ```
//!
//! The first form compares 10^9 blocks, or N, on each backend. Work comes in
//! rounds of 4096 blocks; a difference names its round, and `--seed S --round
//! R` repeats that one. The second form measures how much slower the worst
//! input is than ordinary input.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sha1dc_core::{Backend, Message, Mode, Options, Outcome, Sha1, hash_many, internals};
use sha1dc_test_common::conditions;
use sha1dc_test_common::gf2::System;
use sha1dc_test_common::reference::{self, Chain, Flags};
use sha1dc_test_common::rng::{Rng, fresh_seed, parse};

/// Blocks of a round.
const ROUND: usize = 4096;

fn main() -> ExitCode {
    match Settings::from_arguments() {
        Ok(settings) if settings.slow => slow_down(&settings),
        Ok(settings) => soak(&settings),
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::from(2)
        }
    }
}

struct Settings {
    blocks: u64,
    seed: u64,
    round: Option<u64>,
    backends: Vec<Backend>,
    threads: usize,
    slow: bool,
}

impl Settings {
    fn from_arguments() -> Result<Self, String> {
        let mut settings = Self {
            blocks: 1_000_000_000,
            seed: fresh_seed(),
            round: None,
            backends: Backend::available().collect(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            slow: false,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            if name == "--slow" {
                settings.slow = true;
                continue;
            }
            let value = arguments.next().ok_or(format!("{name} needs a value, or is unknown"))?;
            let number = || parse(&value).ok_or(format!("{name}: {value} is no number"));
            match name.as_str() {
                "--blocks" => settings.blocks = number()?,
                "--seed" => settings.seed = number()?,
                "--round" => settings.round = Some(number()?),
                "--threads" => settings.threads = number()?.max(1) as usize,
                "--backend" => {
                    let backend = Backend::by_name(&value).ok_or(format!("this machine has no backend {value}"))?;
                    settings.backends = vec![backend];
                }
                _ => return Err(format!("unknown option {name}")),
            }
        }
        Ok(settings)
    }
}

/// What the workers have done together.
#[derive(Default)]
struct Done {
    rounds: AtomicU64,
    blocks: AtomicU64,
    /// Blocks that some vector's conditions let pass.
    passing: AtomicU64,
    recompressions: AtomicU64,
    failed: AtomicBool,
}

fn soak(settings: &Settings) -> ExitCode {
    let names: Vec<&str> = settings.backends.iter().map(|backend| backend.name()).collect();
    let rounds = settings.blocks.div_ceil(ROUND as u64);
    let (first, end) = settings.round.map_or((0, rounds), |round| (round, round + 1));
    println!("seed {:#x}, {} blocks each on {}", settings.seed, (end - first) * ROUND as u64, names.join(", "));
    let systems = Systems::new();
    let (done, start) = (Done::default(), Instant::now());
    done.rounds.store(first, Ordering::Relaxed);
    let said = Mutex::new(start);
    let work = || {
        loop {
            let round = done.rounds.fetch_add(1, Ordering::Relaxed);
            if round >= end || done.failed.load(Ordering::Relaxed) {
                return;
            }
            if let Err(difference) = compare(settings, &systems, round, &done) {
                done.failed.store(true, Ordering::Relaxed);
                eprintln!("{difference}\nto repeat it: --seed {:#x} --round {round}", settings.seed);
                return;
            }
            let mut said = said.lock().expect("nobody panics with it");
            if said.elapsed() > Duration::from_secs(30) {
                *said = Instant::now();
                let blocks = done.blocks.load(Ordering::Relaxed);
                println!("{blocks} blocks, {:.0} s", start.elapsed().as_secs_f64());
            }
        }
    };
    std::thread::scope(|scope| {
        // This thread is one of them: WebAssembly has no other.
        for _ in 1..settings.threads {
            scope.spawn(work);
        }
        work();
    });
    if done.failed.load(Ordering::Relaxed) {
        return ExitCode::FAILURE;
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "{} blocks, {} of them past the filter, {} recompressions: all equal to the references on {} in {:.0} s",
        count(&done.blocks),
        count(&done.passing),
        count(&done.recompressions),
        names.join(", "),
        start.elapsed().as_secs_f64(),
    );
    ExitCode::SUCCESS
}

/// The equations that blocks are solved for.
struct Systems {
    of_vector: Vec<System>,
    most: System,
}

impl Systems {
    fn new() -> Self {
        Self { of_vector: (0..32).map(conditions::system).collect(), most: conditions::most_at_once().1.clone() }
    }

    /// The blocks of a round.
    fn blocks(&self, rng: &mut Rng) -> Vec<[u8; 64]> {
        // Three rounds of four are random but for their first blocks: there
        // the vectors come as often as they do in life.
        let random = !rng.one_in(4);
        let (flips, share) = (rng.below(3), 1 + rng.below(8));
        (0..ROUND)
            .map(|i| {
                if random && i > 64 || !rng.one_in(share) {
                    return rng.block();
                }
                let system = if rng.one_in(8) { &self.most } else { rng.choose(&self.of_vector) };
                let mut block = system.solution(rng);
                for _ in 0..flips {
                    let bit = rng.below(512);
                    block[bit / 8] ^= 1 << (bit % 8);
                }
                block
            })
            .collect()
    }
}

/// One round on every backend.
fn compare(settings: &Settings, systems: &Systems, round: u64, done: &Done) -> Result<(), String> {
    let mut rng = Rng::new(settings.seed ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let blocks = systems.blocks(&mut rng);
    let masks: Vec<u32> = blocks.iter().map(|block| reference::mask_of_c_port(&reference::expand(block))).collect();

    // The references' recompressions, on a chain from the initial value.
    let mut chain = Chain::at(reference::INITIAL, Flags::default());
    let mut expected = Vec::new();
    for (i, (block, mask)) in blocks.iter().zip(&masks).enumerate() {
        for d in (0..32).filter(|d| mask >> d & 1 == 1) {
            let (before, after) = reference::recompress(&chain.value(), block, d);
            expected.push((i, d, before, after));
        }
        if chain.block(block).is_some() {
            return Err(format!("block {i} is an attack: keep it! {block:02x?}"));
        }
    }
    let message = blocks.as_flattened();
    let digest = reference::plain(message);
    let cut = rng.below(message.len());
    let parts: Vec<Message<'_>> =
        message.chunks(64 * (1 + rng.below(60)) + rng.below(64)).map(|body| Message { head: b"", body }).collect();
    let parts_expected: Vec<[u8; 20]> = parts.iter().map(|part| reference::plain(part.body)).collect();

    for backend in &settings.backends {
        let name = backend.name();
        // One scan for both: its masks are what it recompresses.
        let mut h = reference::INITIAL;
        let mut seen = Vec::with_capacity(expected.len());
        let mut got = vec![0; blocks.len()];
        internals::recompressions(*backend, &mut h, &blocks, &mut |i, d, before, after| {
            got[i] |= 1 << d;
            seen.push((i, d, before, after));
        });
        if let Some(i) = (0..ROUND).find(|i| got[*i] != masks[*i]) {
            return Err(format!("{name}: mask {:#010x} for {:#010x} of {:02x?}", got[i], masks[i], blocks[i]));
        }
        seen.sort_unstable();
        if seen != expected {
            let first = seen.iter().zip(&expected).find(|(seen, expected)| seen != expected);
            return Err(format!("{name}: {} recompressions for {}: {first:?}", seen.len(), expected.len()));
        }
        if h != chain.value() {
            return Err(format!("{name}: chaining value {h:08x?} for {:08x?}", chain.value()));
        }

        let options = Options { mode: Mode::Mitigate, backend: *backend, ..Options::default() };
        let mut hasher = Sha1::new(options);
        hasher.update(&message[..cut]);
        hasher.update(&message[cut..]);
        let outcome = hasher.finish();
        if outcome.digest != digest || outcome.safe_digest != digest || outcome.collision() {
            return Err(format!("{name}: {outcome:?} for {digest:02x?}, cut at {cut}"));
        }
        let mut out = vec![Outcome::default(); parts.len()];
        hash_many(options, &parts, &mut out);
        for (i, (out, expected)) in out.iter().zip(&parts_expected).enumerate() {
            if out.digest != *expected || out.safe_digest != *expected || out.collision() {
                return Err(format!("{name}: part {i} of {}: {out:?} for {expected:02x?}", parts.len()));
            }
        }
    }
    done.blocks.fetch_add(ROUND as u64, Ordering::Relaxed);
    done.passing.fetch_add(masks.iter().filter(|mask| **mask != 0).count() as u64, Ordering::Relaxed);
    done.recompressions.fetch_add(expected.len() as u64, Ordering::Relaxed);
    Ok(())
}

/// How much longer than ordinary input the worst input takes.
fn slow_down(settings: &Settings) -> ExitCode {
    let mut rng = Rng::new(settings.seed);
    let systems = Systems::new();
    let len = 1 << 18;
    let repeat =
        |system: &System, rng: &mut Rng| -> Vec<u8> { (0..len / 64).flat_map(|_| system.solution(rng)).collect() };
    let ordinary = rng.bytes(len);
    let mut inputs = vec![("zeros", vec![0; len]), ("ones", vec![0xff; len])];
    inputs.push(("one vector", repeat(&systems.of_vector[4], &mut rng)));
    inputs.push(("12 vectors", repeat(&systems.most, &mut rng)));
    let one_block = systems.most.solution(&mut rng).repeat(len / 64);
    inputs.push(("12, repeated", one_block));
    println!("| code | ordinary, MB/s |{}", inputs.iter().map(|(name, _)| format!(" {name} |")).collect::<String>());
    println!("|---|---:|{}", "---:|".repeat(inputs.len()));
    let row = |name: &str, hash: &dyn Fn(&[u8])| {
        let ordinary = best(hash, &ordinary);
        print!("| {name} | {:.0} |", len as f64 / ordinary.as_secs_f64() / 1e6);
        for (_, input) in &inputs {
            print!(" {:.2}x |", best(hash, input).as_secs_f64() / ordinary.as_secs_f64());
        }
        println!();
    };
    for backend in &settings.backends {
        row(backend.name(), &|data| {
            let mut hasher = Sha1::new(Options { backend: *backend, ..Options::default() });
            hasher.update(data);
            std::hint::black_box(hasher.finish());
        });
    }
    row("the C reference, in Rust", &|data| {
        std::hint::black_box(reference::c_port(data, Flags::default(), true));
    });
    row("sha1-checked", &|data| {
        std::hint::black_box(reference::checked(data, Flags::default(), true));
    });
    ExitCode::SUCCESS
}

/// The shortest of some runs, in time of this thread's own: others on the
/// machine would else be counted, to the long runs only.
fn best(hash: &dyn Fn(&[u8]), data: &[u8]) -> Duration {
    let run = || {
        let start = thread_time();
        hash(data);
        thread_time() - start
    };
    (0..20).map(|_| run()).min().expect("some runs")
}

#[cfg(unix)]
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes one `timespec`.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

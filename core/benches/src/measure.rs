//! Measuring by turns.
//!
//! A machine's speed drifts: its clock, its neighbours. So no contestant runs alone. In each round everyone gives one
//! sample, and a ratio is taken between two samples of the same round; what is told is the median over the rounds.

use std::hint::black_box;
use std::time::Duration;

use crate::workload::{Digest, Workload};

/// The time that this thread has had on a CPU, where the system tells: what others do on the machine costs nothing then.
#[cfg(unix)]
pub fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of this function's.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "every Unix has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
pub fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Somebody who hashes the messages of one workload.
pub trait Runner {
    /// Hashes all messages `times` times; gives the nanoseconds that this took.
    fn sample(&mut self, times: u64) -> f64;

    /// The digests that it finds, for checking.
    fn digests(&mut self) -> Vec<Digest>;
}

/// What is told of a contestant.
#[derive(Clone)]
pub struct Label {
    pub name: String,
    /// Whether it is this project's.
    pub ours: bool,
    /// Whether it detects collision attacks.
    pub detects: bool,
}

pub struct Contestant<'a> {
    pub label: Label,
    /// Of SHA-1, so that its digests can be checked against the others'.
    pub sha1: bool,
    pub runner: Box<dyn Runner + 'a>,
}

/// Hashes one message after the other with a function.
struct OneByOne<'a, F> {
    workload: &'a Workload,
    hash: F,
}

impl<F: FnMut(&[u8]) -> D, D: Into<Digest>> Runner for OneByOne<'_, F> {
    fn sample(&mut self, times: u64) -> f64 {
        let start = now();
        for _ in 0..times {
            for message in &self.workload.messages {
                black_box((self.hash)(black_box(message)));
            }
        }
        (now() - start).as_nanos() as f64
    }

    fn digests(&mut self) -> Vec<Digest> {
        self.workload.messages.iter().map(|message| (self.hash)(message).into()).collect()
    }
}

/// Hashes all messages with one call.
struct AtOnce<F> {
    hash: F,
    out: Vec<Digest>,
}

impl<F: FnMut(&mut [Digest])> Runner for AtOnce<F> {
    fn sample(&mut self, times: u64) -> f64 {
        let start = now();
        for _ in 0..times {
            (self.hash)(black_box(&mut self.out));
        }
        (now() - start).as_nanos() as f64
    }

    fn digests(&mut self) -> Vec<Digest> {
        (self.hash)(&mut self.out);
        self.out.clone()
    }
}

pub fn one_by_one<'a, D: Into<Digest> + 'a>(
    label: Label,
    workload: &'a Workload,
    hash: impl FnMut(&[u8]) -> D + 'a,
) -> Contestant<'a> {
    Contestant { label, sha1: true, runner: Box::new(OneByOne { workload, hash }) }
}

pub fn at_once<'a>(label: Label, workload: &'a Workload, hash: impl FnMut(&mut [Digest]) + 'a) -> Contestant<'a> {
    let out = vec![Digest::default(); workload.messages.len()];
    Contestant { label, sha1: true, runner: Box::new(AtOnce { hash, out }) }
}

/// One contestant's samples, in nanoseconds for the whole workload; sample i is of round i.
pub struct Row {
    pub label: Label,
    pub samples: Vec<f64>,
}

impl Row {
    pub fn median(&self) -> f64 {
        quantile(&self.samples, 0.5)
    }

    pub fn best(&self) -> f64 {
        quantile(&self.samples, 0.0)
    }

    /// Half of the samples lie within this fraction of the median, on the side where they lie further away.
    pub fn spread(&self) -> f64 {
        let median = self.median();
        let (low, high) = (quantile(&self.samples, 0.25), quantile(&self.samples, 0.75));
        (high - median).max(median - low) / median
    }

    /// How many times as fast as `base` this is: the median over the rounds.
    pub fn ratio(&self, base: &Row) -> f64 {
        let ratios: Vec<f64> = self.samples.iter().zip(&base.samples).map(|(own, base)| base / own).collect();
        quantile(&ratios, 0.5)
    }
}

fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// Nanoseconds of one sample; a long workload takes what it takes.
    pub sample: f64,
}

/// Checks everybody's digests against the first SHA-1's, then lets them run by turns.
pub fn contest(contestants: Vec<Contestant<'_>>, effort: Effort) -> Vec<Row> {
    let mut contestants = contestants;
    let mut expected: Option<Vec<Digest>> = None;
    for contestant in contestants.iter_mut().filter(|contestant| contestant.sha1) {
        let digests = contestant.runner.digests();
        match &expected {
            None => expected = Some(digests),
            Some(expected) => assert!(*expected == digests, "{} finds other digests", contestant.label.name),
        }
    }

    // As many times as fill a sample, found by growing: the first call of anything is not typical.
    let times: Vec<u64> = contestants
        .iter_mut()
        .map(|contestant| {
            let mut times = 1;
            loop {
                let took = contestant.runner.sample(times);
                if took >= effort.sample / 4.0 {
                    break ((times as f64 * effort.sample / took).round() as u64).max(1);
                }
                times *= 4;
            }
        })
        .collect();

    let mut rows: Vec<Row> =
        contestants.iter().map(|contestant| Row { label: contestant.label.clone(), samples: Vec::new() }).collect();
    let count = contestants.len();
    for round in 0..effort.rounds {
        // Another one begins each time: nobody always runs behind the same neighbour.
        for i in (0..count).map(|i| (i + round * 7) % count) {
            let took = contestants[i].runner.sample(times[i]);
            rows[i].samples.push(took / times[i] as f64);
        }
    }
    rows
}

//! Long messages: the time of a byte and the memory, from 16 KiB to 4 GiB.

use std::hint::black_box;

use sha1dc_core::Hasher;

use crate::measure::{Label, Row, now};
use crate::report::Section;
use crate::workload::{Workload, in_words};

/// The same bytes are fed again and again, so that the message needs no memory and no disk.
const PIECE: usize = 16 << 10;

pub fn section(quick: bool) -> Vec<Section> {
    let workload = Workload::message(PIECE);
    let piece = &workload.messages[0];
    let sizes: &[u64] = match quick {
        true => &[16 << 10, 1 << 20, 64 << 20],
        false => &[16 << 10, 1 << 20, 64 << 20, 1 << 30, 4 << 30],
    };
    let run = |size: u64| {
        let start = now();
        let mut hasher = Hasher::new();
        for _ in 0..size / PIECE as u64 {
            hasher.update(black_box(piece));
        }
        black_box(hasher.finalize()).expect("no attack");
        (now() - start).as_nanos() as f64
    };
    run(1 << 20);
    let before = peak_memory();
    let mut rows = Vec::new();
    for &size in sizes {
        let rounds = ((1u64 << 28) / size).clamp(1, 31);
        let label = Label {
            name: format!("{} fed in pieces of {}", in_words(size as usize), in_words(PIECE)),
            ours: true,
            detects: true,
        };
        // Per GiB, so that the rows compare.
        let samples = (0..rounds).map(|_| run(size) * (1u64 << 30) as f64 / size as f64).collect();
        rows.push(Row { label, samples });
    }
    let grown = match (before, peak_memory()) {
        (Some(before), Some(after)) => format!("; peak memory grew by {} KiB", after - before),
        _ => String::new(),
    };
    let title = format!("long messages, time for 1 GiB{grown}");
    vec![Section { name: "native-scale", title, messages: 1, bytes: 1 << 30, rows, bases: &[] }]
}

/// The process's peak memory in KiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

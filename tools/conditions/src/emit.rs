//! Orders the operations, cuts them into pieces and writes them as text.

use std::fmt::Write;

use crate::costs::Costs;
use crate::program::{Line, Operation, Plan, Value};
use crate::random::Random;

/// The operations, cut.
pub(crate) struct Cut {
    pub(crate) lines: Vec<Line>,
    /// For each line its piece, and the slot in memory if it is kept.
    pieces: Vec<usize>,
    slots: Vec<Option<usize>>,
    /// How many slots.
    pub(crate) places: usize,
    /// How many values are kept.
    pub(crate) kept: usize,
}

impl Cut {
    /// Cuts into `count` pieces of about equal cost.
    fn new(lines: Vec<Line>, count: usize, costs: Costs) -> Self {
        // The end of a vector is a shift and two operations that the program does not show.
        let cost = |line: &Line| line.cost(costs) + if line.vector.is_some() { 2 * costs.one() + costs.two } else { 0 };
        let mut last_use: Vec<usize> = (0..lines.len()).collect();
        for (n, line) in lines.iter().enumerate() {
            for (_, value) in &line.arguments {
                if let Value::Line(from) = value {
                    last_use[*from] = n;
                }
            }
        }
        let pieces = cut(&lines.iter().map(cost).collect::<Vec<_>>(), &last_use, count);
        // A slot is free again after the last use of its value.
        let mut busy_until: Vec<usize> = Vec::new();
        let mut slots = vec![None; lines.len()];
        for n in 0..lines.len() {
            if pieces[last_use[n]] == pieces[n] {
                continue;
            }
            let slot = busy_until.iter().position(|until| *until <= n).unwrap_or(busy_until.len());
            if slot == busy_until.len() {
                busy_until.push(0);
            }
            busy_until[slot] = last_use[n];
            slots[n] = Some(slot);
        }
        let (places, kept) = (busy_until.len(), slots.iter().flatten().count());
        Self { lines, pieces, slots, places, kept }
    }

    /// Cuts a plan, with the vectors in the order that keeps the fewest
    /// values, of those looked at.
    pub(crate) fn best(plan: &Plan<'_>, count: usize, costs: Costs, orders: u32, random: &mut Random) -> Self {
        let mut order: Vec<usize> = (0..32).collect();
        let mut best = Self::new(plan.lines(&order), count, costs);
        for _ in 0..orders {
            let mut other = order.clone();
            let vector = other.remove(random.below(32));
            other.insert(random.below(32), vector);
            let cut = Self::new(plan.lines(&other), count, costs);
            if cut.places + cut.kept <= best.places + best.kept {
                (order, best) = (other, cut);
            }
        }
        best
    }

    /// What all lines cost.
    pub(crate) fn cost(&self, costs: Costs) -> i64 {
        self.lines.iter().map(|line| line.cost(costs)).sum()
    }

    /// The file `program.rs`.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(HEADER);
        let pieces = self.pieces.last().map_or(0, |last| last + 1);
        let _ = writeln!(text, "program! {{\n    kept {};\n    pieces {pieces};", self.places);
        let mut locals = 0;
        let mut names: Vec<String> = Vec::new();
        for (n, line) in self.lines.iter().enumerate() {
            if n == 0 || self.pieces[n] != self.pieces[n - 1] {
                let _ = writeln!(text, "{}    piece {} {{", if n == 0 { "" } else { "    }\n" }, self.pieces[n]);
                locals = 0;
            }
            let (target, name) = match (line.vector, self.slots[n]) {
                (Some(vector), _) => (format!("vector {vector}"), String::new()),
                (None, Some(slot)) => (format!("keep {slot}"), format!("t {slot}")),
                (None, None) => {
                    locals += 1;
                    (format!("local x{}", locals - 1), format!("x x{}", locals - 1))
                }
            };
            let arguments: Vec<String> = line
                .arguments
                .iter()
                .map(|(inverted, value)| {
                    let sign = if *inverted { '-' } else { '+' };
                    match value {
                        Value::Word(step) => format!("{sign} w {step}"),
                        Value::Line(line) => format!("{sign} {}", names[*line]),
                    }
                })
                .collect();
            let arguments = arguments.join(", ");
            let _ = match line.operation {
                Operation::Shift(left) if left > 0 => writeln!(text, "        {target} = shl({arguments}, {left});"),
                Operation::Shift(left) => writeln!(text, "        {target} = shr({arguments}, {});", -left),
                Operation::Same => writeln!(text, "        {target} = same{}({arguments});", line.arguments.len()),
                Operation::All => writeln!(text, "        {target} = all({arguments});"),
            };
            names.push(name);
        }
        text.push_str("    }\n}\n");
        text
    }
}

/// The piece of each line, so that few values are alive between pieces and no
/// piece is much longer than the others.
fn cut(costs: &[i64], last_use: &[usize], count: usize) -> Vec<usize> {
    let n = costs.len();
    let mut sums = vec![0; n + 1];
    for (i, cost) in costs.iter().enumerate() {
        sums[i + 1] = sums[i] + cost;
    }
    let average = sums[n] / count as i64;
    // best[k][end]: the first k pieces end there. What it costs, and where the last begins.
    let mut best = vec![vec![(i64::MAX, 0); n + 1]; count + 1];
    best[0][0].0 = 0;
    for k in 1..=count {
        for end in 1..=n {
            // Backwards from the end: what is kept of [start, end) grows by what `start` adds.
            let mut kept = 0;
            for start in (0..end).rev() {
                kept += i64::from(last_use[start] >= end);
                let length = sums[end] - sums[start];
                if 2 * length > 3 * average && start + 1 < end {
                    break;
                }
                let before = best[k - 1][start].0;
                if before == i64::MAX {
                    continue;
                }
                // A piece that is a quarter too long or too short weighs as much as a value that is kept.
                let off = 16 * (length - average) * (length - average) * 100 / (average * average);
                let all = before + 100 * kept + off;
                if all < best[k][end].0 {
                    best[k][end] = (all, start);
                }
            }
        }
    }
    let mut pieces = vec![0; n];
    let mut end = n;
    for k in (1..=count).rev() {
        let start = best[k][end].1;
        pieces[start..end].fill(k - 1);
        end = start;
    }
    pieces
}

const HEADER: &str = "\
//! The conditions as a program over lanes: what a solver made of
//! [`super::conditions`].
//!
//! For one vector the conditions say that certain bits of the expanded message
//! are equal, up to inversion, in a few classes. Any set of equations that
//! ties each class together says the same, so there is freedom to choose: ties
//! that several vectors share, ties of three bits (one instruction where there
//! is three-input logic), few different shifts. `cargo run --release -p
//! conditions` searches for a cheap choice and writes this file; a test proves
//! that each vector's ties span exactly its published conditions.
//!
//! Each line is one vector operation or two. `w 37` is the word of step 37,
//! `t 5` a value kept by an earlier line (the last that kept it there), `x x3`
//! one used in this piece only; `-` inverts. A vector's result has a one in
//! bit 29 (bit 6 for the vectors with b = 2) of each lane whose block
//! satisfies all its conditions.
//!
//! The list is cut into pieces of about equal length, for the code that runs
//! it between the rounds of the hash chain.

";

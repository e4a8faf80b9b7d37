//! The conditions that a single block's filter leaves out: see
//! `core/src/detect/picks.rs`.
//!
//! Greedily the one whose absence lets the fewest blocks pass, then exchanges
//! while these let fewer pass. Where two sets do the same, the one that needs
//! fewer rows of pairs.

use crate::conditions::{CONDITIONS, Condition};
use crate::vectors;

/// What is left fills eight rows of sixteen.
const RARE: usize = CONDITIONS.len() - 8 * 16;

/// Which conditions are tested.
type Tested = [bool; CONDITIONS.len()];

/// How many blocks pass for some vector, of 2^24, and how many rows of pairs
/// the conditions are.
type Cost = (u32, usize);

fn tested(set: &Tested) -> impl Iterator<Item = &Condition> {
    CONDITIONS.iter().zip(set).filter(|(_, tested)| **tested).map(|(condition, _)| condition)
}

/// For each vector 2^-rank. A condition joins two bits, so the rank is that of
/// a graph.
fn rate(set: &Tested) -> u32 {
    let of_vector = |vector: usize| {
        let mut sets: Vec<Vec<(u8, u8)>> = Vec::new();
        for c in tested(set).filter(|c| c.vectors >> vector & 1 == 1) {
            let (x, y) = ((c.i, c.a), (c.j, c.b));
            let (mut joined, rest): (Vec<_>, Vec<_>) = sets.into_iter().partition(|s| s.contains(&x) || s.contains(&y));
            joined.push(vec![x, y]);
            let mut joined = joined.concat();
            joined.sort_unstable();
            joined.dedup();
            sets = rest;
            sets.push(joined);
        }
        let rank: usize = sets.iter().map(|set| set.len() - 1).sum();
        1 << (24 - rank)
    };
    (0..vectors::COUNT).map(of_vector).sum()
}

/// Rows of eight conditions of words that are in the same two registers of
/// eight: from step 36 on, with step 35 in the place of step 67.
fn rows(set: &Tested) -> usize {
    let register = |step: u8| usize::from(if step == 35 { 31 } else { step - 36 }) / 8;
    let mut counts = [[0_usize; 4]; 4];
    for c in tested(set) {
        counts[register(c.i)][register(c.j)] += 1;
    }
    counts.iter().flatten().map(|count| count.div_ceil(8)).sum()
}

/// The blocks that shall not pass, each by the conditions that it violates:
/// zeros, and those of padding alone, since every message of whole blocks ends
/// with one.
fn common() -> Vec<Vec<usize>> {
    let blocks = (0..4096).flat_map(|n: u32| [(0x8000_0000, n * 512), (0, n * 512 + 480)]).chain([(0, 0)]);
    let violated = |(first, last)| {
        let mut w = [0_u32; 80];
        (w[0], w[15]) = (first, last);
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }
        (0..CONDITIONS.len()).filter(|c| !CONDITIONS[*c].holds(&w)).collect()
    };
    blocks.map(violated).collect()
}

/// Whether none of these blocks passes.
fn stops(set: &Tested, blocks: &[Vec<usize>]) -> bool {
    let left = |violated: &Vec<usize>| {
        violated.iter().filter(|c| set[**c]).fold(!0, |mask, condition| mask & !CONDITIONS[*condition].vectors)
    };
    blocks.iter().all(|violated| left(violated) == 0)
}

/// The conditions that are left out.
pub(crate) struct Picks {
    tested: Tested,
}

impl Picks {
    pub(crate) fn best() -> Self {
        let common = common();
        let cost = |set: &Tested| -> Cost { (rate(set), rows(set)) };
        // The cheapest set of those, if it is cheaper than `than`.
        let cheapest = |sets: &mut dyn Iterator<Item = Tested>, than: Cost| {
            let mut best = (than, None);
            for set in sets {
                let cost = cost(&set);
                if cost < best.0 && stops(&set, &common) {
                    best = (cost, Some(set));
                }
            }
            best.1
        };
        let without = |set: Tested, c: usize| {
            let mut set = set;
            set[c] = false;
            set
        };
        let mut set = [true; CONDITIONS.len()];
        for _ in 0..RARE {
            let mut sets = (0..CONDITIONS.len()).filter(|c| set[*c]).map(|c| without(set, c));
            set = cheapest(&mut sets, (u32::MAX, 0)).expect("a condition that can be left out");
        }
        loop {
            let out = (0..CONDITIONS.len()).filter(|c| !set[*c]);
            let mut sets = out.flat_map(|c| {
                let mut with = set;
                with[c] = true;
                (0..CONDITIONS.len()).filter(move |other| set[*other]).map(move |other| without(with, other))
            });
            match cheapest(&mut sets, cost(&set)) {
                Some(better) => set = better,
                None => return Self { tested: set },
            }
        }
    }

    pub(crate) fn summary(&self) -> String {
        let one_in = |set: &Tested| f64::from(1 << 24) / f64::from(rate(set));
        format!(
            "{RARE} conditions left out: 1 block in {:.2} passes instead of 1 in {:.2}; {} rows of pairs",
            one_in(&self.tested),
            one_in(&[true; CONDITIONS.len()]),
            rows(&self.tested)
        )
    }

    /// The type and the value of the list in `picks.rs`.
    pub(crate) fn text(&self) -> String {
        let rare: Vec<String> =
            (0..CONDITIONS.len()).filter(|c| !self.tested[*c]).map(|condition| condition.to_string()).collect();
        format!("[usize; {RARE}] =\n    [{}]", rare.join(", "))
    }
}

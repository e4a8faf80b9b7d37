//! The filter's conditions, read off the reference by asking it.
//!
//! The reference's filter is code, not data. But what it computes for one
//! vector is the conjunction of equations "this bit of W xor that bit = v",
//! and such a set can be found by flipping bits of an expanded message that
//! satisfies it. So the tests need no table, least of all the table under
//! test.

use std::sync::OnceLock;

use crate::gf2::{Row, System, expansion, xor};
use crate::reference::mask;
use crate::rng::Rng;

/// A bit of the expanded message: `W[t]` and the bit's place.
pub type Bit = (usize, usize);

/// "These two bits of the expanded message xor to `value`."
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The two bits.
    pub bits: [Bit; 2],
    /// Their xor.
    pub value: bool,
}

/// What vector `d` demands, as independent equations.
pub fn equations(d: usize) -> &'static [Equation] {
    static ALL: OnceLock<Vec<Vec<Equation>>> = OnceLock::new();
    &ALL.get_or_init(|| satisfying().iter().enumerate().map(|(d, w)| ask(d, w)).collect())[d]
}

/// The same on the bits of the block.
pub fn rows(d: usize) -> Vec<(Row, bool)> {
    static EXPANSION: OnceLock<Vec<[Row; 32]>> = OnceLock::new();
    let w = EXPANSION.get_or_init(expansion);
    let row = |(t, b): Bit| w[t][b];
    equations(d).iter().map(|e| (xor(row(e.bits[0]), row(e.bits[1])), e.value)).collect()
}

/// The blocks that satisfy all conditions of vector `d`.
pub fn system(d: usize) -> System {
    System::default().add_all(rows(d)).expect("the conditions of a vector do not contradict each other")
}

/// An expanded message for each vector that satisfies its conditions. The 80
/// words are taken as free: it need not be the expansion of a block.
fn satisfying() -> Vec<[u32; 80]> {
    let mut rng = Rng::new(0);
    let mut found = [None; 32];
    while found.iter().any(Option::is_none) {
        let w: [u32; 80] = std::array::from_fn(|_| rng.bits() as u32);
        let mask = mask(&w);
        for (d, found) in found.iter_mut().enumerate() {
            if mask >> d & 1 == 1 {
                *found = Some(w);
            }
        }
    }
    found.into_iter().flatten().collect()
}

/// The equations of vector `d`, of which `w` satisfies all.
fn ask(d: usize, w: &[u32; 80]) -> Vec<Equation> {
    let holds_with = |flips: &[Bit]| {
        let mut w = *w;
        for (t, b) in flips {
            w[*t] ^= 1 << b;
        }
        mask(&w) >> d & 1 == 1
    };
    // The bits that matter.
    let bits = (0..80).flat_map(|t| (0..32).map(move |b| (t, b)));
    let mut left: Vec<Bit> = bits.filter(|bit| !holds_with(&[*bit])).collect();
    // Bits that equations connect can only be flipped together: find the
    // smallest sets of bits that can.
    let mut sets: Vec<Vec<Bit>> = Vec::new();
    for size in 2..=4 {
        while let Some(set) = subsets(&left, size).find(|set| holds_with(set)) {
            left.retain(|bit| !set.contains(bit));
            sets.push(set);
        }
    }
    // What is left is taken for one set. Were it two, there would be one
    // equation too many, and `every_combination_of_failures` would notice.
    if !left.is_empty() {
        assert!(holds_with(&left));
        sets.push(left);
    }
    let value = |(t, b): Bit| w[t] >> b & 1 == 1;
    let pairs = sets.iter().flat_map(|set| set.windows(2));
    pairs.map(|pair| Equation { bits: [pair[0], pair[1]], value: value(pair[0]) != value(pair[1]) }).collect()
}

/// All subsets of that size.
fn subsets(of: &[Bit], size: usize) -> impl Iterator<Item = Vec<Bit>> + use<> {
    let of = of.to_vec();
    let mut at: Vec<usize> = (0..size).collect();
    let mut more = size <= of.len();
    std::iter::from_fn(move || {
        let subset = more.then(|| at.iter().map(|i| of[*i]).collect());
        // The last index that can move on does; those after it follow it.
        let moving = (0..size).rev().find(|k| at[*k] + size - k < of.len());
        match moving {
            Some(k) => {
                at[k] += 1;
                (k + 1..size).for_each(|next| at[next] = at[next - 1] + 1);
            }
            None => more = false,
        }
        subset
    })
}

/// For every set of vector `d`'s conditions a block that violates exactly
/// those, `2^rank` blocks in all, the first violating none. Together they show
/// that a filter looks at each of the vector's conditions and at no other.
pub fn every_combination_of_failures(d: usize, rng: &mut Rng) -> Vec<[u8; 64]> {
    let rows = rows(d);
    let system = system(d);
    assert_eq!(system.rank(), rows.len(), "independent on the block's bits too");
    // One difference for each equation that toggles it and no other.
    let toggles: Vec<[u8; 64]> = (0..rows.len())
        .map(|k| {
            let homogeneous = rows.iter().enumerate().map(|(i, (row, _))| (*row, i == k));
            System::default().add_all(homogeneous).expect("independent equations").solution(rng)
        })
        .collect();
    let mut block = system.solution(rng);
    (0..1usize << rows.len())
        .map(|pattern| {
            if pattern % 64 == 0 {
                block = system.solution(rng);
            }
            let failing = toggles.iter().enumerate().filter(|(k, _)| pattern >> k & 1 == 1);
            failing.fold(block, |block, (_, toggle)| std::array::from_fn(|i| block[i] ^ toggle[i]))
        })
        .collect()
}

/// The most vectors whose conditions one block can satisfy at once: their
/// mask, and the blocks.
pub fn most_at_once() -> &'static (u32, System) {
    static MOST: OnceLock<(u32, System)> = OnceLock::new();
    MOST.get_or_init(|| {
        let all: Vec<_> = (0..32).map(rows).collect();
        // Most pairs contradict each other already.
        let with: Vec<u32> = (0..32)
            .map(|d| {
                let fits = |other: &usize| system(d).add_all(all[*other].iter().copied()).is_some();
                (0..32).filter(fits).fold(0, |set, other| set | 1 << other)
            })
            .collect();
        let mut best = (0, System::default());
        widen(&all, &with, !0, (0, System::default()), &mut best);
        best
    })
}

/// Tries to add every subset of `candidates` to `so_far`.
fn widen(all: &[Vec<(Row, bool)>], with: &[u32], candidates: u32, so_far: (u32, System), best: &mut (u32, System)) {
    let (set, system) = &so_far;
    if set.count_ones() + candidates.count_ones() <= best.0.count_ones() {
        return;
    }
    if candidates == 0 {
        *best = so_far;
        return;
    }
    let d = candidates.trailing_zeros() as usize;
    let others = candidates & (candidates - 1);
    if let Some(wider) = system.add_all(all[d].iter().copied()) {
        widen(all, with, others & with[d], (set | 1 << d, wider), best);
    }
    widen(all, with, others, so_far, best);
}

/// Blocks that satisfy the conditions of `d` and of as many others as can be
/// added in a random order.
pub fn many_at_once(d: usize, rng: &mut Rng) -> (u32, System) {
    let mut order: Vec<usize> = (0..32).filter(|other| *other != d).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    let mut set = 1 << d;
    let mut all = system(d);
    for other in order {
        if let Some(with) = all.add_all(rows(other)) {
            set |= 1 << other;
            all = with;
        }
    }
    (set, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gf2::Added;
    use crate::reference::expand;

    #[test]
    fn the_equations_are_all_that_the_reference_asks() {
        let mut rng = Rng::of_test();
        let mut blocks = 0;
        for d in 0..32 {
            for (pattern, block) in every_combination_of_failures(d, &mut rng).iter().enumerate() {
                let passes = mask(&expand(block)) >> d & 1 == 1;
                assert_eq!(passes, pattern == 0, "vector {d}, violated {pattern:b}");
                blocks += 1;
            }
        }
        // The sum of 2^rank over the vectors.
        assert_eq!(blocks, 310_784);
    }

    #[test]
    fn solutions_solve() {
        let mut rng = Rng::of_test();
        for d in 0..32 {
            let (set, system) = many_at_once(d, &mut rng);
            assert_eq!(set >> d & 1, 1);
            for _ in 0..100 {
                assert_eq!(mask(&expand(&system.solution(&mut rng))) & set, set);
            }
            for (row, value) in rows(d) {
                assert!(system.implies(row, value) && !system.implies(row, !value));
                assert_eq!(system.clone().add(row, !value), Added::Contradiction);
            }
        }
    }

    #[test]
    fn most_at_once_is_more_than_any_greedy_choice() {
        let mut rng = Rng::of_test();
        let (set, system) = most_at_once();
        assert_eq!(mask(&expand(&system.solution(&mut rng))) & *set, *set);
        for d in 0..32 {
            assert!(many_at_once(d, &mut rng).0.count_ones() <= set.count_ones());
        }
        eprintln!("{} vectors at once: {set:#010x}, {} conditions", set.count_ones(), system.rank());
    }
}

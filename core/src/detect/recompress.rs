//! Recompression: the proof that a block is one half of a near-collision.

use super::vectors::{COUNT, DIFFERENCES, DisturbanceVector};
use crate::schedule::{BLOCK_SIZE, add, expand, steps, unsteps, words};

/// What is known of a block when it has been compressed.
pub(crate) struct Compressed<'a> {
    /// The block's sixteen words.
    pub words: &'a [u32; 16],
    /// Chaining value before it.
    pub before: [u32; 5],
    /// Chaining value after it.
    pub after: [u32; 5],
}

/// How a recompression ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The other message is not one that collides.
    Clean,
    /// Both messages have the same chaining value after the block.
    Collision,
    /// Only the chaining values *before* the block agree, which is what a
    /// collision of SHA-1 with fewer steps looks like.
    ReducedRound,
}

/// The step from which fast paths recompress.
///
/// The reference starts at 58 or 65, where both messages have the same state.
/// Any step does as well that no message difference separates from there: at
/// 60 that holds for 25 of the 32 vectors. For the others, 1 candidate in 50,
/// [`carry`] makes the other message's state at 60.
pub(crate) const STEP: usize = 60;

/// The vectors whose two messages have the same state at [`STEP`].
pub(crate) const AS_IS: u32 = {
    let mut mask = 0;
    let mut d = 0;
    while d < COUNT {
        let w = expand(&DIFFERENCES[d]);
        let from = DisturbanceVector::new(d).step();
        let (mut t, end) = if from < STEP { (from, STEP) } else { (STEP, from) };
        let mut equal = true;
        while t < end {
            equal &= w[t] == 0;
            t += 1;
        }
        mask |= (equal as u32) << d;
        d += 1;
    }
    mask
};
const _: () = assert!(AS_IS.count_ones() == 25);

/// The other message's state before step 60, from this one's: to the step at
/// which they agree with this message's words, and back with the other's.
#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
pub(crate) fn carry(s: [u32; 5], block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> [u32; 5] {
    let (words, difference) = (words(block), vector.difference());
    carry_with(s, &expand(&words), &expand(&core::array::from_fn(|t| words[t] ^ difference[t])), vector)
}

/// Likewise, with the words of both.
pub(crate) fn carry_with(s: [u32; 5], this: &[u32; 80], other: &[u32; 80], vector: DisturbanceVector) -> [u32; 5] {
    let at = vector.step();
    if at < STEP {
        let s = unsteps(s, this, at, STEP);
        steps(s, other, at, STEP)
    } else {
        let s = steps(s, this, STEP, at);
        unsteps(s, other, STEP, at)
    }
}

/// As [`recompress`], from the other message's working state before step 60.
pub(crate) fn recompress_from_60(block: &Compressed<'_>, vector: DisturbanceVector, state: [u32; 5]) -> Other {
    recompress_from(STEP, block, vector, state)
}

/// The other message's chaining value before and after a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Other {
    pub before: [u32; 5],
    pub after: [u32; 5],
}

impl Other {
    /// What it says of the block.
    pub(crate) fn verdict(&self, block: &Compressed<'_>) -> Verdict {
        if self.after == block.after {
            Verdict::Collision
        } else if self.before == block.before {
            Verdict::ReducedRound
        } else {
            Verdict::Clean
        }
    }
}

/// Recompresses with `vector`, from `state`, the working state before its
/// step (58 or 65).
pub(crate) fn recompress(block: &Compressed<'_>, vector: DisturbanceVector, state: [u32; 5]) -> Other {
    recompress_from(vector.step(), block, vector, state)
}

#[inline(always)]
fn recompress_from(from: usize, block: &Compressed<'_>, vector: DisturbanceVector, state: [u32; 5]) -> Other {
    let difference = vector.difference();
    let w = expand(&core::array::from_fn(|t| block.words[t] ^ difference[t]));
    let before = unsteps(state, &w, 0, from);
    Other { before, after: add(before, steps(state, &w, from, 80)) }
}

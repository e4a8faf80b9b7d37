//! Recompression: the proof that a block is one half of a near-collision.

use super::vectors::DisturbanceVector;
use crate::schedule::{add, expand, step, unstep};

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

/// Recompresses with `vector`, from `state`, the working state before its
/// step (58 or 65).
pub(crate) fn recompress(block: &Compressed<'_>, vector: DisturbanceVector, state: [u32; 5]) -> Verdict {
    let difference = vector.difference();
    let w = expand(&core::array::from_fn(|t| block.words[t] ^ difference[t]));
    let from = vector.step();
    let before = (0..from).rev().fold(state, |s, t| unstep(t, s, w[t]));
    let last = (from..80).fold(state, |s, t| step(t, s, w[t]));
    if add(before, last) == block.after {
        Verdict::Collision
    } else if before == block.before {
        Verdict::ReducedRound
    } else {
        Verdict::Clean
    }
}

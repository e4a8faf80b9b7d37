//! One block at a time, every condition in turn, every candidate proved at
//! once: the reference of the fast paths, and what runs where speed does not
//! matter (after an attack has been seen, or with the conditions turned off).

use crate::detect::conditions;
use crate::detect::recompress::{Compressed, Other, Verdict, recompress};
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::schedule::{BLOCK_SIZE, add, expand, steps, words};

/// Compresses `block` into `h` and checks it, with the reference's order and
/// its rule that the first vector that matches ends the search.
pub(crate) fn block(
    h: &mut [u32; 5],
    block: &[u8; BLOCK_SIZE],
    detection: Detection,
) -> Option<(DisturbanceVector, bool, Other)> {
    let before = *h;
    let m = words(block);
    let w = expand(&m);
    let at_58 = steps(before, &w, 0, 58);
    let at_65 = steps(at_58, &w, 58, 65);
    *h = add(before, steps(at_65, &w, 65, 80));

    let Detection::On { ubc, .. } = detection else { return None };
    let mut mask = if ubc { conditions::mask(&w) } else { !0 };
    let compressed = Compressed { words: &m, before, after: *h };
    while mask != 0 {
        let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
        mask &= mask - 1;
        let state = if vector.step() == 58 { at_58 } else { at_65 };
        let other = recompress(&compressed, vector, state);
        let verdict = other.verdict(&compressed);
        if detection.reports(verdict) {
            return Some((vector, verdict == Verdict::ReducedRound, other));
        }
    }
    None
}

/// Compresses whole blocks and reports each hit.
pub(crate) fn scan(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]], detection: Detection, hits: &mut dyn FnMut(Hit)) {
    for (index, data) in blocks.iter().enumerate() {
        if let Some((vector, reduced_round, other)) = block(h, data, detection) {
            hits(Hit { index, vector, reduced_round, after: *h, other });
        }
    }
}

/// Continues the safe chain: each attacked block is compressed two more times
/// (the reference's `safe_hash`), which gives the two halves of a collision
/// different digests.
pub(crate) fn scan_safe(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]], detection: Detection) {
    for data in blocks {
        if block(h, data, detection).is_some() {
            compress_twice(h, data);
        }
    }
}

/// The two extra compressions of an attacked block.
pub(crate) fn compress_twice(h: &mut [u32; 5], block: &[u8; BLOCK_SIZE]) {
    let w = expand(&words(block));
    for _ in 0..2 {
        crate::schedule::compress(h, &w);
    }
}

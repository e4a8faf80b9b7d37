//! One block at a time, recompressed at once for every vector: what runs with
//! the conditions turned off.

use crate::detect::recompress::{Compressed, Other, Verdict, recompress};
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::schedule::{BLOCK_SIZE, add, expand, steps, words};

/// Compresses `block` into `h` and checks it, with the reference's order and
/// its rule that the first vector that matches ends the search.
fn block(h: &mut [u32; 5], block: &[u8; BLOCK_SIZE], detection: Detection) -> Option<(DisturbanceVector, bool, Other)> {
    let before = *h;
    let m = words(block);
    let w = expand(&m);
    let at_58 = steps(before, &w, 0, 58);
    let at_65 = steps(at_58, &w, 58, 65);
    *h = add(before, steps(at_65, &w, 65, 80));

    let compressed = Compressed { words: &m, before, after: *h };
    for vector in DisturbanceVector::all() {
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

/// The two extra compressions of an attacked block.
pub(crate) fn compress_twice(h: &mut [u32; 5], block: &[u8; BLOCK_SIZE]) {
    let w = expand(&words(block));
    for _ in 0..2 {
        crate::schedule::compress(h, &w);
    }
}

//! Candidates for recompression: put off until a vector of them is full, then
//! recompressed in lanes.
//!
//! 1 block in 20 passes the conditions of some vector. Recompressed at once,
//! one by one, that costs as much as 1 block in 10 hashed. In lanes it costs
//! 1.5 ns a block (eight AVX2 lanes, all at once) of 33, and cut into pieces
//! between the rounds of the chain it nearly vanishes.

use crate::detect::vectors::{DIFFERENCE_BYTES, DIFFERENCES, DisturbanceVector};
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::one::Chain;
use crate::schedule::{BLOCK_SIZE, K, expand, step, unstep, words};

/// The step from which lanes recompress.
///
/// The reference starts at 58 or 65, where both messages have the same state.
/// Any step does as well that no message difference separates from there: at
/// 60 that holds for 25 of the 32 vectors. For the others, 1 candidate in 50,
/// [`carry`] makes the other message's state at 60.
const STEP: usize = 60;

/// The vectors whose two messages have the same state at [`STEP`].
pub(crate) const AS_IS: u32 = {
    let mut mask = 0;
    let mut d = 0;
    while d < DIFFERENCES.len() {
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
pub(crate) fn carry(mut s: [u32; 5], block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> [u32; 5] {
    let (words, difference) = (words(block), vector.difference());
    let w = expand(&words);
    let other = expand(&core::array::from_fn(|t| words[t] ^ difference[t]));
    let at = vector.step();
    if at < STEP {
        s = (at..STEP).rev().fold(s, |s, t| unstep(t, s, w[t]));
        (at..STEP).fold(s, |s, t| step(t, s, other[t]))
    } else {
        s = (STEP..at).fold(s, |s, t| step(t, s, w[t]));
        (STEP..at).rev().fold(s, |s, t| unstep(t, s, other[t]))
    }
}

/// A block that passed the conditions of `vector`. The quads are as the chain
/// stored them.
pub(crate) struct Candidate<'a> {
    pub block: &'a [u8; BLOCK_SIZE],
    pub vector: DisturbanceVector,
    /// a, b, c, d before step 56 and before step 60.
    pub state_56: &'a [u32; 4],
    pub state_60: &'a [u32; 4],
    /// Chaining value before and after the block: a, b, c, d, and e.
    pub before: &'a [u32; 4],
    pub after: &'a [u32; 4],
    pub e: [u32; 2],
    pub index: usize,
}

/// Quads of a candidate: the other message's block (as bytes), the two states,
/// before, after, and both e.
const QUADS: usize = 9;

/// Up to `N` candidates, quad by quad so that a transposition brings them into
/// lanes.
#[repr(C, align(64))]
pub(crate) struct Queue<const N: usize> {
    quads: [[[u32; 4]; N]; QUADS],
    index: [usize; N],
    vector: [DisturbanceVector; N],
    pub count: usize,
}

impl<const N: usize> Queue<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { quads: [[[0; 4]; N]; QUADS], index: [0; N], vector: [DisturbanceVector::new(0); N], count: 0 }
    }

    /// Adds a candidate. There is room: the owner empties a full queue.
    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: &Candidate<'_>) {
        let slot = self.count;
        let difference = &DIFFERENCE_BYTES[candidate.vector.index()];
        let mut q = 0;
        while q < 4 {
            self.quads[q][slot] = [
                four(candidate.block, 16 * q) ^ four(difference, 16 * q),
                four(candidate.block, 16 * q + 4) ^ four(difference, 16 * q + 4),
                four(candidate.block, 16 * q + 8) ^ four(difference, 16 * q + 8),
                four(candidate.block, 16 * q + 12) ^ four(difference, 16 * q + 12),
            ];
            q += 1;
        }
        self.quads[4][slot] = *candidate.state_56;
        self.quads[5][slot] = *candidate.state_60;
        self.quads[6][slot] = *candidate.before;
        self.quads[7][slot] = *candidate.after;
        self.quads[8][slot] = [candidate.e[0], candidate.e[1], 0, 0];
        self.index[slot] = candidate.index;
        self.vector[slot] = candidate.vector;
        self.count += 1;
    }

    #[inline(always)]
    fn column<V: Lanes>(&self, q: usize) -> [V; 4] {
        const { assert!(V::COUNT == N) };
        let from = self.quads[q].as_ptr().cast::<u32>();
        // SAFETY: a quad of N candidates is 4 vectors of N words. Whoever has
        // a `Job` of these lanes has the instructions.
        V::transpose(unsafe {
            [V::load(from), V::load(from.add(N)), V::load(from.add(2 * N)), V::load(from.add(3 * N))]
        })
    }

    /// Likewise, in the order a, b, c, d.
    #[inline(always)]
    fn ordered<C: Chain, V: Lanes>(&self, q: usize) -> [V; 4] {
        let [a, b, c, d] = self.column(q);
        if C::REVERSED { [d, c, b, a] } else { [a, b, c, d] }
    }
}

impl<const N: usize> Queue<N> {
    /// Recompresses all candidates, reports what collides, and empties the
    /// queue.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`.
    #[inline(always)]
    pub(crate) unsafe fn recompress<C: Chain, V: Lanes>(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        // SAFETY: the caller's promise.
        let (zero, k) = unsafe { (V::splat(0), [V::splat(K[0]), V::splat(K[1]), V::splat(K[2]), V::splat(K[3])]) };
        let mut w = [zero; 80];
        let mut q = 0;
        while q < 4 {
            let [a, b, c, d] = self.column::<V>(q);
            w[4 * q] = a.swap_bytes();
            w[4 * q + 1] = b.swap_bytes();
            w[4 * q + 2] = c.swap_bytes();
            w[4 * q + 3] = d.swap_bytes();
            q += 1;
        }
        let mut t = 16;
        while t < 80 {
            w[t] = w[t - 3].xor3(w[t - 8], w[t - 14]).xor(w[t - 16]).rotl::<1, 31>();
            t += 1;
        }

        let [a_56, ..] = self.ordered::<C, V>(4);
        let [a, b, c, d] = self.ordered::<C, V>(5);
        // e is what a was four steps before.
        let state = [a, b, c, d, a_56.rotl::<30, 2>()];
        let mut s = state;
        let mut t = STEP;
        macro_rules! back_to {
            ($to:literal, $f:ident) => {
                while t > $to {
                    t -= 1;
                    let [next, a, b30, c, d] = s;
                    let b = b30.rotl::<2, 30>();
                    let wk = w[t].add(k[$to / 20]);
                    s = [a, b, c, d, next.sub(wk).sub(a.rotl::<5, 27>()).sub(b.$f(c, d))];
                }
            };
        }
        back_to!(40, majority);
        back_to!(20, xor3);
        back_to!(0, choose);
        let other_before = s;

        let mut s = state;
        let mut t = STEP;
        while t < 80 {
            let [a, b, c, d, e] = s;
            let sum = a.rotl::<5, 27>().add(b.xor3(c, d)).add(e.add(w[t].add(k[3])));
            s = [sum, a, b.rotl::<30, 2>(), c, d];
            t += 1;
        }

        let (before, after, [e_before, e_after, ..]) =
            (self.ordered::<C, V>(6), self.ordered::<C, V>(7), self.column::<V>(8));
        let o = &other_before;
        let differs_before = o[0].xor(before[0]).or(o[1].xor(before[1])).or(o[2].xor(before[2]).or(o[3].xor(before[3])));
        let equal_before = differs_before.or(o[4].xor(e_before)).zeros();
        let x = [o[0].add(s[0]), o[1].add(s[1]), o[2].add(s[2]), o[3].add(s[3]), o[4].add(s[4])];
        let differs_after = x[0].xor(after[0]).or(x[1].xor(after[1])).or(x[2].xor(after[2]).or(x[3].xor(after[3])));
        let equal_after = differs_after.or(x[4].xor(e_after)).zeros();

        let reduced_rounds = matches!(detection, Detection::On { reduced_rounds: true, .. });
        let lanes = if reduced_rounds { equal_after | equal_before } else { equal_after };
        if lanes != 0 {
            self.report(C::REVERSED, lanes, equal_after, hits);
        }
        self.count = 0;
    }

    #[cold]
    fn report(&self, reversed: bool, mut lanes: u32, equal_after: u32, hits: &mut dyn FnMut(Hit)) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let slot = block_in_lane(N, lane);
            // Places past the count hold what was there before.
            if slot < self.count {
                let mut after = self.quads[7][slot];
                if reversed {
                    after.reverse();
                }
                let [a, b, c, d] = after;
                hits(Hit {
                    index: self.index[slot],
                    vector: self.vector[slot],
                    reduced_round: equal_after >> lane & 1 == 0,
                    after: [a, b, c, d, self.quads[8][slot][1]],
                });
            }
        }
    }
}

/// Four bytes as they lie in memory.
#[inline(always)]
fn four(bytes: &[u8; BLOCK_SIZE], at: usize) -> u32 {
    u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

//! Candidates for recompression: put off until a vector of them is full, then
//! recompressed in lanes.
//!
//! 1 block in 20 passes the conditions of some vector. Recompressed at once,
//! one by one, that costs as much as 1 block in 10 hashed; in lanes it nearly
//! vanishes.

use crate::detect::recompress::Verdict;
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::schedule::K;

/// What is known of a block that passed the conditions.
pub(crate) struct Candidate {
    /// The block's words.
    pub words: [u32; 16],
    /// Working state before the vector's step.
    pub state: [u32; 5],
    /// Chaining value before and after the block.
    pub before: [u32; 5],
    pub after: [u32; 5],
    pub index: usize,
    pub vector: DisturbanceVector,
}

/// Quads of a candidate: the other message's 16 words, then state, before,
/// after and whether the vector's step is 58.
const QUADS: usize = 8;

/// Up to `N` candidates, quad by quad so that a transposition brings them into
/// lanes.
#[repr(C, align(64))]
pub(crate) struct Queue<const N: usize> {
    quads: [[[u32; 4]; N]; QUADS],
    index: [usize; N],
    vector: [DisturbanceVector; N],
    count: usize,
}

impl<const N: usize> Queue<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            quads: [[[0; 4]; N]; QUADS],
            index: [0; N],
            vector: [DisturbanceVector::new(0); N],
            count: 0,
        }
    }

    /// Adds a candidate; recompresses all when that fills the queue.
    #[inline(always)]
    pub(crate) fn push<V: Lanes>(&mut self, candidate: &Candidate, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        let slot = self.count;
        let difference = candidate.vector.difference();
        let (s, b, a) = (&candidate.state, &candidate.before, &candidate.after);
        for q in 0..4 {
            self.quads[q][slot] = core::array::from_fn(|j| candidate.words[4 * q + j] ^ difference[4 * q + j]);
        }
        let from_58 = if candidate.vector.step() == 58 { !0 } else { 0 };
        self.quads[4][slot] = [s[0], s[1], s[2], s[3]];
        self.quads[5][slot] = [s[4], b[0], b[1], b[2]];
        self.quads[6][slot] = [b[3], b[4], a[0], a[1]];
        self.quads[7][slot] = [a[2], a[3], a[4], from_58];
        self.index[slot] = candidate.index;
        self.vector[slot] = candidate.vector;
        self.count += 1;
        if self.count == N {
            self.flush::<V>(detection, hits);
        }
    }

    /// Recompresses what waits.
    #[inline(always)]
    pub(crate) fn flush<V: Lanes>(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        const { assert!(V::COUNT == N) };
        let (equal_after, equal_before) = self.recompress::<V>();
        let reduced_rounds = matches!(detection, Detection::On { reduced_rounds: true, .. });
        let mut lanes = if reduced_rounds { equal_after | equal_before } else { equal_after };
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let slot = block_in_lane(N, lane);
            if slot < self.count {
                let verdict =
                    if equal_after >> lane & 1 == 1 { Verdict::Collision } else { Verdict::ReducedRound };
                let q = &self.quads;
                hits(Hit {
                    index: self.index[slot],
                    vector: self.vector[slot],
                    reduced_round: verdict == Verdict::ReducedRound,
                    after: [q[6][slot][2], q[6][slot][3], q[7][slot][0], q[7][slot][1], q[7][slot][2]],
                });
            }
        }
        self.count = 0;
    }

    /// As [`super::recompress::recompress`], all lanes at once. Bit l of the
    /// results: lane l has the same chaining value after, and before, the
    /// block.
    #[inline(always)]
    fn recompress<V: Lanes>(&self) -> (u32, u32) {
        // SAFETY: a quad of N candidates is 4 vectors of N words. The caller
        // has a `Scratch` of the same lanes, so the CPU has the instructions.
        let (mut w, [state, before, after], from_58, k) = unsafe {
            let column = |q: usize| {
                let from = self.quads[q].as_ptr().cast::<u32>();
                V::transpose(core::array::from_fn(|k| V::load(from.add(k * N))))
            };
            let mut w = [V::splat(0); 80];
            for q in 0..4 {
                w[4 * q..4 * q + 4].copy_from_slice(&column(q));
            }
            let (x, y, z, u) = (column(4), column(5), column(6), column(7));
            (
                w,
                [
                    [x[0], x[1], x[2], x[3], y[0]],
                    [y[1], y[2], y[3], z[0], z[1]],
                    [z[2], z[3], u[0], u[1], u[2]],
                ],
                u[3],
                K.map(|k| V::splat(k)),
            )
        };
        for t in 16..80 {
            w[t] = w[t - 3].xor3(w[t - 8], w[t - 14]).xor(w[t - 16]).rotl::<1, 31>();
        }

        // Candidates of both kinds, from step 58 and from step 65, go together:
        // all run steps 58 to 64, and who does not need them gets its state
        // back. That is 14 steps more, and half the vectors.
        let pick = |x: [V; 5], y: [V; 5]| core::array::from_fn::<V, 5, _>(|i| from_58.choose(x[i], y[i]));
        let mut s = state;
        for t in (60..65).rev() {
            s = unstep(s, V::xor3, w[t], k[3]);
        }
        for t in (58..60).rev() {
            s = unstep(s, V::majority, w[t], k[2]);
        }
        s = pick(state, s);
        for t in (40..58).rev() {
            s = unstep(s, V::majority, w[t], k[2]);
        }
        for t in (20..40).rev() {
            s = unstep(s, V::xor3, w[t], k[1]);
        }
        for t in (0..20).rev() {
            s = unstep(s, V::choose, w[t], k[0]);
        }
        let other_before = s;
        let mut s = state;
        for t in 58..60 {
            s = step(s, V::majority, w[t], k[2]);
        }
        for t in 60..65 {
            s = step(s, V::xor3, w[t], k[3]);
        }
        s = pick(s, state);
        for t in 65..80 {
            s = step(s, V::xor3, w[t], k[3]);
        }
        let other_after = core::array::from_fn(|i| s[i].add(other_before[i]));
        (equal(other_after, after), equal(other_before, before))
    }
}

/// Bit l of the result: lane l is the same in all five words.
#[inline(always)]
fn equal<V: Lanes>(x: [V; 5], y: [V; 5]) -> u32 {
    let differ: [V; 5] = core::array::from_fn(|i| x[i].xor(y[i]));
    differ[0].or(differ[1]).or(differ[2].or(differ[3])).or(differ[4]).zeros()
}

#[inline(always)]
fn step<V: Lanes>([a, b, c, d, e]: [V; 5], f: impl Fn(V, V, V) -> V, w: V, k: V) -> [V; 5] {
    [a.rotl::<5, 27>().add(f(b, c, d)).add(e.add(w.add(k))), a, b.rotl::<30, 2>(), c, d]
}

#[inline(always)]
fn unstep<V: Lanes>([next, a, b30, c, d]: [V; 5], f: impl Fn(V, V, V) -> V, w: V, k: V) -> [V; 5] {
    let b = b30.rotl::<2, 30>();
    [a, b, c, d, next.sub(w.add(k)).sub(a.rotl::<5, 27>()).sub(f(b, c, d))]
}

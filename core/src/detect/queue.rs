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
use crate::schedule::{BLOCK_SIZE, K, expand};

/// The step from which lanes recompress.
///
/// The reference starts at 58 or 65. Any step does as well that no message
/// difference separates from there, because then both messages have the same
/// state at it too; at 60 that holds for 25 of the 32 vectors, among them all
/// that honest blocks often reach. One step for all lanes needs no blending.
/// 1 candidate in 45 has another vector and is recompressed by itself.
pub(crate) const STEP: usize = 60;

/// The vectors that can be recompressed from [`STEP`].
pub(crate) const IN_LANES: u32 = {
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
const _: () = assert!(IN_LANES.count_ones() == 25);

/// A block that passed the conditions of `vector`.
pub(crate) struct Candidate<'a> {
    pub block: &'a [u8; BLOCK_SIZE],
    pub vector: DisturbanceVector,
    /// Working state before step 60: a, b, c, d; and a before step 56, from
    /// which e comes.
    pub abcd: [u32; 4],
    pub a_56: u32,
    /// Chaining value before and after the block.
    pub before: [u32; 5],
    pub after: [u32; 5],
    pub index: usize,
}

/// Quads of a candidate: the other message's block (as bytes), then state,
/// before and after.
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
        Self { quads: [[[0; 4]; N]; QUADS], index: [0; N], vector: [DisturbanceVector::new(0); N], count: 0 }
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Adds a candidate. There is room: the owner empties a full queue.
    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: &Candidate<'_>) {
        let slot = self.count;
        let (b, a) = (&candidate.before, &candidate.after);
        let difference = &DIFFERENCE_BYTES[candidate.vector.index()];
        let mut q = 0;
        while q < 4 {
            let (mut quad, at) = ([0; 4], 16 * q);
            let mut j = 0;
            while j < 4 {
                quad[j] = four(candidate.block, at + 4 * j) ^ four(difference, at + 4 * j);
                j += 1;
            }
            self.quads[q][slot] = quad;
            q += 1;
        }
        self.quads[4][slot] = candidate.abcd;
        self.quads[5][slot] = [candidate.a_56.rotate_left(30), b[0], b[1], b[2]];
        self.quads[6][slot] = [b[3], b[4], a[0], a[1]];
        self.quads[7][slot] = [a[2], a[3], a[4], 0];
        self.index[slot] = candidate.index;
        self.vector[slot] = candidate.vector;
        self.count += 1;
    }

    #[inline(always)]
    fn column<V: Lanes>(&self, q: usize) -> [V; 4] {
        const { assert!(V::COUNT == N) };
        let from = self.quads[q].as_ptr().cast::<u32>();
        // SAFETY: a quad of N candidates is 4 vectors of N words. Whoever has
        // a `Job` or `Scratch` of these lanes has the instructions.
        V::transpose(unsafe {
            [V::load(from), V::load(from.add(N)), V::load(from.add(2 * N)), V::load(from.add(3 * N))]
        })
    }
}

/// A recompression of up to `N` candidates, in pieces.
#[repr(C, align(64))]
pub(crate) struct Job<V, const N: usize> {
    queue: Queue<N>,
    w: [V; 80],
    s: [V; 5],
    other_before: [V; 5],
    k: [V; 4],
    differs_after: V,
    differs_before: V,
}

/// Pieces of a job.
pub(crate) const JOB_PIECES: usize = 30;

impl<V: Lanes, const N: usize> Job<V, N> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        let (zero, k) = unsafe { (V::splat(0), [V::splat(K[0]), V::splat(K[1]), V::splat(K[2]), V::splat(K[3])]) };
        Self {
            queue: Queue::new(),
            w: [zero; 80],
            s: [zero; 5],
            other_before: [zero; 5],
            k,
            differs_after: zero,
            differs_before: zero,
        }
    }

    /// Takes the candidates over, and leaves an empty queue.
    #[inline(always)]
    pub(crate) fn take(&mut self, queue: &mut Queue<N>) {
        core::mem::swap(&mut self.queue, queue);
        queue.count = 0;
    }

    /// Runs piece `P`: message expansion, 60 steps backwards, 20 forwards,
    /// comparison.
    #[inline(always)]
    pub(crate) fn piece<const P: usize>(&mut self) {
        match P {
            0..4 => {
                let [a, b, c, d] = self.queue.column::<V>(P);
                self.w[4 * P] = a.swap_bytes();
                self.w[4 * P + 1] = b.swap_bytes();
                self.w[4 * P + 2] = c.swap_bytes();
                self.w[4 * P + 3] = d.swap_bytes();
            }
            4 => {
                let ([a, b, c, d], [e, ..]) = (self.queue.column(4), self.queue.column(5));
                self.s = [a, b, c, d, e];
            }
            5..13 => {
                let w = &mut self.w;
                for i in 0..8 {
                    let t = 16 + 8 * (P - 5) + i;
                    w[t] = w[t - 3].xor3(w[t - 8], w[t - 14]).xor(w[t - 16]).rotl::<1, 31>();
                }
            }
            13..25 => {
                for i in 0..5 {
                    self.unstep(STEP - 1 - 5 * (P - 13) - i);
                }
                if P == 24 {
                    self.other_before = self.s;
                    let ([a, b, c, d], [e, ..]) = (self.queue.column(4), self.queue.column(5));
                    self.s = [a, b, c, d, e];
                }
            }
            25..29 => {
                for i in 0..5 {
                    self.step(STEP + 5 * (P - 25) + i);
                }
            }
            29 => {
                let (y, z, u) = (self.queue.column(5), self.queue.column(6), self.queue.column(7));
                let (s, before) = (&self.s, &self.other_before);
                let other_after = [
                    s[0].add(before[0]),
                    s[1].add(before[1]),
                    s[2].add(before[2]),
                    s[3].add(before[3]),
                    s[4].add(before[4]),
                ];
                self.differs_after = differs(&other_after, &[z[2], z[3], u[0], u[1], u[2]]);
                self.differs_before = differs(before, &[y[1], y[2], y[3], z[0], z[1]]);
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn step(&mut self, t: usize) {
        let [a, b, c, d, e] = self.s;
        let sum = a.rotl::<5, 27>().add(b.xor3(c, d)).add(e.add(self.w[t].add(self.k[3])));
        self.s = [sum, a, b.rotl::<30, 2>(), c, d];
    }

    #[inline(always)]
    fn unstep(&mut self, t: usize) {
        let [next, a, b30, c, d] = self.s;
        let b = b30.rotl::<2, 30>();
        let f = match t / 20 {
            0 => b.choose(c, d),
            2 => b.majority(c, d),
            _ => b.xor3(c, d),
        };
        self.s = [a, b, c, d, next.sub(self.w[t].add(self.k[t / 20])).sub(a.rotl::<5, 27>()).sub(f)];
    }

    /// Runs all pieces.
    #[inline(always)]
    pub(crate) fn run(&mut self) {
        macro_rules! pieces { ($($n:literal)*) => { $(self.piece::<$n>();)* } }
        pieces!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
    }

    /// After all pieces: reports what collides.
    #[inline(always)]
    pub(crate) fn finish(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        let reduced_rounds = matches!(detection, Detection::On { reduced_rounds: true, .. });
        let after = self.differs_after.zeros();
        let lanes = if reduced_rounds { after | self.differs_before.zeros() } else { after };
        if lanes != 0 {
            self.report(lanes, after, hits);
        }
        self.queue.count = 0;
    }

    #[cold]
    fn report(&self, mut lanes: u32, after: u32, hits: &mut dyn FnMut(Hit)) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let slot = block_in_lane(N, lane);
            // Places past the count hold what an earlier job left.
            if slot < self.queue.count {
                let [_, _, a, b] = self.queue.quads[6][slot];
                let [c, d, e, _] = self.queue.quads[7][slot];
                hits(Hit {
                    index: self.queue.index[slot],
                    vector: self.queue.vector[slot],
                    reduced_round: after >> lane & 1 == 0,
                    after: [a, b, c, d, e],
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

/// Zero in the lanes that are the same in all five words.
#[inline(always)]
fn differs<V: Lanes>(x: &[V; 5], y: &[V; 5]) -> V {
    let (a, b, c) = (x[0].xor(y[0]), x[1].xor(y[1]), x[2].xor(y[2]));
    let (d, e) = (x[3].xor(y[3]), x[4].xor(y[4]));
    a.or(b).or(c.or(d)).or(e)
}

//! Candidates for recompression: put off until a vector of them is full, then
//! recompressed in lanes.
//!
//! 1 block in 20 passes the conditions of some vector. Recompressed at once,
//! one by one, that costs as much as 1 block in 10 hashed. In lanes it costs
//! 1.5 ns a block (eight AVX2 lanes, all at once) of 33, and cut into pieces
//! between the rounds of the chain it nearly vanishes.

use core::mem::MaybeUninit;

use crate::detect::recompress::{Other, STEP};
use crate::detect::vectors::{DIFFERENCE_BYTES, DisturbanceVector};
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::one::{Chain, Quad};
use crate::schedule::{BLOCK_SIZE, K, add};

/// A block that passed the conditions of `vector`. The quads are as the chain
/// stored them, and by value: a quad that is put together in memory and then
/// copied waits for its four stores.
pub(crate) struct Candidate<'a> {
    pub block: &'a [u8; BLOCK_SIZE],
    pub vector: DisturbanceVector,
    /// a, b, c, d before step 56 and before step 60.
    pub state_56: [u32; 4],
    pub state_60: [u32; 4],
    /// Chaining value before and after the block: a, b, c, d, and e.
    pub before: [u32; 4],
    pub after: [u32; 4],
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
    quads: [[Quad; N]; QUADS],
    index: [usize; N],
    vector: [DisturbanceVector; N],
    pub count: usize,
}

impl<const N: usize> Queue<N> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            quads: [[const { Quad::uninit() }; N]; QUADS],
            index: [0; N],
            vector: [DisturbanceVector::new(0); N],
            count: 0,
        }
    }

    /// Clears the places that hold no candidate, before lanes read them.
    fn clear_rest(&mut self) {
        for quads in &mut self.quads {
            quads[self.count..].fill(Quad::new([0; 4]));
        }
    }

    /// Adds a candidate. There is room: the owner empties a full queue.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    pub(crate) fn push(&mut self, candidate: &Candidate<'_>) {
        let slot = self.count;
        let difference = &DIFFERENCE_BYTES[candidate.vector.index()];
        let mut q = 0;
        while q < 4 {
            let (x, y) = (quad(candidate.block, q), quad(difference, q));
            self.quads[q][slot].write([x[0] ^ y[0], x[1] ^ y[1], x[2] ^ y[2], x[3] ^ y[3]]);
            q += 1;
        }
        self.quads[4][slot].write(candidate.state_56);
        self.quads[5][slot].write(candidate.state_60);
        self.quads[6][slot].write(candidate.before);
        self.quads[7][slot].write(candidate.after);
        self.quads[8][slot].write([candidate.e[0], candidate.e[1], 0, 0]);
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

/// The recompression of a queue, in pieces: run one after each block of the
/// chain, they vanish behind it. At once they would cost as much as 8 blocks.
#[repr(C, align(64))]
pub(crate) struct Job<V, const N: usize> {
    w: [MaybeUninit<V>; 80],
    s: [V; 5],
    other_before: [V; 5],
    /// Bit l: lane l has the same chaining value after, and before, the block.
    equal_after: u32,
    equal_before: u32,
}

/// Pieces of a job. Small ones, since what waits in a piece keeps the chain's
/// next instructions out of the core: with 7 pieces a message took 3 % more.
/// In wasm there is one, [`Job::whole`]: each piece would be a call, and all at
/// once takes 1 % less of a message.
pub(crate) const PIECES: usize = if cfg!(target_arch = "wasm32") { 1 } else { 27 };

impl<V: Lanes, const N: usize> Job<V, N> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        let zero = unsafe { V::splat(0) };
        Self { w: [MaybeUninit::uninit(); 80], s: [zero; 5], other_before: [zero; 5], equal_after: 0, equal_before: 0 }
    }

    #[inline(always)]
    fn word(&self, t: usize) -> V {
        // SAFETY: the pieces run in order, and each word is written before it
        // is read.
        unsafe { self.w[t].assume_init() }
    }

    /// Runs all of it.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
    pub(crate) fn whole<C: Chain>(&mut self, queue: &Queue<N>) {
        let mut q = 0;
        while q < 4 {
            let quad = queue.column::<V>(q);
            let mut i = 0;
            while i < 4 {
                self.w[4 * q + i].write(quad[i].from_be());
                i += 1;
            }
            q += 1;
        }
        let mut t = 16;
        while t < 80 {
            let w = self.word(t - 3).xor3(self.word(t - 8), self.word(t - 14)).xor(self.word(t - 16));
            self.w[t].write(w.rotl::<1, 31>());
            t += 1;
        }
        self.s = queue.state_60::<C, V>();
        let mut t = STEP;
        macro_rules! twenty {
            ($k:literal, $f:ident) => {
                while t > 20 * $k {
                    self.back(t, $k, V::$f);
                    t -= 5;
                }
            };
        }
        twenty!(2, majority);
        twenty!(1, xor3);
        twenty!(0, choose);
        self.other_before = self.s;
        self.s = queue.state_60::<C, V>();
        let mut t = STEP;
        while t < 80 {
            self.forward(t);
            t += 5;
        }
        self.compare::<C>(queue);
    }

    /// Runs one piece; they come in order, 0 to [`PIECES`] - 1.
    #[inline(always)]
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))]
    pub(crate) fn piece<C: Chain>(&mut self, queue: &Queue<N>, piece: usize) {
        match piece {
            0 | 1 => {
                let mut q = 2 * piece;
                while q < 2 * piece + 2 {
                    let [a, b, c, d] = queue.column::<V>(q);
                    self.w[4 * q].write(a.from_be());
                    self.w[4 * q + 1].write(b.from_be());
                    self.w[4 * q + 2].write(c.from_be());
                    self.w[4 * q + 3].write(d.from_be());
                    q += 1;
                }
            }
            2..10 => {
                let mut t = 8 * piece;
                while t < 8 * piece + 8 {
                    let w = self.word(t - 3).xor3(self.word(t - 8), self.word(t - 14)).xor(self.word(t - 16));
                    self.w[t].write(w.rotl::<1, 31>());
                    t += 1;
                }
                if piece == 9 {
                    self.s = queue.state_60::<C, V>();
                }
            }
            10..22 => {
                let t = STEP - 5 * (piece - 10);
                match (t - 1) / 20 {
                    0 => self.back(t, 0, V::choose),
                    1 => self.back(t, 1, V::xor3),
                    _ => self.back(t, 2, V::majority),
                }
                if piece == 21 {
                    self.other_before = self.s;
                    self.s = queue.state_60::<C, V>();
                }
            }
            22..26 => self.forward(STEP + 5 * (piece - 22)),
            _ => self.compare::<C>(queue),
        }
    }

    /// Which lanes collide.
    #[inline(always)]
    fn compare<C: Chain>(&mut self, queue: &Queue<N>) {
        let (before, after) = (queue.ordered::<C, V>(6), queue.ordered::<C, V>(7));
        let [e_before, e_after, ..] = queue.column::<V>(8);
        let (o, s) = (&self.other_before, &self.s);
        let x = [o[0].add(s[0]), o[1].add(s[1]), o[2].add(s[2]), o[3].add(s[3]), o[4].add(s[4])];
        self.equal_before = equal(o, &before, e_before);
        self.equal_after = equal(&x, &after, e_after);
    }

    /// Undoes steps t-1 to t-5.
    #[inline(always)]
    fn back(&mut self, t: usize, k: usize, f: impl Fn(V, V, V) -> V) {
        // SAFETY: a job exists, so the CPU has the instruction set.
        let k = unsafe { V::splat(K[k]) };
        let [mut a, mut b, mut c, mut d, mut e] = self.s;
        macro_rules! unstep {
            ($n:expr, $a:ident $b:ident $c:ident $d:ident $e:ident) => {
                // The state after the step is (a, b, c, d, e), the one before
                // it (b, c, d, e, a).
                $c = $c.rotl::<2, 30>();
                $a = $a.sub(self.word(t - $n).add(k)).sub($b.rotl::<5, 27>()).sub(f($c, $d, $e));
            };
        }
        unstep!(1, a b c d e);
        unstep!(2, b c d e a);
        unstep!(3, c d e a b);
        unstep!(4, d e a b c);
        unstep!(5, e a b c d);
        self.s = [a, b, c, d, e];
    }

    /// Steps t to t+4, all after step 60.
    #[inline(always)]
    fn forward(&mut self, t: usize) {
        // SAFETY: a job exists, so the CPU has the instruction set.
        let k = unsafe { V::splat(K[3]) };
        let [mut a, mut b, mut c, mut d, mut e] = self.s;
        macro_rules! step {
            ($n:expr, $a:ident $b:ident $c:ident $d:ident $e:ident) => {
                $e = $a.rotl::<5, 27>().add($b.xor3($c, $d)).add($e.add(self.word(t + $n).add(k)));
                $b = $b.rotl::<30, 2>();
            };
        }
        step!(0, a b c d e);
        step!(1, e a b c d);
        step!(2, d e a b c);
        step!(3, c d e a b);
        step!(4, b c d e a);
        self.s = [a, b, c, d, e];
    }

    /// After all pieces: reports what collides, and empties the queue.
    #[inline(always)]
    pub(crate) fn finish<C: Chain>(&self, queue: &mut Queue<N>, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        let lanes = match detection {
            Detection::On { reduced_rounds: false, .. } | Detection::Off => self.equal_after,
            Detection::On { reduced_rounds: true, .. } => self.equal_after | self.equal_before,
            Detection::Observe => !0,
        };
        if lanes != 0 {
            self.report::<C>(queue, lanes, hits);
        }
        queue.count = 0;
    }

    #[cold]
    #[inline(never)]
    fn report<C: Chain>(&self, queue: &Queue<N>, lanes: u32, hits: &mut dyn FnMut(Hit)) {
        for lane in (0..N).filter(|lane| lanes >> lane & 1 == 1) {
            let slot = block_in_lane(N, lane);
            if slot >= queue.count {
                continue;
            }
            // SAFETY: places below the count have been written.
            let (mut after, [_, e, ..]) =
                unsafe { (queue.quads[7][slot].assume_init(), queue.quads[8][slot].assume_init()) };
            if C::REVERSED {
                after.reverse();
            }
            let [a, b, c, d] = after;
            let before = lane_of(&self.other_before, lane);
            hits(Hit {
                index: queue.index[slot],
                vector: queue.vector[slot],
                reduced_round: self.equal_after >> lane & 1 == 0,
                after: [a, b, c, d, e],
                other: Other { before, after: add(before, lane_of(&self.s, lane)) },
            });
        }
    }
}

/// One lane of five vectors.
pub(crate) fn lane_of<V: Lanes>(vectors: &[V; 5], lane: usize) -> [u32; 5] {
    // SAFETY: a vector is `COUNT` words in memory, whatever its type.
    vectors.each_ref().map(|vector| unsafe { (&raw const *vector).cast::<u32>().add(lane).read() })
}

/// Bit l of the result: lane l is the same in all five words.
#[inline(always)]
fn equal<V: Lanes>(x: &[V; 5], abcd: &[V; 4], e: V) -> u32 {
    let (a, b) = (x[0].xor(abcd[0]), x[1].xor(abcd[1]));
    let (c, d) = (x[2].xor(abcd[2]), x[3].xor(abcd[3]));
    a.or(b).or(c.or(d)).or(x[4].xor(e)).zeros()
}

impl<const N: usize> Queue<N> {
    /// The state before step 60.
    #[inline(always)]
    fn state_60<C: Chain, V: Lanes>(&self) -> [V; 5] {
        let ([a_56, ..], [a, b, c, d]) = (self.ordered::<C, V>(4), self.ordered::<C, V>(5));
        // e is what a was four steps before.
        [a, b, c, d, a_56.rotl::<30, 2>()]
    }
}

/// One queue that fills and one that is being recompressed.
pub(crate) struct Recompressor<V, const N: usize> {
    queues: [Queue<N>; 2],
    /// Which one fills.
    filling: usize,
    job: Job<V, N>,
    /// The job's next piece.
    next: usize,
    /// Runs a piece: a function of its own, so that its code is there once and
    /// outside the chain's.
    piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize),
}

impl<V: Lanes, const N: usize> Recompressor<V, N> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`, and of `piece`.
    #[inline(always)]
    pub(crate) unsafe fn new(piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize)) -> Self {
        // SAFETY: the caller's promise.
        let job = unsafe { Job::new() };
        Self { queues: [Queue::new(), Queue::new()], filling: 0, job, next: PIECES, piece }
    }

    /// Runs a piece of the job, if there is one: to be called between blocks.
    #[inline(always)]
    pub(crate) fn between(&mut self) {
        if self.next < PIECES {
            // SAFETY: promised to `new`.
            unsafe { (self.piece)(&mut self.job, &self.queues[self.filling ^ 1], self.next) };
            self.next += 1;
        }
    }

    /// Adds a candidate.
    #[inline(always)]
    pub(crate) fn push<C: Chain>(
        &mut self,
        candidate: &Candidate<'_>,
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        self.queues[self.filling].push(candidate);
        if self.queues[self.filling].count == N {
            self.switch::<C>(detection, hits);
        }
    }

    /// Ends the job and begins the one on the queue that was filling.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    fn switch<C: Chain>(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        while self.next < PIECES {
            self.between();
        }
        let other = &mut self.queues[self.filling ^ 1];
        if other.count > 0 {
            self.job.finish::<C>(other, detection, hits);
        }
        self.filling ^= 1;
        self.next = 0;
    }

    /// Recompresses all that waits.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    pub(crate) fn flush<C: Chain>(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        self.queues[self.filling].clear_rest();
        while self.queues[0].count + self.queues[1].count > 0 {
            self.switch::<C>(detection, hits);
        }
    }
}

/// Quad `q` of a block as it lies in memory. Read at once: put together from bytes
/// it was 35 instructions.
#[inline(always)]
fn quad(block: &[u8; BLOCK_SIZE], q: usize) -> [u32; 4] {
    assert!(q < 4);
    // SAFETY: a block is four quads.
    unsafe { block.as_ptr().cast::<[u32; 4]>().add(q).read_unaligned() }
}

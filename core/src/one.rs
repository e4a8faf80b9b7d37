//! One message: the hash chain of the blocks of now, and beside it the filter
//! of the group of blocks before.
//!
//! The chain is a sequence of dependent instructions that leaves most of the
//! core idle; the filter looks at the expanded message only and can be late.
//! So the chain hands each group's expanded words over in a [`Window`], and
//! while it works on the next group, the filter of the last one runs in
//! pieces between the chain's rounds, small enough for out-of-order execution
//! to slip them into the gaps. What passes the filter, 1 block in 20, goes
//! into a [`Queue`] and is recompressed a vector of candidates at a time.

use core::mem::MaybeUninit;

use crate::arch::portable::U32x1;
use crate::detect::across::{self, Rotated, Words};
use crate::detect::filter::{FIRST, Scratch, WORDS};
use crate::detect::program::{PIECES, piece};
use crate::detect::queue::{Candidate, Job, Queue, Recompressor};
use crate::detect::recompress::{AS_IS, Compressed, Verdict, carry, recompress_from_60};
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::schedule::{BLOCK_SIZE, words};

/// The window holds words 32 to 67, in quads.
pub(crate) const FIRST_QUAD: usize = 8;
pub(crate) const QUADS: usize = 9;

/// Gaps between the rounds of a block in which the filter may run.
pub(crate) const GAPS: usize = 5;

/// How one block is compressed into the chaining value: an instruction set's
/// rounds.
pub(crate) trait Chain {
    /// Whether the quads it hands over stand last word first.
    const REVERSED: bool;

    /// # Safety
    ///
    /// The CPU has the instruction set.
    unsafe fn new(h: &[u32; 5]) -> Self;

    /// The chaining value.
    fn get(&self) -> [u32; 5];

    /// Compresses a block, and leaves what detection needs: its words in place
    /// `b` of the window, its states in place `i` of the trail. Calls `gap`
    /// with 0 to 4 between its rounds, after four quads each.
    fn block<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        leave: Option<(&mut Window<N>, usize, &mut Trail, usize)>,
        gap: impl FnMut(usize),
    );

    /// What is left to do between [`begin_alone`](Self::begin_alone) and
    /// [`end_alone`](Self::end_alone).
    type Rest;

    /// Begins a block by itself: leaves its words 32 to 67, in order.
    fn begin_alone(&mut self, block: &[u8; BLOCK_SIZE], words: &mut Words, trail: &mut Trail) -> Self::Rest;

    /// Ends it: its states are in place 0 of the trail.
    fn end_alone(&mut self, rest: Self::Rest, trail: &mut Trail);

    /// Writes the chaining value to place `i` of the trail.
    fn leave(&self, trail: &mut Trail, i: usize);
}

/// Expanded words 32 to 67 of a group of `N` blocks.
///
/// In quads, because that is what SHA-1 instructions produce and what 4x4
/// transpositions read. `[q][b]`: so that one quad of all blocks is
/// contiguous, and a vector load needs no gathering.
#[repr(C, align(64))]
pub(crate) struct Window<const N: usize> {
    pub words: [[Quad; N]; QUADS],
}

/// Four words that the chain stores and something wide reads later. Memory
/// that is used for large messages only is not cleared for small ones.
pub(crate) type Quad = MaybeUninit<[u32; 4]>;

impl<const N: usize> Window<N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { words: [[const { Quad::uninit() }; N]; QUADS] }
    }

    /// Clears the places from `count` on, of blocks that do not exist.
    fn clear_from(&mut self, count: usize) {
        for quads in &mut self.words {
            quads[count..].fill(Quad::new([0; 4]));
        }
    }
}

/// Blocks in a batch: candidates are looked for once a batch. A multiple of
/// every group's size. 64 blocks have 3 candidates; looked for after each group
/// of 8, mispredicted branches cost 0.7 ns a block.
pub(crate) const BATCH: usize = 64;

/// What recompression needs of the blocks, block i in place `i % TRAIL`.
#[repr(C, align(64))]
pub(crate) struct Trail {
    /// a, b, c, d of the working state before step 56 and step 60.
    pub state_56: [Quad; TRAIL],
    pub state_60: [Quad; TRAIL],
    /// Chaining value before each block: a, b, c, d.
    pub chain: [Quad; TRAIL],
    /// Likewise: e.
    pub chain_e: [MaybeUninit<u32>; TRAIL],
    /// Each block's mask of the vectors whose conditions it satisfies, in the
    /// order of lanes.
    masks: [MaybeUninit<u32>; TRAIL],
}

/// A ring of two batches: while one is looked through, the next has begun.
pub(crate) const TRAIL: usize = 2 * BATCH;

impl Trail {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        const QUAD: Quad = Quad::uninit();
        Self {
            state_56: [QUAD; TRAIL],
            state_60: [QUAD; TRAIL],
            chain: [QUAD; TRAIL],
            chain_e: [MaybeUninit::uninit(); TRAIL],
            masks: [MaybeUninit::uninit(); TRAIL],
        }
    }

    /// Keeps the mask of one block: see [`put_masks`](Self::put_masks).
    #[inline(always)]
    pub(crate) fn put_mask(&mut self, place: usize, mask: u32) {
        self.masks[place % TRAIL].write(mask);
    }

    /// Keeps the masks of the `N` blocks from `first` on, in the order of lanes.
    #[inline(always)]
    pub(crate) fn put_masks<V: Lanes, const N: usize>(&mut self, first: usize, masks: V) {
        const { assert!(V::COUNT == N && TRAIL.is_multiple_of(N)) };
        // SAFETY: N divides TRAIL, and `first` is a multiple of N.
        unsafe { masks.store(self.masks[first % TRAIL..][..N].as_mut_ptr().cast()) };
    }

    /// Puts the candidates of a batch into the recompressor's queue. Bit p of
    /// `candidates`: the block in place p of the batch's masks satisfies some
    /// vector. The batch begins with block `batch`; blocks from `end` on do
    /// not exist.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // all that a hit is made of
    pub(crate) fn queue<C: Chain, W: Lanes, const N: usize, const Q: usize>(
        &self,
        mut candidates: u64,
        batch: usize,
        end: usize,
        blocks: &[[u8; BLOCK_SIZE]],
        recompressor: &mut Recompressor<W, Q>,
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        let (mut mask, mut i) = (0, 0);
        loop {
            if mask == 0 {
                if candidates == 0 {
                    break;
                }
                let place = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                i = batch + place / N * N + block_in_lane(N, place % N);
                if i >= end {
                    continue;
                }
                // SAFETY: its group has been filtered.
                mask = unsafe { self.masks[batch % TRAIL + place].assume_init() };
            }
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            mask &= mask - 1;
            let (place, next) = (i % TRAIL, (i + 1) % TRAIL);
            let [state_56, state_60] = if AS_IS >> vector.index() & 1 == 1 {
                // SAFETY: the block has been compressed.
                unsafe { [self.state_56[place].assume_init(), self.state_60[place].assume_init()] }
            } else {
                self.carry::<C>(place, &blocks[i], vector)
            };
            // SAFETY: this block and the next have been begun.
            let candidate = unsafe {
                Candidate {
                    block: &blocks[i],
                    vector,
                    state_56,
                    state_60,
                    before: self.chain[place].assume_init(),
                    after: self.chain[next].assume_init(),
                    e: [self.chain_e[place].assume_init(), self.chain_e[next].assume_init()],
                    index: i,
                }
            };
            recompressor.push::<C>(&candidate, detection, hits);
        }
    }

    /// Recompresses the block in place `i` for the vectors of `mask`, one by
    /// one.
    #[allow(clippy::too_many_arguments)] // all of a hit
    #[inline(never)]
    fn prove<C: Chain>(
        &self,
        i: usize,
        mut mask: u32,
        block: &[u8; BLOCK_SIZE],
        index: usize,
        after: [u32; 5],
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        let order = |mut quad: [u32; 4]| {
            if C::REVERSED {
                quad.reverse();
            }
            quad
        };
        // SAFETY: the block has been compressed.
        let (state_56, state_60, before) =
            unsafe { (self.state_56[i].assume_init(), self.state_60[i].assume_init(), self.chain[i].assume_init()) };
        // SAFETY: likewise.
        let before_e = unsafe { self.chain_e[i].assume_init() };
        let ([a, b, c, d], e) = (order(state_60), order(state_56)[0].rotate_left(30));
        let [h0, h1, h2, h3] = order(before);
        let words = words(block);
        let compressed = Compressed { words: &words, before: [h0, h1, h2, h3, before_e], after };
        while mask != 0 {
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            mask &= mask - 1;
            let other = recompress_from_60(&compressed, vector, [a, b, c, d, e]);
            let verdict = other.verdict(&compressed);
            if detection.reports(verdict) {
                hits(Hit { index, vector, reduced_round: verdict == Verdict::ReducedRound, after, other });
            }
        }
    }

    /// The quads of the states before step 56 and step 60, as recompression
    /// wants them where the other message's state is not this one's.
    #[cold]
    #[inline(never)]
    fn carry<C: Chain>(&self, place: usize, block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> [[u32; 4]; 2] {
        let order = |mut quad: [u32; 4]| {
            if C::REVERSED {
                quad.reverse();
            }
            quad
        };
        // SAFETY: the block in this place has been compressed.
        let (state_56, state_60) = unsafe { (self.state_56[place].assume_init(), self.state_60[place].assume_init()) };
        let [a, b, c, d] = order(state_60);
        let e = order(state_56)[0].rotate_left(30);
        let [a, b, c, d, e] = carry([a, b, c, d, e], &words(block), vector);
        [order([e.rotate_right(30), 0, 0, 0]), order([a, b, c, d])]
    }
}

/// Steps of the filter of one window: transpositions, then the program.
pub(crate) const STEPS: usize = QUADS + PIECES;

/// The `j`-th step of the filter in gap `k` of `gaps`, or a number past all.
pub(crate) const fn step_in_gap(gaps: usize, k: usize, j: usize) -> usize {
    let (start, end) = (k * STEPS / gaps, (k + 1) * STEPS / gaps);
    if start + j < end { start + j } else { STEPS }
}

/// Runs step `STEP` of the filter of `window`.
#[inline(always)]
pub(crate) fn filter_step<C: Chain, V: Lanes, const N: usize, const STEP: usize>(
    scratch: &mut Scratch<V>,
    window: &Window<N>,
) {
    macro_rules! dispatch {
        ($($n:literal)*) => {
            match STEP {
                quad @ 0..QUADS => transpose_quad::<C, V, N>(scratch, window, quad),
                $(x if x == QUADS + $n => piece::<$n>(scratch),)*
                _ => {}
            }
        };
    }
    dispatch!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
}

#[inline(always)]
fn transpose_quad<C: Chain, V: Lanes, const N: usize>(scratch: &mut Scratch<V>, window: &Window<N>, quad: usize) {
    const { assert!(V::COUNT == N) };
    if quad == 0 {
        scratch.begin();
    }
    let from = window.words[quad].as_ptr().cast::<u32>();
    // SAFETY: a quad of N blocks is 4 vectors of N words; a `Scratch` exists,
    // so the CPU has the instruction set.
    let rows = unsafe { [V::load(from), V::load(from.add(N)), V::load(from.add(2 * N)), V::load(from.add(3 * N))] };
    let [a, b, c, d] = V::transpose(rows);
    let columns = if C::REVERSED { [d, c, b, a] } else { [a, b, c, d] };
    let mut j = 0;
    while j < 4 {
        let step = 4 * (FIRST_QUAD + quad) + j;
        if (FIRST..FIRST + WORDS).contains(&step) {
            scratch.w[step - FIRST].write(columns[j]);
        }
        j += 1;
    }
}

/// Compresses `blocks` into `h` without detection.
///
/// # Safety
///
/// The CPU has the instruction set of `C`.
#[inline(always)]
pub(crate) unsafe fn plain<C: Chain>(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]]) {
    // SAFETY: the caller's promise.
    let mut chain = unsafe { C::new(h) };
    for block in blocks {
        chain.block::<1>(block, None, |_| {});
    }
    *h = chain.get();
}

/// A block's rounds, as a function of its own: V8 11 (Node 20) leaves larger
/// ones than this to its baseline compiler.
#[inline(never)]
fn block_apart<C: Chain, const N: usize>(
    chain: &mut C,
    block: &[u8; BLOCK_SIZE],
    window: &mut Window<N>,
    b: usize,
    trail: &mut Trail,
    i: usize,
) {
    chain.block(block, Some((window, b, trail, i)), |_| {});
}

/// The filter of a window, likewise.
#[inline(never)]
fn filter_apart<C: Chain, V: Lanes, const N: usize>(scratch: &mut Scratch<V>, window: &Window<N>) {
    for quad in 0..QUADS {
        transpose_quad::<C, V, N>(scratch, window, quad);
    }
    scratch.run();
}

/// Compresses `blocks` into `h` and checks them, one block after the other,
/// without lanes.
#[inline(always)]
pub(crate) fn scan_each<C: Chain>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
) {
    // SAFETY: every CPU has words.
    let (mut chain, mut scratch) = unsafe { (C::new(h), Scratch::<U32x1>::new()) };
    let mut window = Window::<1>::new();
    let mut trail = Trail::new();
    for (index, block) in blocks.iter().enumerate() {
        block_apart(&mut chain, block, &mut window, 0, &mut trail, 0);
        filter_apart::<C, U32x1, 1>(&mut scratch, &window);
        let mask = scratch.mask().get();
        if mask != 0 {
            trail.prove::<C>(0, mask, block, index, chain.get(), detection, hits);
        }
    }
    *h = chain.get();
}

/// Compresses `blocks` into `h` and checks them, one block after the other:
/// for few of them. The conditions are tested in lanes `V`, which has `L`.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and `V`.
#[inline(always)]
pub(crate) unsafe fn scan_few<C: Chain, V: Lanes, const L: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
) {
    // SAFETY: the caller's promise.
    let mut chain = unsafe { C::new(h) };
    let mut words = Words([0; 64]);
    let mut trail = Trail::new();
    for (index, block) in blocks.iter().enumerate() {
        // The words are made and rotated before the rounds: a wide load cannot
        // take its bytes from narrower stores before they have retired, and
        // they retire after what precedes them. So the conditions find them in
        // memory while the rounds still wait for one another.
        let rest = chain.begin_alone(block, &mut words, &mut trail);
        // SAFETY: the caller's promise.
        let rotated = unsafe { Rotated::new::<V, L>(&words) };
        chain.end_alone(rest, &mut trail);
        // SAFETY: the caller's promise.
        let mask = unsafe { across::mask::<V, L>(&words, &rotated) };
        if mask != 0 {
            trail.prove::<C>(0, mask, block, index, chain.get(), detection, hits);
        }
    }
    *h = chain.get();
}

/// Compresses `blocks` into `h` and checks them. Candidates are recompressed in
/// lanes `W`.
///
/// `group` compresses `N` blocks, with the filter of the last window in the
/// gaps: [`grouped`] writes it.
///
/// # Safety
///
/// The CPU has the instruction sets of `C`, `V` and `W`.
#[inline(always)]
pub(crate) unsafe fn scan<C: Chain, V: Lanes, W: Lanes, const N: usize, const Q: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    group: impl Fn(
        &mut C,
        &[[u8; BLOCK_SIZE]; N],
        &mut Window<N>,
        &mut Trail,
        usize,
        &mut Scratch<V>,
        &Window<N>,
        &mut Recompressor<W, Q>,
    ),
    piece: unsafe fn(&mut Job<W, Q>, &Queue<Q>, usize),
) {
    const { assert!(BATCH.is_multiple_of(N) && BATCH <= 64) };
    // SAFETY: the caller's promise.
    let (mut chain, mut scratch, mut recompressor) =
        unsafe { (C::new(h), Scratch::<V>::new(), Recompressor::new(piece)) };
    // From here on the compiler must take the scratch to be known outside, so
    // that it stays in memory and its parts in their gaps.
    core::hint::black_box(&mut scratch);
    let mut trail = Trail::new();
    let (mut now, mut last) = (&mut Window::<N>::new(), &mut Window::<N>::new());
    // Blocks of the window that waits for its filter: first, and how many.
    let mut pending: Option<(usize, usize)> = None;
    // Bit i: the block in place i of the batch's masks satisfies some vector.
    let mut candidates = 0_u64;
    let mut start = 0;
    loop {
        let place = start % TRAIL;
        let chunk = blocks[start..].first_chunk::<N>();
        let mut filtered = false;
        let count = match chunk {
            Some(chunk) if pending.is_some() => {
                group(&mut chain, chunk, now, &mut trail, place, &mut scratch, last, &mut recompressor);
                filtered = true;
                N
            }
            _ => {
                let chunk = &blocks[start..blocks.len().min(start + N)];
                for (b, block) in chunk.iter().enumerate() {
                    chain.block(block, Some((now, b, &mut trail, place + b)), |_| {});
                }
                now.clear_from(chunk.len());
                chunk.len()
            }
        };
        if let Some((first, len)) = pending {
            if !filtered {
                for quad in 0..QUADS {
                    transpose_quad::<C, V, N>(&mut scratch, last, quad);
                }
                scratch.run();
            }
            let mask = scratch.mask();
            trail.put_masks::<V, N>(first, mask);
            candidates |= u64::from(!mask.zeros() & (u32::MAX >> (32 - N))) << (first % BATCH);

            let done = count == 0;
            if done || (first + len) % BATCH == 0 {
                let batch = first / BATCH * BATCH;
                if done {
                    chain.leave(&mut trail, place);
                }
                trail.queue::<C, W, N, Q>(candidates, batch, first + len, blocks, &mut recompressor, detection, hits);
                candidates = 0;
            }
        }
        if count == 0 {
            break;
        }
        pending = Some((start, count));
        start += count;
        core::mem::swap(&mut now, &mut last);
    }
    recompressor.flush::<C>(detection, hits);
    *h = chain.get();
}

/// Writes a function that compresses a group of blocks with the filter of the
/// last group in the gaps. A macro, because which step runs in which gap is
/// known when compiled, and stable Rust computes no const argument from
/// another.
macro_rules! grouped {
    ($chain:ty, $lanes:ty, $count:literal: $($b:literal)*) => {
        #[inline(always)]
        |chain: &mut $chain, blocks: &[[u8; 64]; $count], now: &mut $crate::one::Window<$count>,
         trail: &mut $crate::one::Trail, at: usize,
         scratch: &mut $crate::detect::filter::Scratch<$lanes>, last: &$crate::one::Window<$count>, recompressor: &mut $crate::detect::queue::Recompressor<_, _>| {
            use $crate::one::Chain;
            $(chain.block(&blocks[$b], Some((&mut *now, $b, &mut *trail, at + $b)), #[inline(always)] |gap| match gap {
                0 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5, scratch, last),
                1 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 1, scratch, last),
                2 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 2, scratch, last),
                3 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 3, scratch, last),
                _ => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 4, scratch, last),
            }); recompressor.between();)*
        }
    };
    (@gap $chain:ty, $lanes:ty, $count:literal, $k:expr, $scratch:ident, $last:ident) => {{
        use $crate::one::{GAPS, filter_step, step_in_gap};
        const { assert!($crate::one::STEPS <= 4 * $count * GAPS) };
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 0) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 1) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 2) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 3) }>($scratch, $last);
    }};
}
pub(crate) use grouped;

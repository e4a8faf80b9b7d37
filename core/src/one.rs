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

use crate::detect::filter::{FIRST, Scratch, Survivors, WORDS};
use crate::detect::program::{PIECES, piece};
use crate::detect::queue::{Candidate, IN_LANES, JOB_PIECES, Job, Queue};
use crate::detect::vectors::DisturbanceVector;
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::naive;
use crate::schedule::BLOCK_SIZE;

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

    /// Compresses a block, and leaves in place `b` of the window what
    /// detection needs. Calls `gap` with 0 to 4 between its rounds, after
    /// four quads each.
    fn block<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        window: Option<(&mut Window<N>, usize)>,
        gap: impl FnMut(usize),
    );
}

/// What the chain leaves behind of a group of `N` blocks.
///
/// In quads, because that is what SHA-1 instructions produce and what 4x4
/// transpositions read. `[q][b]`: so that one quad of all blocks is
/// contiguous, and a vector load needs no gathering.
#[repr(C, align(64))]
pub(crate) struct Window<const N: usize> {
    /// Expanded words 32 to 67.
    pub words: [[[u32; 4]; N]; QUADS],
    /// a, b, c, d of the working state before steps 56 and 60.
    pub states: [[[u32; 4]; N]; 2],
    /// Chaining value before each block: a, b, c, d.
    pub before: [[u32; 4]; N],
    /// Likewise: e.
    pub before_e: [u32; N],
}

impl<const N: usize> Window<N> {
    #[inline(always)]
    const fn new() -> Self {
        Self { words: [[[0; 4]; N]; QUADS], states: [[[0; 4]; N]; 2], before: [[0; 4]; N], before_e: [0; N] }
    }
}

/// A quad in the order of its steps.
#[inline(always)]
fn ordered<C: Chain>([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    if C::REVERSED { [d, c, b, a] } else { [a, b, c, d] }
}

impl<const N: usize> Window<N> {
    #[inline(always)]
    fn before<C: Chain>(&self, b: usize) -> [u32; 5] {
        let [h0, h1, h2, h3] = ordered::<C>(self.before[b]);
        [h0, h1, h2, h3, self.before_e[b]]
    }
}

/// Steps of the filter of one window: transpositions, then the program.
pub(crate) const STEPS: usize = QUADS + PIECES;

/// The `j`-th step of the filter in gap `k` of `gaps`, or a number past all.
pub(crate) const fn step_in_gap(gaps: usize, k: usize, j: usize) -> usize {
    let (start, end) = (k * STEPS / gaps, (k + 1) * STEPS / gaps);
    if start + j < end { start + j } else { STEPS }
}

/// Likewise for the pieces of a recompression; at most one a gap, or two.
pub(crate) const fn job_piece_in_gap(gaps: usize, k: usize, j: usize) -> usize {
    let (start, end) = (k * JOB_PIECES / gaps, (k + 1) * JOB_PIECES / gaps);
    if start + j < end { start + j } else { JOB_PIECES }
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
                $(x if x == QUADS + $n => piece::<V, $n>(scratch),)*
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
    let from = window.words[quad].as_ptr().cast::<u32>();
    // SAFETY: a quad of N blocks is 4 vectors of N words; a `Scratch` exists,
    // so the CPU has the instruction set.
    let rows = unsafe { [V::load(from), V::load(from.add(N)), V::load(from.add(2 * N)), V::load(from.add(3 * N))] };
    let [a, b, c, d] = V::transpose(rows);
    let columns = if C::REVERSED { [d, c, b, a] } else { [a, b, c, d] };
    let mut j = 0;
    while j < 4 {
        let step = 4 * (FIRST_QUAD + quad) + j;
        if step >= FIRST && step < FIRST + WORDS {
            scratch.w[step - FIRST] = columns[j];
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

/// The filter's working memory and the candidates, of one call.
pub(crate) struct Detector<'a, V: Lanes, const N: usize> {
    scratch: Scratch<V>,
    found: Survivors,
    queue: Queue<N>,
    job: Job<V, N>,
    /// The job holds candidates.
    waiting: bool,
    detection: Detection,
    blocks: &'a [[u8; BLOCK_SIZE]],
    hits: &'a mut dyn FnMut(Hit),
}

impl<V: Lanes, const N: usize> Detector<'_, V, N> {
    /// Takes over what passed the filter, of a window whose first block is
    /// `blocks[start]` and of which `count` are real. `after` is the chaining
    /// value after its last.
    #[inline(always)]
    fn collect<C: Chain>(&mut self, window: &Window<N>, start: usize, count: usize, after: [u32; 5]) {
        let found = self.scratch.survivors(&mut self.found);
        let mut i = 0;
        while i < found {
            let (lane, d) = self.found[i];
            i += 1;
            let b = block_in_lane(N, lane as usize);
            if b >= count {
                continue;
            }
            let (index, vector) = (start + b, DisturbanceVector::new(d as usize));
            let before = window.before::<C>(b);
            if self.queue.count() == N && !self.waiting {
                self.job.take(&mut self.queue);
                self.waiting = true;
            }
            if IN_LANES >> d & 1 == 0 || self.queue.count() == N {
                // Rare: a vector that the lanes do not take, or more
                // candidates in a group than an honest message has.
                if let Some(hit) = naive::prove(before, &self.blocks[index], index, vector, self.detection) {
                    (self.hits)(hit);
                }
                continue;
            }
            self.queue.push(&Candidate {
                block: &self.blocks[index],
                vector,
                abcd: ordered::<C>(window.states[1][b]),
                a_56: ordered::<C>(window.states[0][b])[0],
                before,
                after: if b + 1 < count { window.before::<C>(b + 1) } else { after },
                index,
            });
        }
    }

    /// Filters a window by itself, when no group follows.
    #[inline(always)]
    fn filter<C: Chain>(&mut self, window: &Window<N>) {
        for quad in 0..QUADS {
            transpose_quad::<C, V, N>(&mut self.scratch, window, quad);
        }
        self.scratch.run();
    }

    /// Recompresses what still waits.
    #[inline(always)]
    fn flush(&mut self) {
        while self.waiting || self.queue.count() > 0 {
            if !self.waiting {
                self.job.take(&mut self.queue);
            }
            self.job.run();
            self.job.finish(self.detection, self.hits);
            self.waiting = false;
        }
    }
}

/// Compresses `blocks` into `h` and checks them.
///
/// `group` compresses `N` blocks into a window, with the filter of the last
/// window in its gaps, and `group_with_job` a recompression too: [`grouped`]
/// writes both.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and `V`.
#[inline(always)]
pub(crate) unsafe fn scan<C: Chain, V: Lanes, const N: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    group: impl Fn(&mut C, &[[u8; BLOCK_SIZE]; N], &mut Window<N>, &mut Scratch<V>, &Window<N>),
    group_with_job: impl Fn(
        &mut C,
        &[[u8; BLOCK_SIZE]; N],
        &mut Window<N>,
        &mut Scratch<V>,
        &Window<N>,
        &mut Job<V, N>,
    ),
) {
    // SAFETY: the caller's promise, for both.
    let (mut chain, scratch, job) = unsafe { (C::new(h), Scratch::<V>::new(), Job::new()) };
    let mut detector = Detector {
        scratch,
        found: [(0, 0); 16 * 32],
        queue: Queue::<N>::new(),
        job,
        waiting: false,
        detection,
        blocks,
        hits,
    };
    let (mut now, mut last) = (&mut Window::<N>::new(), &mut Window::<N>::new());
    // Of the window that waits for its filter: its first block, and how many.
    let mut pending: Option<(usize, usize)> = None;
    let mut start = 0;
    loop {
        let after = chain.get();
        let (chunk, _) = blocks[start..].as_chunks::<N>();
        let mut filtered = false;
        let count = match (chunk.first(), pending) {
            (Some(chunk), Some(_)) => {
                if detector.waiting {
                    group_with_job(&mut chain, chunk, now, &mut detector.scratch, last, &mut detector.job);
                    detector.job.finish(detection, detector.hits);
                    detector.waiting = false;
                } else {
                    group(&mut chain, chunk, now, &mut detector.scratch, last);
                }
                filtered = true;
                N
            }
            _ => {
                let rest = &blocks[start..blocks.len().min(start + N)];
                for (b, block) in rest.iter().enumerate() {
                    chain.block(block, Some((now, b)), |_| {});
                }
                rest.len()
            }
        };
        if let Some((first, count)) = pending {
            if !filtered {
                detector.filter::<C>(last);
            }
            detector.collect::<C>(last, first, count, after);
        }
        if count == 0 {
            break;
        }
        pending = Some((start, count));
        start += count;
        core::mem::swap(&mut now, &mut last);
    }
    detector.flush();
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
         scratch: &mut $crate::detect::filter::Scratch<$lanes>, last: &$crate::one::Window<$count>| {
            $(chain.block(&blocks[$b], Some((&mut *now, $b)), #[inline(always)] |gap| {
                $crate::one::grouped!(@gaps gap, filter, $chain, $lanes, $count, $b, scratch, last)
            });)*
        }
    };
    (job $chain:ty, $lanes:ty, $count:literal: $($b:literal)*) => {
        #[inline(always)]
        |chain: &mut $chain, blocks: &[[u8; 64]; $count], now: &mut $crate::one::Window<$count>,
         scratch: &mut $crate::detect::filter::Scratch<$lanes>, last: &$crate::one::Window<$count>,
         job: &mut $crate::detect::queue::Job<$lanes, $count>| {
            $(chain.block(&blocks[$b], Some((&mut *now, $b)), #[inline(always)] |gap| {
                $crate::one::grouped!(@gaps gap, filter, $chain, $lanes, $count, $b, scratch, last);
                $crate::one::grouped!(@gaps gap, job, $chain, $lanes, $count, $b, job, last);
            });)*
        }
    };
    (@gaps $gap:ident, $what:ident, $chain:ty, $lanes:ty, $count:literal, $b:literal, $on:ident, $last:ident) => {
        match $gap {
            0 => $crate::one::grouped!(@$what $chain, $lanes, $count, $b * 5, $on, $last),
            1 => $crate::one::grouped!(@$what $chain, $lanes, $count, $b * 5 + 1, $on, $last),
            2 => $crate::one::grouped!(@$what $chain, $lanes, $count, $b * 5 + 2, $on, $last),
            3 => $crate::one::grouped!(@$what $chain, $lanes, $count, $b * 5 + 3, $on, $last),
            _ => $crate::one::grouped!(@$what $chain, $lanes, $count, $b * 5 + 4, $on, $last),
        }
    };
    (@filter $chain:ty, $lanes:ty, $count:literal, $k:expr, $scratch:ident, $last:ident) => {{
        use $crate::one::{GAPS, filter_step, step_in_gap};
        const { assert!($crate::one::STEPS <= 4 * $count * GAPS) };
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 0) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 1) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 2) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 3) }>($scratch, $last);
    }};
    (@job $chain:ty, $lanes:ty, $count:literal, $k:expr, $job:ident, $last:ident) => {{
        use $crate::one::{GAPS, job_piece_in_gap};
        const { assert!($crate::detect::queue::JOB_PIECES <= 2 * $count * GAPS) };
        $job.piece::<{ job_piece_in_gap($count * GAPS, $k, 0) }>();
        $job.piece::<{ job_piece_in_gap($count * GAPS, $k, 1) }>();
    }};
}
pub(crate) use grouped;

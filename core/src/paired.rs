//! One message on SHA-1 instructions without AVX-512: [`crate::one`], with a
//! filter over two groups of blocks at once.
//!
//! Half of each word is none of the conditions' business: see
//! [`crate::detect::halves`], which this is in pieces. So lanes of SSE take eight
//! blocks, lanes of AVX2 sixteen, and the filter itself hides behind the chain. Of
//! the 2.2 ns that AVX2 adds to 38.0 a block on Zen 3, 0.6 are for the words and
//! states that the chain leaves, 1.6 for candidates, put off and recompressed four
//! side by side, with a vector's number looked for in eights. Slots between the rounds
//! ([`crate::trail::InSlots`]) came to 44.8 in SSE in all, lanes to 42.5.

use core::mem::MaybeUninit;

use crate::detect::filter::{FIRST, HIGH_BIT, LOW, LOW_BIT, WORDS, Work};
use crate::detect::halves::{Half, place};
use crate::detect::program::{INVERSES, KEPT, PIECES, piece};
use crate::detect::recompress::{AS_IS, Compressed};
use crate::detect::vectors::{COUNT, DIFFERENCE_BYTES, DisturbanceVector};
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::one::{Chain, FIRST_QUAD, QUADS, Window, columns};
use crate::schedule::{BLOCK_SIZE, add, expand, steps, unsteps, words};
use crate::trail::{BATCH, Candidates, Collides, TRAIL, Trail, prove_slowly, state};

/// Candidates that are recompressed side by side.
pub(crate) const WIDTH: usize = 4;

/// Results of a group that are looked at together.
const TOGETHER: usize = 8;

/// Where in a half the result of each vector is made to be.
const PLACE: u32 = place(HIGH_BIT) as u32;

/// Groups in the ring of results, of the smallest groups that there are.
const RING: usize = TRAIL / 8;

/// Steps of the filter of one window: transpositions, the program, the end.
const STEPS: usize = QUADS + PIECES + 1;

/// Lanes that go with a chain.
pub(crate) trait Joins<V: Lanes>: Chain {
    /// Bytes 3 and 0 of each word: of `low` in bits 0 to 7 and 8 to 15, of
    /// `high` in bits 16 to 23 and 24 to 31.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of the chain.
    unsafe fn join(low: V, high: V) -> V;
}

/// A chain that can recompress several candidates side by side.
pub(crate) trait Abreast: Chain + Copy {
    /// A candidate that waits.
    type Aside: Copy;

    /// # Safety
    ///
    /// The CPU has the instruction set.
    unsafe fn nothing() -> Self::Aside;

    /// The block in place `place` of the trail, for a vector whose two messages
    /// have the same state before step 60.
    fn aside(trail: &Trail, place: usize, block: &[u8; BLOCK_SIZE], difference: &[u8; BLOCK_SIZE]) -> Self::Aside;

    /// Bit k: what [`Chain::collides`] says of the k-th, if the chaining value
    /// before the block does not count.
    fn any(asides: &[Self::Aside; WIDTH]) -> u32;
}

/// The filter's memory.
#[repr(C, align(64))]
pub(crate) struct Paired<V> {
    words: [MaybeUninit<V>; WORDS],
    kept: [MaybeUninit<V>; KEPT],
    /// Masks are made of them for candidates only: for all blocks that would be
    /// a third of the filter.
    found: [Found<V>; RING],
    /// Which of them the filter is at.
    now: usize,
    /// Bit p: block p of the group that was filtered last passes for some
    /// vector.
    passed: u32,
}

/// What the filter finds: in bit [`PLACE`] of each half whether the block
/// satisfies the conditions of each vector, and those of any of eight vectors.
#[repr(C, align(64))]
struct Found<V> {
    of: [MaybeUninit<V>; COUNT],
    any: [MaybeUninit<V>; COUNT / TOGETHER],
}

impl<V: Lanes> Paired<V> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`.
    #[inline(always)]
    pub(crate) const unsafe fn new() -> Self {
        const { assert!(cfg!(target_endian = "little")) };
        Self {
            words: [const { MaybeUninit::uninit() }; WORDS],
            kept: [const { MaybeUninit::uninit() }; KEPT],
            found: [const {
                Found {
                    of: [const { MaybeUninit::uninit() }; COUNT],
                    any: [const { MaybeUninit::uninit() }; COUNT / TOGETHER],
                }
            }; RING],
            now: 0,
            passed: 0,
        }
    }

    /// Runs step `STEP` of the filter of `window`; they come in order.
    #[inline(always)]
    pub(crate) fn step<C: Joins<V>, const N: usize, const STEP: usize>(&mut self, window: &Window<N>) {
        macro_rules! dispatch {
            ($($n:literal)*) => {
                match STEP {
                    quad @ 0..QUADS => self.quad::<C, N>(window, quad),
                    $(x if x == QUADS + $n && $n < PIECES => self.piece::<$n>(),)*
                    // SAFETY: all others have run.
                    x if x + 1 == STEPS => unsafe { self.end() },
                    _ => {}
                }
            };
        }
        const { assert!(PIECES <= 40) };
        dispatch!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39);
    }

    #[inline(always)]
    fn quad<C: Joins<V>, const N: usize>(&mut self, window: &Window<N>, quad: usize) {
        const { assert!(N == 2 * V::COUNT) };
        let from = window.words[quad].as_ptr().cast::<u32>();
        macro_rules! row {
            ($l:literal) => {
                // SAFETY: a quad of N blocks is 8 vectors of words, and whoever
                // made this has the instruction set.
                unsafe { C::join(V::load(from.add(V::COUNT * $l)), V::load(from.add(V::COUNT * ($l + 4)))) }
            };
        }
        let columns = columns::<C, V>([row!(0), row!(1), row!(2), row!(3)]);
        let mut j = 0;
        while j < 4 {
            let step = 4 * (FIRST_QUAD + quad) + j;
            if (FIRST..FIRST + WORDS).contains(&step) {
                self.words[step - FIRST].write(columns[j]);
            }
            j += 1;
        }
    }

    #[inline(always)]
    fn piece<const P: usize>(&mut self) {
        if P < PIECES {
            piece::<P>(&mut Piece { inverse: const { INVERSES.0[P % PIECES] }, of: self });
        }
    }

    /// Ends the filter of a group.
    ///
    /// # Safety
    ///
    /// All steps have run.
    #[inline(always)]
    unsafe fn end(&mut self) {
        let found = &mut self.found[self.now % RING];
        self.now = (self.now + 1) % RING;
        // SAFETY: the caller's promise.
        unsafe {
            let of = &found.of;
            macro_rules! or {
                ($i:expr, $j:expr) => {
                    of[$i].assume_init().or(of[$j].assume_init())
                };
            }
            macro_rules! any {
                ($q:literal) => {{
                    let any = or!(8 * $q, 8 * $q + 1)
                        .or(or!(8 * $q + 2, 8 * $q + 3))
                        .or(or!(8 * $q + 4, 8 * $q + 5).or(or!(8 * $q + 6, 8 * $q + 7)));
                    found.any[$q].write(any);
                    any
                }};
            }
            const { assert!(COUNT == 32 && TOGETHER == 8) };
            let all = any!(0).or(any!(1)).or(any!(2).or(any!(3)));
            let lanes = u32::MAX >> (32 - V::COUNT);
            let low = !all.and(V::splat(1 << PLACE)).zeros() & lanes;
            let high = !all.and(V::splat(1 << (PLACE + 16))).zeros() & lanes;
            self.passed = low | high << V::COUNT;
        }
    }

    /// For which vectors the block in place `p` of its group passes, of all groups
    /// the one numbered `group`. Looked for in eights: mostly it is one vector.
    ///
    /// # Safety
    ///
    /// Its group's filter has ended, and no more than `RING - 1` others since.
    #[inline(always)]
    unsafe fn mask(&self, group: usize, p: usize) -> u32 {
        let (found, half) = (&self.found[group % RING], 2 * (p % V::COUNT) + p / V::COUNT);
        assert!(half < 2 * V::COUNT);
        // SAFETY: the caller's promise; a vector is two halves a lane in memory.
        let bit =
            |of: &MaybeUninit<V>| unsafe { u32::from((&raw const *of).cast::<u16>().add(half).read()) >> PLACE & 1 };
        let mut some = 0;
        let mut q = 0;
        while q < COUNT / TOGETHER {
            some |= bit(&found.any[q]) << q;
            q += 1;
        }
        let mut mask = 0;
        while some != 0 {
            let from = some.trailing_zeros() as usize * TOGETHER;
            some &= some - 1;
            let of = &found.of[from..][..TOGETHER];
            let mut k = 0;
            while k < TOGETHER {
                mask |= bit(&of[k]) << (from + k);
                k += 1;
            }
        }
        mask
    }
}

/// A piece at work.
struct Piece<'a, V> {
    of: &'a mut Paired<V>,
    /// Which kept values are inverses.
    inverse: [bool; KEPT],
}

// SAFETY of both reads: the words are written before the program runs, and its
// pieces run in order.
#[allow(clippy::undocumented_unsafe_blocks)]
impl<V: Lanes> Work for Piece<'_, V> {
    type Value = Half<V>;
    #[inline(always)]
    fn word(&self, t: usize) -> Half<V> {
        Half::new(unsafe { self.of.words[t - FIRST].assume_init() }, false)
    }
    #[inline(always)]
    fn keep(&mut self, i: usize, value: Half<V>) {
        self.inverse[i] = value.inverse;
        self.of.kept[i].write(value.value);
    }
    #[inline(always)]
    fn kept(&self, i: usize) -> Half<V> {
        Half::new(unsafe { self.of.kept[i].assume_init() }, self.inverse[i])
    }
    #[inline(always)]
    fn result<const D: usize>(&mut self, Half { value, inverse }: Half<V>) {
        debug_assert_eq!(inverse, INVERSES.1 >> D & 1 == 1);
        let value = if inverse { value.not() } else { value };
        let value = if LOW >> D & 1 == 1 { value.shr::<{ place(LOW_BIT) - place(HIGH_BIT) }>() } else { value };
        // The remainder spares a branch in each piece.
        self.of.found[self.of.now % RING].of[D].write(value);
    }
}

/// Candidates that wait until there are [`WIDTH`].
struct Queue<'a, C: Abreast> {
    asides: [C::Aside; WIDTH],
    /// Block, vector, and the states before steps 56 and 60.
    of: [(usize, DisturbanceVector, [[u32; 4]; 2]); WIDTH],
    count: usize,
    /// The chaining value before a block counts too, or each recompression.
    all_at_once: bool,
    blocks: &'a [[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &'a mut dyn FnMut(Hit),
    any: unsafe fn(&[C::Aside; WIDTH]) -> u32,
    collides: Collides<C>,
}

impl<C: Abreast> Queue<'_, C> {
    /// Takes the candidates of a batch.
    #[inline(always)]
    fn take<V: Lanes, const N: usize>(&mut self, mut candidates: Candidates, trail: &Trail, filter: &Paired<V>) {
        while let Some((p, i)) = match V::COUNT {
            8 => candidates.take::<8>(),
            _ => candidates.take::<4>(),
        } {
            // The last group may have fewer blocks than places.
            if i >= self.blocks.len() {
                break;
            }
            // SAFETY: its group was filtered in this batch.
            let mut mask = unsafe { filter.mask((candidates.batch + p) / N, p % N) };
            while mask != 0 {
                let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
                mask &= mask - 1;
                self.push(i, vector, trail);
            }
        }
    }

    #[inline(always)]
    fn push(&mut self, i: usize, vector: DisturbanceVector, trail: &Trail) {
        if (AS_IS >> vector.index() & 1 == 0) | self.all_at_once {
            self.at_once(trail, i, vector);
            return;
        }
        let (place, difference) = (i % TRAIL, &DIFFERENCE_BYTES[vector.index()]);
        // SAFETY: the block has been compressed.
        let states = unsafe { [trail.state_56[place].assume_init(), trail.state_60[place].assume_init()] };
        self.of[self.count] = (i, vector, states);
        self.asides[self.count] = C::aside(trail, place, &self.blocks[i], difference);
        self.count += 1;
        if self.count == WIDTH {
            self.settle();
        }
    }

    /// Recompresses a block at once.
    #[cold]
    #[inline(never)]
    fn at_once(&mut self, trail: &Trail, i: usize, vector: DisturbanceVector) {
        // SAFETY: promised to `scan`.
        let after = unsafe { C::at(trail, (i + 1) % TRAIL) };
        let mask = 1 << vector.index();
        trail.prove::<C>(i % TRAIL, mask, &self.blocks[i], i, &after, self.detection, self.hits, self.collides);
    }

    /// Recompresses what waits; empty places hold what is long done.
    #[inline(always)]
    fn settle(&mut self) {
        // SAFETY: promised to `scan`.
        let any = unsafe { (self.any)(&self.asides) } & ((1 << self.count) - 1);
        self.count = 0;
        if any != 0 {
            self.report(any);
        }
    }

    /// The trail may be gone; but a block and a state within it tell the chaining
    /// values.
    #[cold]
    #[inline(never)]
    fn report(&mut self, any: u32) {
        for (_, (i, vector, states)) in self.of.iter().enumerate().filter(|(k, _)| any >> k & 1 == 1) {
            let (state, words) = (state::<C>(states), &words(&self.blocks[*i]));
            let w = expand(words);
            let before = unsteps(state, &w, 0, 60);
            let after = add(before, steps(state, &w, 60, 80));
            prove_slowly(&Compressed { words, before, after }, *vector, state, *i, self.detection, self.hits);
        }
    }
}

/// Compresses a group of blocks, or fewer, with the filter of the last group, if
/// there is one, in the gaps.
pub(crate) type Group<C, V, const N: usize> =
    unsafe fn(&mut C, &[[u8; BLOCK_SIZE]], &mut Window<N>, &mut Trail, usize, &mut Paired<V>, Option<&Window<N>>);

/// What is a function of its own. The group above all: how the compiler laid it
/// out within the rest made 2 ns a block more or less, for changes in the rest
/// that do nothing.
pub(crate) struct Apart<C: Abreast, V, const N: usize> {
    pub group: Group<C, V, N>,
    /// What is left of the filter after so many blocks.
    pub rest: unsafe fn(&mut Paired<V>, &Window<N>, usize),
    pub any: unsafe fn(&[C::Aside; WIDTH]) -> u32,
    pub collides: Collides<C>,
}

/// Compresses `blocks` into `h` and checks them.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and of what is apart.
#[inline(always)]
pub(crate) unsafe fn scan<C: Abreast, V: Lanes, const N: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    Apart { group, rest, any, collides }: Apart<C, V, N>,
) {
    const { assert!(N == 2 * V::COUNT && BATCH.is_multiple_of(N) && BATCH <= 64 && TRAIL <= RING * N) };
    // SAFETY: the caller's promise.
    let (mut chain, mut filter, nothing) = unsafe { (C::new(h), Paired::<V>::new(), C::nothing()) };
    let of = [(0, DisturbanceVector::new(0), [[0; 4]; 2]); WIDTH];
    let all_at_once = detection.reduced_rounds();
    let mut queue =
        Queue { asides: [nothing; WIDTH], of, count: 0, all_at_once, blocks, detection, hits, any, collides };
    let mut trail = Trail::new();
    let (mut now, mut last) = (&mut Window::<N>::new(), &mut Window::<N>::new());
    // Blocks of the window that waits for its filter: first, and how many.
    let mut pending: Option<(usize, usize)> = None;
    let mut places = 0_u64;
    let mut start = 0;
    loop {
        let place = start % TRAIL;
        let chunk = &blocks[start..blocks.len().min(start + N)];
        let count = chunk.len();
        if count != 0 {
            // SAFETY: the caller's promise.
            unsafe { group(&mut chain, chunk, now, &mut trail, place, &mut filter, pending.map(|_| &*last)) };
            now.clear_from(count);
        }
        if let Some((first, len)) = pending {
            if count < N {
                // SAFETY: the caller's promise.
                unsafe { rest(&mut filter, last, count) };
            }
            places |= u64::from(filter.passed) << (first % BATCH);
            let done = count == 0;
            if done || (first + len) % BATCH == 0 {
                if done {
                    chain.leave(&mut trail, place);
                }
                queue.take::<V, N>(Candidates { places, batch: first / BATCH * BATCH }, &trail, &filter);
                places = 0;
            }
        }
        if count == 0 {
            break;
        }
        pending = Some((start, count));
        start += count;
        core::mem::swap(&mut now, &mut last);
    }
    if queue.count != 0 {
        queue.settle();
    }
    *h = chain.get();
}

/// Writes the body of a [`Group`] function: in which gaps of a block there is a
/// part of the filter, and the numbers of the blocks. A macro, because which step
/// runs where is known when compiled.
macro_rules! group {
    ($chain:ty, $count:literal, $at:ident, $blocks:ident, $now:ident, $trail:ident, $place:ident, $filter:ident, $last:ident,
     $gaps:literal: $($gap:literal => $k:literal)*; $numbers:tt) => {
        let mut chain = *$at;
        assert!($place <= $crate::trail::TRAIL - $count);
        for (b, block) in $blocks.iter().take($count).enumerate() {
            chain.block(block, Some((&mut *$now, b, &mut *$trail, $place + b)), #[inline(always)] |gap| {
                if let Some(last) = $last {
                    $(if gap == $gap { $crate::paired::part!($chain, $count, $gaps, $k, $filter, last, b, $numbers); })*
                }
            });
        }
        *$at = chain;
    };
}
pub(crate) use group;

/// Writes the body of a function that runs what is left of a filter.
macro_rules! rest {
    ($chain:ty, $count:literal, $filter:ident, $last:ident, $from:ident, $gaps:literal: $($gap:literal => $k:literal)*; $numbers:tt) => {
        for b in $from..$count {
            $($crate::paired::part!($chain, $count, $gaps, $k, $filter, $last, b, $numbers);)*
        }
    };
}
pub(crate) use rest;

/// The filter's part `k` of the `gaps` at block `b`.
macro_rules! part {
    ($chain:ty, $count:literal, $gaps:literal, $k:literal, $filter:ident, $last:ident, $b:ident, [$($n:literal)*]) => {
        match $b {
            $($n => {
                $filter.step::<$chain, $count, { $crate::paired::step_in_gap($gaps * $count, $n * $gaps + $k, 0) }>($last);
                $filter.step::<$chain, $count, { $crate::paired::step_in_gap($gaps * $count, $n * $gaps + $k, 1) }>($last);
                $filter.step::<$chain, $count, { $crate::paired::step_in_gap($gaps * $count, $n * $gaps + $k, 2) }>($last);
            })*
            _ => {}
        }
    };
}
pub(crate) use part;

/// The `j`-th step of the filter in gap `k` of `gaps`, or a number past all.
pub(crate) const fn step_in_gap(gaps: usize, k: usize, j: usize) -> usize {
    assert!(STEPS <= 3 * gaps);
    let (start, end) = (k * STEPS / gaps, (k + 1) * STEPS / gaps);
    if start + j < end { start + j } else { STEPS }
}

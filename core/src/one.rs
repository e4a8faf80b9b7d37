//! One message: the hash chain of the blocks of now, and beside it the filter
//! of the group of blocks before.
//!
//! The chain is a sequence of dependent instructions that leaves most of the
//! core idle; the filter looks at the expanded message only and can be late.
//! So the chain hands each group's expanded words over in a [`Window`], and
//! while it works on the next group, the filter of the last one runs in
//! pieces between the chain's rounds, small enough for out-of-order execution
//! to slip them into the gaps. What passes the filter, 1 block in 20, is
//! recompressed there too: see [`crate::trail`].
//!
//! Few blocks, which fill no lanes, have their conditions tested beside their
//! own rounds: see [`crate::detect::across`].

use core::mem::MaybeUninit;

use crate::arch::portable::U32x1;
use crate::arch::soft;
use crate::detect::across::Across;
use crate::detect::conditions;
use crate::detect::filter::{FIRST, Scratch, WORDS};
use crate::detect::program::{PIECES, piece};
use crate::detect::vectors::DisturbanceVector;
use crate::digest::Digest;
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::schedule::{BLOCK_SIZE, INITIAL_H, expand, sub, words};
use crate::trail::{BATCH, Collides, Prover, TRAIL, Trail, state};

/// The window holds words 32 to 67, in quads.
pub(crate) const FIRST_QUAD: usize = 8;
pub(crate) const QUADS: usize = 9;

/// Gaps between the rounds of a block in which the filter may run.
pub(crate) const GAPS: usize = 5;

/// How one block is compressed into the chaining value: an instruction set's
/// rounds.
pub(crate) trait Chain: Sized {
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

    /// The digest, at the end of a message.
    #[inline(always)]
    fn digest(&self) -> Digest {
        Digest::from_words(&self.get())
    }

    /// Compresses a block by itself: the words that detection needs go to `A`,
    /// the states into place 0 of the trail. Returns the mask of the vectors
    /// whose conditions it satisfies.
    #[inline(always)]
    fn block_across<A: Across>(&mut self, block: &[u8; BLOCK_SIZE], trail: &mut Trail) -> u32 {
        let mut window = Window::<1>::new();
        self.block(block, Some((&mut window, 0, trail, 0)), |_| {});
        // SAFETY: the chain has written every quad, and has the instructions.
        let mut across = unsafe { A::new(&window.words.map(|[quad]| quad.assume_init()), Self::REVERSED) };
        for k in 0..GAPS {
            across.gap(k);
        }
        across.mask()
    }

    /// Writes the chaining value to place `i` of the trail.
    fn leave(&self, trail: &mut Trail, i: usize);

    /// The chaining value in place `i` of the trail.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set.
    #[inline(always)]
    unsafe fn at(trail: &Trail, i: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::new(&trail.before::<Self>(i)) }
    }

    /// Whether a block, which led to this chaining value, collides with the
    /// message whose block differs by `difference` and whose `states` before
    /// steps 56 and 60 are these: whether that one's chaining value is the same
    /// after the block, or `before` it if that counts.
    ///
    /// Forwards: the last 20 steps tell the one chaining value before the block
    /// that leads here, and the first 60 whether that leads to the state. SHA-1
    /// instructions cannot undo steps, as [`recompress_from_60`] does.
    ///
    /// [`recompress_from_60`]: crate::detect::recompress::recompress_from_60
    #[inline(always)]
    fn collides(
        &self,
        before: Option<&Self>,
        states: &[[u32; 4]; 2],
        block: &[u8; BLOCK_SIZE],
        difference: &[u8; BLOCK_SIZE],
    ) -> bool {
        let w = soft::expanded(block, difference);
        let state = state::<Self>(states);
        let start = sub(self.get(), soft::rounds::<60, 80>(state, &w));
        soft::rounds::<0, 60>(start, &w) == state
            || before.is_some_and(|before| soft::rounds::<0, 60>(before.get(), &w) == state)
    }
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
    pub(crate) fn clear_from(&mut self, count: usize) {
        for quads in &mut self.words {
            quads[count..].fill(Quad::new([0; 4]));
        }
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
    let columns = columns::<C, V>(rows);
    let mut j = 0;
    while j < 4 {
        let step = 4 * (FIRST_QUAD + quad) + j;
        if (FIRST..FIRST + WORDS).contains(&step) {
            scratch.w[step - FIRST].write(columns[j]);
        }
        j += 1;
    }
}

/// Transposes a quad of several blocks: each word of it in a vector, in order.
#[inline(always)]
pub(crate) fn columns<C: Chain, V: Lanes>(rows: [V; 4]) -> [V; 4] {
    let [a, b, c, d] = V::transpose(rows);
    if C::REVERSED { [d, c, b, a] } else { [a, b, c, d] }
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
            trail.prove::<C>(0, mask, block, index, &chain, detection, hits, C::collides);
        }
    }
    *h = chain.get();
}

/// Compresses `blocks` into `h` and checks them, one block after the other:
/// for few of them.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and `A`.
#[inline(always)]
pub(crate) unsafe fn scan_few<C: Chain, A: Across>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    collides: Collides<C>,
) {
    // The conditions of a block by itself may leave some out.
    let mut checked = |hit: Hit| {
        if satisfies(&blocks[hit.index], hit.vector) {
            hits(hit);
        }
    };
    // SAFETY: the caller's promise.
    let mut chain = unsafe { C::new(h) };
    let mut trail = Trail::new();
    for (index, block) in blocks.iter().enumerate() {
        let mask = chain.block_across::<A>(block, &mut trail);
        if mask != 0 {
            trail.prove::<C>(0, mask, block, index, &chain, detection, &mut checked, collides);
        }
    }
    *h = chain.get();
}

/// Whether a block satisfies all conditions of a vector.
#[cold]
fn satisfies(block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> bool {
    conditions::mask(&expand(&words(block))) >> vector.index() & 1 == 1
}

/// Hashes a short message at once: nothing goes through memory but its padded
/// end. `None` if it holds an attack, which others tell more of.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and `A`, and of `pad`, which is as
/// [`Backend::pad`](crate::backend::Backend::pad).
#[inline(always)]
pub(crate) unsafe fn digest_few<C: Chain, A: Across>(
    data: &[u8],
    detection: Detection,
    collides: Collides<C>,
) -> Option<Digest> {
    // SAFETY: the caller's promise.
    let mut chain = unsafe { C::new(&INITIAL_H) };
    let mut trail = Trail::new();
    let (blocks, rest) = data.as_chunks::<BLOCK_SIZE>();
    let mut tail = MaybeUninit::uninit();
    // SAFETY: the caller's promise.
    let tail = unsafe { A::pad(rest, data.len() as u64, &mut tail) };
    let mut attacked = false;
    // One loop, because a block is a page of code.
    for index in 0..blocks.len() + tail.len() {
        let block = blocks.get(index).unwrap_or_else(|| &tail[index - blocks.len()]);
        let mask = chain.block_across::<A>(block, &mut trail);
        if mask != 0 {
            let mut checked = |hit: Hit| attacked |= satisfies(block, hit.vector);
            trail.prove::<C>(0, mask, block, index, &chain, detection, &mut checked, collides);
        }
    }
    (!attacked).then(|| chain.digest())
}

/// Compresses `blocks` into `h` and checks them; `prover` recompresses the
/// candidates.
///
/// `group` compresses `N` blocks, with the filter of the last window in the
/// gaps: [`grouped`] writes it.
///
/// # Safety
///
/// The CPU has the instruction sets of `C` and `V`.
#[inline(always)]
pub(crate) unsafe fn scan<C: Chain, V: Lanes, P: Prover<C, N>, const N: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    mut prover: P,
    group: impl Fn(&mut C, &[[u8; BLOCK_SIZE]; N], &mut Window<N>, &mut Trail, usize, &mut Scratch<V>, &Window<N>, &mut P),
) {
    const { assert!(BATCH.is_multiple_of(N) && BATCH <= 64) };
    // SAFETY: the caller's promise.
    let (mut chain, mut scratch) = unsafe { (C::new(h), Scratch::<V>::new()) };
    // From here on the compiler must take the scratch to be known outside, so
    // that it stays in memory and its parts in their gaps.
    core::hint::black_box(&mut scratch);
    let mut trail = Trail::new();
    let (mut now, mut last) = (&mut Window::<N>::new(), &mut Window::<N>::new());
    // The first block of the window that waits for its filter.
    let mut pending: Option<usize> = None;
    let mut start = 0;
    loop {
        let place = start % TRAIL;
        let chunk = blocks[start..].first_chunk::<N>();
        let mut filtered = false;
        let count = match chunk {
            Some(chunk) if pending.is_some() => {
                prover.fill(&mut trail);
                group(&mut chain, chunk, now, &mut trail, place, &mut scratch, last, &mut prover);
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
        if let Some(first) = pending {
            if !filtered {
                for quad in 0..QUADS {
                    transpose_quad::<C, V, N>(&mut scratch, last, quad);
                }
                scratch.run();
            }
            if count == 0 {
                chain.leave(&mut trail, place);
            }
            let mask = scratch.mask();
            trail.put_masks::<V, N>(first, mask);
            prover.take(first, !mask.zeros() & (u32::MAX >> (32 - N)), &trail);
        }
        if count == 0 {
            break;
        }
        pending = Some(start);
        start += count;
        core::mem::swap(&mut now, &mut last);
    }
    prover.finish(&trail);
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
         trail: &mut $crate::trail::Trail, at: usize,
         scratch: &mut $crate::detect::filter::Scratch<$lanes>, last: &$crate::one::Window<$count>, prover: &mut _| {
            use $crate::one::Chain;
            use $crate::trail::Prover;
            $(chain.block(&blocks[$b], Some((&mut *now, $b, &mut *trail, at + $b)), #[inline(always)] |gap| match gap {
                0 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5, scratch, last, prover),
                1 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 1, scratch, last, prover),
                2 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 2, scratch, last, prover),
                3 => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 3, scratch, last, prover),
                _ => $crate::one::grouped!(@gap $chain, $lanes, $count, $b * 5 + 4, scratch, last, prover),
            }); <_ as Prover<$chain, $count>>::between(prover, trail);)*
        }
    };
    (@gap $chain:ty, $lanes:ty, $count:literal, $k:expr, $scratch:ident, $last:ident, $prover:ident) => {{
        use $crate::one::{GAPS, filter_step, step_in_gap};
        const { assert!($crate::one::STEPS <= 4 * $count * GAPS) };
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 0) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 1) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 2) }>($scratch, $last);
        filter_step::<$chain, $lanes, $count, { step_in_gap($count * GAPS, $k, 3) }>($scratch, $last);
        <_ as $crate::trail::Prover<$chain, $count>>::gap::<{ $k }>($prover);
    }};
}
pub(crate) use grouped;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::soft::Soft;
    use crate::detect::vectors::DIFFERENCE_BYTES;
    use crate::trail::{TRAIL, in_order};

    /// A small generator: these tests need no more.
    fn words_from(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 32) as u32
    }

    /// A block that does collide, and of the other message the chaining value
    /// before, the state before step 60, the chaining value after. No attack on
    /// SHA-1 but two are known, so it is made backwards, from the other message.
    fn collision(seed: &mut u64, vector: DisturbanceVector) -> ([u8; 64], [[u32; 5]; 3]) {
        let block = core::array::from_fn(|_| words_from(seed) as u8);
        let w = soft::expanded(&block, &DIFFERENCE_BYTES[vector.index()]);
        let start = core::array::from_fn(|_| words_from(seed));
        let state = soft::rounds::<0, 60>(start, &w);
        let after = crate::schedule::add(start, soft::rounds::<60, 80>(state, &w));
        (block, [start, state, after])
    }

    fn collides<C: Chain>() {
        let mut seed = 1;
        for vector in DisturbanceVector::all() {
            let (block, [start, state, after]) = collision(&mut seed, vector);
            let difference = &DIFFERENCE_BYTES[vector.index()];
            let said = |state: [u32; 5], start: [u32; 5], after: [u32; 5], reduced: bool| {
                let [a, b, c, d, e] = state;
                let states = [in_order::<C>([e.rotate_right(30), 1, 2, 3]), in_order::<C>([a, b, c, d])];
                // SAFETY: whoever calls this has the instructions.
                unsafe {
                    let before = C::new(&start);
                    C::new(&after).collides(reduced.then_some(&before), &states, &block, difference)
                }
            };
            let other = [1, 2, 3, 4, 5];
            assert!(said(state, other, after, false), "{vector}: a collision");
            assert!(said(state, other, after, true), "{vector}: a collision, with reduced rounds");
            assert!(said(state, start, other, true), "{vector}: a collision of fewer rounds");
            assert!(!said(state, start, other, false), "{vector}: one that does not count");
            for word in 0..5 {
                assert!(
                    !said(state, other, near(after, word, vector), true),
                    "{vector}: word {word} of the end differs"
                );
                assert!(
                    !said(state, near(start, word, vector), other, true),
                    "{vector}: word {word} of the start differs"
                );
                assert!(
                    !said(near(state, word, vector), start, after, true),
                    "{vector}: word {word} of the state differs"
                );
            }
        }
    }

    /// These with a bit flipped in one word.
    fn near(mut words: [u32; 5], word: usize, vector: DisturbanceVector) -> [u32; 5] {
        words[word] ^= 1 << vector.index();
        words
    }

    /// The last place of a trail.
    #[cfg(target_arch = "x86_64")]
    const PLACE: usize = TRAIL - 1;

    /// A trail whose last place holds a block that goes through this state to
    /// this chaining value.
    #[cfg(target_arch = "x86_64")]
    fn trail_of<C: Chain>([a, b, c, d, e]: [u32; 5], after: [u32; 5]) -> Trail {
        let mut trail = Trail::new();
        trail.state_60[PLACE].write(in_order::<C>([a, b, c, d]));
        trail.state_56[PLACE].write(in_order::<C>([e.rotate_right(30), 1, 2, 3]));
        let [a, b, c, d, e] = after;
        // The next place of the ring.
        trail.chain[0].write(in_order::<C>([a, b, c, d]));
        trail.chain_e[0].write(e);
        trail
    }

    /// The same in steps.
    #[cfg(target_arch = "x86_64")]
    fn collides_in_steps<C: crate::trail::Stepwise>() {
        let mut seed = 2;
        for vector in DisturbanceVector::all() {
            let (block, [_, state, after]) = collision(&mut seed, vector);
            let difference = &DIFFERENCE_BYTES[vector.index()];
            let said = |state: [u32; 5], after: [u32; 5]| {
                let trail = trail_of::<C>(state, after);
                // SAFETY: whoever calls this has the instructions.
                let mut slot = unsafe { C::slot() };
                assert!(!C::end(&slot), "nothing has begun");
                C::begin(&mut slot, &trail, PLACE, &block, difference);
                for k in 0..C::STEPS {
                    C::step(&mut slot, k);
                }
                C::end(&slot)
            };
            assert!(said(state, after), "{vector}: a collision");
            for word in 0..5 {
                assert!(!said(state, near(after, word, vector)), "{vector}: word {word} of the end differs");
                assert!(!said(near(state, word, vector), after), "{vector}: word {word} of the state differs");
            }
        }
    }

    /// The same side by side with three that do not collide.
    #[cfg(target_arch = "x86_64")]
    fn collides_abreast<C: crate::paired::Abreast>() {
        let mut seed = 3;
        for vector in DisturbanceVector::all() {
            let (block, [_, state, after]) = collision(&mut seed, vector);
            let difference = &DIFFERENCE_BYTES[vector.index()];
            for k in 0..crate::paired::WIDTH {
                let said = |state: [u32; 5], after: [u32; 5]| {
                    // SAFETY: whoever calls this has the instructions.
                    let mut asides = [unsafe { C::nothing() }; crate::paired::WIDTH];
                    assert_eq!(C::any(&asides), 0, "nothing waits");
                    asides[k] = C::aside(&trail_of::<C>(state, after), PLACE, &block, difference);
                    C::any(&asides)
                };
                assert_eq!(said(state, after), 1 << k, "{vector}: a collision");
                for word in 0..5 {
                    assert_eq!(said(state, near(after, word, vector)), 0, "{vector}: word {word} of the end differs");
                    assert_eq!(said(near(state, word, vector), after), 0, "{vector}: word {word} of the state differs");
                }
            }
        }
    }

    #[test]
    fn collides_in_ordinary_instructions() {
        collides::<Soft>();
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn collides_in_sha_ni() {
        if crate::arch::x86_64::features::sha_ni() {
            collides::<crate::arch::x86_64::sha_ni::ShaNi<false>>();
            collides_in_steps::<crate::arch::x86_64::sha_ni::ShaNi<false>>();
            collides_abreast::<crate::arch::x86_64::sha_ni::ShaNi<false>>();
        }
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn collides_in_armv8() {
        if crate::arch::aarch64::features::sha1() {
            collides::<crate::arch::aarch64::sha1::ArmSha1>();
        }
    }
}

//! What recompression needs of the blocks, and how it is gone about.

use core::mem::MaybeUninit;

use crate::detect::queue::{Candidate, Recompressor};
use crate::detect::recompress::{AS_IS, Compressed, Verdict, carry, recompress_from_60};
use crate::detect::vectors::{DIFFERENCE_BYTES, DisturbanceVector};
use crate::engine::{Detection, Hit};
use crate::lanes::{Lanes, block_in_lane};
use crate::one::{Chain, Quad};
use crate::schedule::{BLOCK_SIZE, words};

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
            masks: {
                let mut masks = [MaybeUninit::uninit(); TRAIL];
                // The first stand-in for a candidate looks here.
                masks[0] = MaybeUninit::new(0);
                masks
            },
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

    /// The mask that stands in place `p` of the batch that begins with block
    /// `batch`.
    #[inline(always)]
    fn mask(&self, batch: usize, p: usize) -> u32 {
        // SAFETY: whoever names a candidate has filtered its group.
        unsafe { self.masks[batch % TRAIL + p].assume_init() }
    }

    /// The chaining value before the block in place `i`.
    #[inline(always)]
    pub(crate) fn before<C: Chain>(&self, i: usize) -> [u32; 5] {
        // SAFETY: the block has been begun.
        let (abcd, e) = unsafe { (self.chain[i].assume_init(), self.chain_e[i].assume_init()) };
        let [a, b, c, d] = in_order::<C>(abcd);
        [a, b, c, d, e]
    }

    /// Recompresses the block in place `i`, which led to the chaining value
    /// `after`, for the vectors of `mask`, one by one.
    #[allow(clippy::too_many_arguments)] // all of a hit
    #[inline(always)]
    pub(crate) fn prove<C: Chain>(
        &self,
        i: usize,
        mut mask: u32,
        block: &[u8; BLOCK_SIZE],
        index: usize,
        after: &C,
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
        collides: Collides<C>,
    ) {
        while mask != 0 {
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            mask &= mask - 1;
            let states = self.states::<C>(i, block, vector);
            let difference = &DIFFERENCE_BYTES[vector.index()];
            // SAFETY: whoever compressed the block has the instructions.
            let clean = unsafe {
                let before = detection.reduced_rounds().then(|| C::at(self, i));
                !collides(after, before.as_ref(), &states, block, difference)
            };
            if clean && detection != Detection::Observe {
                continue;
            }
            let (words, before, after) = (&words(block), self.before::<C>(i), after.get());
            let state = state::<C>(&states);
            prove_slowly(&Compressed { words, before, after }, vector, state, index, detection, hits);
        }
    }

    /// The other message's states before step 56 and step 60, of which the
    /// first is right in a only.
    #[inline(always)]
    fn states<C: Chain>(&self, i: usize, block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> [[u32; 4]; 2] {
        if AS_IS >> vector.index() & 1 == 1 {
            // SAFETY: the block has been compressed.
            unsafe { [self.state_56[i].assume_init(), self.state_60[i].assume_init()] }
        } else {
            self.carry::<C>(i, block, vector)
        }
    }

    /// The quads of the states before step 56 and step 60, as recompression
    /// wants them where the other message's state is not this one's.
    #[cold]
    #[inline(never)]
    fn carry<C: Chain>(&self, place: usize, block: &[u8; BLOCK_SIZE], vector: DisturbanceVector) -> [[u32; 4]; 2] {
        // SAFETY: the block has been compressed.
        let states = unsafe { [self.state_56[place].assume_init(), self.state_60[place].assume_init()] };
        let [a, b, c, d, e] = carry(state::<C>(&states), block, vector);
        [in_order::<C>([e.rotate_right(30), 0, 0, 0]), in_order::<C>([a, b, c, d])]
    }
}

/// The working state before step 60, from the quads before steps 56 and 60.
#[inline(always)]
pub(crate) fn state<C: Chain>(&[state_56, state_60]: &[[u32; 4]; 2]) -> [u32; 5] {
    let [a, b, c, d] = in_order::<C>(state_60);
    [a, b, c, d, in_order::<C>(state_56)[0].rotate_left(30)]
}

/// A quad of a chain as first word first, or back.
#[inline(always)]
pub(crate) fn in_order<C: Chain>(mut quad: [u32; 4]) -> [u32; 4] {
    if C::REVERSED {
        quad.reverse();
    }
    quad
}

/// What a recompression says that is a hit, or under test.
#[cold]
#[inline(never)]
pub(crate) fn prove_slowly(
    block: &Compressed<'_>,
    vector: DisturbanceVector,
    state: [u32; 5],
    index: usize,
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
) {
    let other = recompress_from_60(block, vector, state);
    let verdict = other.verdict(block);
    if detection.reports(verdict) {
        hits(Hit { index, vector, reduced_round: verdict == Verdict::ReducedRound, after: block.after, other });
    }
}

/// [`Chain::collides`] as a function of its own.
pub(crate) type Collides<C> = unsafe fn(&C, Option<&C>, &[[u32; 4]; 2], &[u8; BLOCK_SIZE], &[u8; BLOCK_SIZE]) -> bool;

/// The blocks of a batch that pass for some vector.
#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    /// Bit p: the block whose mask stands in place p of the batch's masks.
    pub places: u64,
    /// The batch's first block.
    pub batch: usize,
}

impl Candidates {
    /// Takes one: its place among the masks and its number, if the masks are
    /// those of lanes of `N` blocks.
    #[inline(always)]
    pub(crate) fn take<const N: usize>(&mut self) -> Option<(usize, usize)> {
        let p = self.places.trailing_zeros() as usize;
        (self.places != 0).then(|| {
            self.places &= self.places - 1;
            (p, self.batch + p / N * N + block_in_lane(N, p % N))
        })
    }
}

/// What is done about the candidates while the chain goes on. `N`: lanes of the
/// filter.
pub(crate) trait Prover<C: Chain, const N: usize> {
    /// Before a group of blocks.
    #[inline(always)]
    fn fill(&mut self, _: &mut Trail) {}

    /// In gap `K` of a group.
    #[inline(always)]
    fn gap<const K: usize>(&mut self) {}

    /// Between blocks.
    #[inline(always)]
    fn between(&mut self, _: &Trail) {}

    /// Takes what passes of the `N` blocks from `first` on: bit l for the block in
    /// lane l, which may be past the end.
    fn take(&mut self, first: usize, passed: u32, trail: &Trail);

    /// Ends all of it.
    fn finish(&mut self, trail: &Trail);
}

/// A chain that can recompress in small steps.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) trait Stepwise: Chain {
    /// Steps that it takes.
    const STEPS: usize;
    type Slot;

    /// # Safety
    ///
    /// The CPU has the instruction set.
    unsafe fn slot() -> Self::Slot;

    /// Begins with the block in place `place` of the trail.
    fn begin(
        slot: &mut Self::Slot,
        trail: &Trail,
        place: usize,
        block: &[u8; BLOCK_SIZE],
        difference: &[u8; BLOCK_SIZE],
    );

    /// Does step `k`. They come in order.
    fn step(slot: &mut Self::Slot, k: usize);

    /// After the last: what [`Chain::collides`] says of the chaining value
    /// after the block.
    fn end(slot: &Self::Slot) -> bool;
}

/// One candidate for each group of blocks, in small steps in the gaps between
/// the rounds, and no branch on whether there is one: a stand-in costs nothing
/// that anyone waits for, and a mispredicted branch would throw away what of
/// the chain has begun: 2.2 ns a block. For chains on SHA-1 instructions, which
/// recompress in 110 of them.
///
/// A group of 8 has 0.4 candidates. What finds no slot within [`WAITS`] blocks goes
/// at once, and so does what is left at the end: when slots waited for a batch of 64
/// blocks to be looked through, that was 3 candidates, and 90 ns more.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) struct InSlots<'a, C: Stepwise, const N: usize> {
    slot: C::Slot,
    /// The block in the slot and its vector, if it is more than a stand-in.
    filled: (usize, u32, bool),
    /// Which of the last [`WAITS`] blocks wait, in the order of lanes.
    waiting: u64,
    /// The first block of the group that was taken last.
    newest: usize,
    /// The chaining value before a block counts too, or each recompression.
    all_at_once: bool,
    blocks: &'a [[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &'a mut dyn FnMut(Hit),
    collides: Collides<C>,
}

/// Blocks for which a candidate may wait for a slot.
const WAITS: usize = u64::BITS as usize;

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
impl<'a, C: Stepwise, const N: usize> InSlots<'a, C, N> {
    /// # Safety
    ///
    /// The CPU has the instructions of `C` and of `collides`.
    #[inline(always)]
    pub(crate) unsafe fn new(
        blocks: &'a [[u8; BLOCK_SIZE]],
        detection: Detection,
        hits: &'a mut dyn FnMut(Hit),
        collides: Collides<C>,
    ) -> Self {
        // A slot is looked at when two groups more have been begun.
        const { assert!(WAITS.is_multiple_of(N) && N < WAITS && WAITS + 2 * N <= TRAIL) };
        // SAFETY: the caller's promise.
        let slot = unsafe { C::slot() };
        Self {
            slot,
            filled: (0, 0, false),
            waiting: 0,
            newest: 0,
            all_at_once: detection.reduced_rounds(),
            blocks,
            detection,
            hits,
            collides,
        }
    }

    /// Recompresses a block at once for the vectors of `mask`.
    #[inline(never)]
    #[cold]
    fn at_once(&mut self, trail: &Trail, i: usize, mask: u32) {
        // SAFETY: promised to `new`.
        let after = unsafe { C::at(trail, (i + 1) % TRAIL) };
        trail.prove::<C>(i % TRAIL, mask, &self.blocks[i], i, &after, self.detection, self.hits, self.collides);
    }

    /// Looks at what came out of the slot.
    #[inline(always)]
    fn settle(&mut self, trail: &Trail) {
        let (i, vector, real) = self.filled;
        if C::end(&self.slot) & real {
            self.at_once(trail, i, 1 << vector);
        }
    }

    /// Where the `p`-th of the last [`WAITS`] blocks stands: the first block of its
    /// group, and its lane.
    #[inline(always)]
    fn at(&self, p: usize) -> (usize, usize) {
        // Nothing waits that would be from before the first block.
        (self.newest.wrapping_sub(WAITS - N).wrapping_add(p / N * N), p % N)
    }

    /// Recompresses at once what waits among `places`.
    #[inline(always)]
    fn let_go(&mut self, trail: &Trail, places: u64) {
        let mut left = self.waiting & places;
        while left != 0 {
            let (group, lane) = self.at(left.trailing_zeros() as usize);
            left &= left - 1;
            let i = group + block_in_lane(N, lane);
            if i < self.blocks.len() {
                self.at_once(trail, i, trail.mask(group, lane));
            }
        }
    }
}

impl<C: Stepwise, const N: usize> Prover<C, N> for InSlots<'_, C, N> {
    #[inline(always)]
    fn fill(&mut self, trail: &mut Trail) {
        self.settle(trail);
        // All without a branch on whether there is a candidate, one in three
        // times. Without one, the first block of the newest group.
        let mut real = self.waiting != 0;
        let p = if real { self.waiting.trailing_zeros() as usize } else { WAITS - N } % WAITS;
        let (group, lane) = self.at(p);
        let mut i = group + block_in_lane(N, lane);
        let mask = trail.mask(group, lane);
        let mut vector = (mask | 1 << 31).trailing_zeros();
        // Of several vectors one; the others wait for the next slots.
        let others = mask & mask.wrapping_sub(1);
        trail.masks[group % TRAIL + lane].write(if real { others } else { mask });
        self.waiting = if others == 0 { self.waiting & self.waiting.wrapping_sub(1) } else { self.waiting };
        let slow = (AS_IS >> vector & 1 == 0) | self.all_at_once;
        // As one value, or the compiler makes two branches of it.
        if core::hint::black_box(slow & real) {
            self.at_once(trail, i, 1 << vector);
            (i, vector, real) = (self.newest, 2, false);
        }
        self.filled = (i, vector, real);
        let difference = &DIFFERENCE_BYTES[vector as usize % DIFFERENCE_BYTES.len()];
        C::begin(&mut self.slot, trail, i % TRAIL, &self.blocks[i], difference);
    }

    #[inline(always)]
    fn gap<const K: usize>(&mut self) {
        const { assert!(C::STEPS <= 5 * N) };
        let (k, next) = const { (K * C::STEPS / (5 * N), (K + 1) * C::STEPS / (5 * N)) };
        if k != next {
            C::step(&mut self.slot, k);
        }
    }

    #[inline(always)]
    fn take(&mut self, first: usize, passed: u32, trail: &Trail) {
        self.let_go(trail, (1 << N) - 1);
        self.waiting = self.waiting >> N | u64::from(passed) << (WAITS - N);
        self.newest = first;
    }

    #[inline(always)]
    fn finish(&mut self, trail: &Trail) {
        self.settle(trail);
        self.let_go(trail, u64::MAX);
    }
}

/// Candidates in lanes `W`, a vector of them at a time; looked through once a batch.
pub(crate) struct InLanes<'a, W, const Q: usize> {
    recompressor: Recompressor<W, Q>,
    /// Those of the batch so far.
    candidates: Candidates,
    blocks: &'a [[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &'a mut dyn FnMut(Hit),
}

impl<'a, W: Lanes, const Q: usize> InLanes<'a, W, Q> {
    #[inline(always)]
    pub(crate) fn new(
        recompressor: Recompressor<W, Q>,
        blocks: &'a [[u8; BLOCK_SIZE]],
        detection: Detection,
        hits: &'a mut dyn FnMut(Hit),
    ) -> Self {
        Self { recompressor, candidates: Candidates { places: 0, batch: 0 }, blocks, detection, hits }
    }

    /// Takes the candidates of a batch, whose masks stand in the trail as lanes of
    /// `N` blocks leave them.
    #[inline(always)]
    pub(crate) fn take_batch<C: Chain, const N: usize>(&mut self, mut candidates: Candidates, trail: &Trail) {
        let (mut mask, mut i) = (0, 0);
        loop {
            if mask == 0 {
                let Some((p, number)) = candidates.take::<N>() else { break };
                i = number;
                if i >= self.blocks.len() {
                    continue;
                }
                mask = trail.mask(candidates.batch, p);
            }
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            mask &= mask - 1;
            let (place, next) = (i % TRAIL, (i + 1) % TRAIL);
            let [state_56, state_60] = trail.states::<C>(place, &self.blocks[i], vector);
            // SAFETY: this block and the next have been begun.
            let candidate = unsafe {
                Candidate {
                    block: &self.blocks[i],
                    vector,
                    state_56,
                    state_60,
                    before: trail.chain[place].assume_init(),
                    after: trail.chain[next].assume_init(),
                    e: [trail.chain_e[place].assume_init(), trail.chain_e[next].assume_init()],
                    index: i,
                }
            };
            self.recompressor.push::<C>(&candidate, self.detection, self.hits);
        }
    }

    /// Recompresses what still waits.
    #[inline(always)]
    pub(crate) fn flush<C: Chain>(&mut self) {
        self.recompressor.flush::<C>(self.detection, self.hits);
    }
}

impl<C: Chain, W: Lanes, const N: usize, const Q: usize> Prover<C, N> for InLanes<'_, W, Q> {
    #[inline(always)]
    fn between(&mut self, _: &Trail) {
        self.recompressor.between();
    }

    #[inline(always)]
    fn take(&mut self, first: usize, passed: u32, trail: &Trail) {
        self.candidates.batch = first / BATCH * BATCH;
        self.candidates.places |= u64::from(passed) << (first % BATCH);
        if (first + N).is_multiple_of(BATCH) {
            self.take_batch::<C, N>(self.candidates, trail);
            self.candidates.places = 0;
        }
    }

    #[inline(always)]
    fn finish(&mut self, trail: &Trail) {
        self.take_batch::<C, N>(self.candidates, trail);
        self.flush::<C>();
    }
}

//! One message without SHA-1 instructions where the CPU has room beside the
//! steps: the expansion of the next group of blocks and the filter go between
//! them, a few instructions at a time.
//!
//! As in [`crate::ahead`] lanes expand a group of blocks, and the steps take
//! their words from memory. But steps wait for one another: 740 instructions in 170 cycles
//! leave a third of what Zen 4 takes. While the steps of group n run,
//! group n+1 is expanded. If n is even, the two are joined for the filter on the
//! way; if it is odd, the filter of groups n-1 and n runs.

use crate::ahead::{Between, CONSTANTS, Words, expand, load, look, pointers, rounds};
use crate::arch::soft::Soft;
use crate::detect::filter::{FIRST, LAST};
use crate::detect::halves::{Pieces, Results};
use crate::detect::queue::{Job, Queue, Recompressor};
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::one::Chain;
use crate::schedule::BLOCK_SIZE;
use crate::steps::Steps;
use crate::trail::{BATCH, Candidates, InLanes, TRAIL, Trail};

/// Expands a group, of which the first sixteen words are there.
struct Expanding<V> {
    words: *mut Words<V>,
    /// Words that were loaded for one word and serve the next but one.
    loaded: [V; 2],
    /// The constants of the block's part of the words.
    k: [V; 2],
}

/// Likewise, and joins the words with those of the group before it.
struct Joining<'a, V, P> {
    expanding: Expanding<V>,
    before: *const Words<V>,
    pieces: &'a mut Pieces<V>,
    prover: &'a mut P,
}

/// Likewise, and filters the two groups that were joined last.
struct Filtering<'a, V, P> {
    expanding: Expanding<V>,
    pieces: &'a mut Pieces<V>,
    results: &'a mut Results<V>,
    prover: &'a mut P,
}

/// Words of a group for the time of one block's steps, and steps for one of them.
const fn part(lanes: usize) -> (usize, usize) {
    (64 / lanes, 5 * lanes / 4)
}

impl<V: Lanes> Expanding<V> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`; the first sixteen words are there.
    #[inline(always)]
    unsafe fn new(words: *mut Words<V>) -> Self {
        // SAFETY: the caller's promise.
        let zero = unsafe { V::splat(0) };
        Self { words, loaded: [zero; 2], k: [zero; 2] }
    }

    #[inline(always)]
    fn begin(&mut self, block: usize) {
        const { assert!(part(V::COUNT).0 <= 8) };
        let words = const { part(V::COUNT).0 };
        // SAFETY: `block` is less than the number of lanes.
        unsafe {
            let k = CONSTANTS.as_ptr().add(4 + words / 4 * block);
            self.k = [V::splat(*k), V::splat(*k.add(words / 4 - 1))];
            let at = self.words.cast::<V>().add(words * block);
            self.loaded = [at.read(), at.add(1).read()];
        }
    }

    /// The word after step `T` of a block, if there is one: its number, and the word.
    #[inline(always)]
    fn word<const T: usize>(&mut self, block: usize) -> Option<(usize, V)> {
        let (words, steps) = const { part(V::COUNT) };
        if T % steps != steps - 1 {
            return None;
        }
        let j = T / steps;
        let t = 16 + words * block + j;
        // SAFETY: `block` is less than the number of lanes, so t is less than 80; the words before
        // this one are there, and `w` is followed by `k`.
        unsafe {
            let at = self.words.cast::<V>().add(t);
            let loaded = at.sub(14).read();
            let word = self.loaded[j % 2].xor3(loaded, at.sub(8).read()).xor(at.sub(3).read()).rotl::<1, 31>();
            self.loaded[j % 2] = loaded;
            at.write(word);
            at.add(80).write(word.add(self.k[j / 4]));
            Some((t, word))
        }
    }
}

impl<V: Lanes> Between for Expanding<V> {
    #[inline(always)]
    fn begin(&mut self, block: usize) {
        self.begin(block);
    }
    #[inline(always)]
    fn after<const T: usize>(&mut self, block: usize) {
        self.word::<T>(block);
    }
}

impl<V: Lanes, W: Lanes, const Q: usize> Between for Joining<'_, V, InLanes<'_, W, Q>> {
    #[inline(always)]
    fn begin(&mut self, block: usize) {
        self.expanding.begin(block);
    }
    #[inline(always)]
    fn after<const T: usize>(&mut self, block: usize) {
        if let Some((t, word)) = self.expanding.word::<T>(block) {
            if (FIRST..=LAST).contains(&t) {
                // SAFETY: the group before has been expanded.
                unsafe { self.pieces.join(t, (*self.before).w[t].assume_init(), word) };
            }
        }
    }

    #[inline(always)]
    fn end(&mut self) {
        self.prover.piece();
    }
}

impl<V: Lanes, W: Lanes, const Q: usize> Between for Filtering<'_, V, InLanes<'_, W, Q>> {
    #[inline(always)]
    fn begin(&mut self, block: usize) {
        self.expanding.begin(block);
    }
    #[inline(always)]
    fn after<const T: usize>(&mut self, block: usize) {
        self.expanding.word::<T>(block);
        // As many pieces a block as it takes for all to have run after the group.
        let (pieces, steps) = const { (32 / V::COUNT, 5 * V::COUNT / 2) };
        if T % steps == steps / 2 {
            // SAFETY: joined; and all pieces come in order.
            unsafe { self.pieces.run(pieces * block + T / steps, self.results) };
        }
    }

    #[inline(always)]
    fn end(&mut self) {
        self.prover.piece();
    }
}

/// One message: compresses `blocks` into `h`, and checks them unless detection
/// is off.
///
/// # Safety
///
/// The CPU has the instruction set of `S`, of `V`, and of `piece`.
#[inline(always)]
pub(crate) unsafe fn scan<S: Steps, V: Lanes, const N: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize),
) {
    const { assert!(BATCH.is_multiple_of(2 * N) && V::COUNT == N) };
    // SAFETY: the caller's promise.
    let recompressor = unsafe { Recompressor::<V, N>::new(piece) };
    let mut prover = InLanes::new(recompressor, blocks, detection, hits);
    let mut words = [const { Words::<V>::new() }; 2];
    let mut pieces = Pieces::<V>::new();
    let mut all = [const { Results::<V>::new() }; TRAIL / 16];
    let mut trail = Trail::new();
    // Bit i: block i of the batch satisfies the conditions of some vector.
    let mut places = 0_u64;
    let mut waiting = Candidates { places: 0, batch: 0 };
    // SAFETY: the caller's promise.
    unsafe { expand::<V, N>(&mut words[0], pointers(&blocks[..blocks.len().min(N)])) };
    let mut start = 0;
    while start < blocks.len() {
        let (group, after) = blocks[start..].split_at((blocks.len() - start).min(N));
        let odd = start / N % 2 == 1;
        let [even_words, odd_words] = &mut words;
        let (now, next) = if odd { (odd_words, even_words) } else { (even_words, odd_words) };
        let (place, first) = (start % TRAIL, start / (2 * N) * (2 * N));
        let results = &mut all[first % TRAIL / (2 * N)];
        // SAFETY: this group has been expanded. What comes after a group is
        // another only if this one is full.
        unsafe {
            if after.is_empty() {
                rounds::<S, V, N>(h, now, &mut trail, place, group.len(), ());
                if detection != Detection::Off {
                    if !odd {
                        pieces.join_all(now.w.as_ptr().cast(), now.w.as_ptr().cast());
                    }
                    pieces.run_all(results);
                }
            } else {
                load::<V, N>(next, pointers(&after[..after.len().min(N)]));
                let expanding = Expanding::new(next);
                if detection == Detection::Off {
                    rounds::<S, V, N>(h, now, &mut trail, place, N, expanding);
                } else if odd {
                    let between = Filtering { expanding, pieces: &mut pieces, results, prover: &mut prover };
                    rounds::<S, V, N>(h, now, &mut trail, place, N, between);
                } else {
                    let between = Joining { expanding, before: now, pieces: &mut pieces, prover: &mut prover };
                    rounds::<S, V, N>(h, now, &mut trail, place, N, between);
                }
            }
            start += group.len();
            if detection != Detection::Off && (odd || after.is_empty()) {
                let [low, high] = results.passed();
                places |= (u64::from(low) | u64::from(high) << N) << (first % BATCH);
            }
        }
        // A batch is looked through after the first group of the next one: by then
        // the branches on what was found have long been decided.
        if waiting.places != 0 && !odd {
            look::<V, N>(&mut trail, &all[waiting.batch % TRAIL / (2 * N)..], waiting, &mut prover);
            waiting.places = 0;
        }
        if start % BATCH == 0 {
            waiting = Candidates { places, batch: start - BATCH };
            places = 0;
        }
    }
    // SAFETY: every CPU has the instructions.
    unsafe { Soft::new(h) }.leave(&mut trail, blocks.len() % TRAIL);
    for candidates in [waiting, Candidates { places, batch: blocks.len() / BATCH * BATCH }] {
        if candidates.places != 0 {
            look::<V, N>(&mut trail, &all[candidates.batch % TRAIL / (2 * N)..], candidates, &mut prover);
        }
    }
    prover.flush::<Soft>();
}

//! One message without SHA-1 instructions: groups of blocks are expanded and
//! filtered in lanes, and then the rounds take their words from memory.
//!
//! Without SHA-1 instructions the number of instructions is what bounds the
//! rounds, and a third of them would be the message expansion. In lanes the
//! blocks of a group share that, and it leaves the words where the filter
//! wants them: SHA-1 without detection takes 67 ns a block in V8 (Node 20) on
//! Zen 4, where the usual way takes 79. There the rounds are 54 of the 87 ns
//! that a block takes with detection, the expansion 16, the filter 11.
//!
//! There each kind of work is done for several groups before the next kind
//! begins: rounds in 54 ns leave few slots empty (5.2 instructions a cycle). With a
//! word of the next group expanded after every fifth step, Node 20 took 0 to 2 ns
//! less, Node 24 15 more.
//!
//! On x86-64 with BMI2 the [steps](crate::arch::x86_64::bmi2) wait for one another, and the
//! next groups are expanded between them: then a block takes 50 ns without
//! detection (OpenSSL's AVX2 code: 52), and 56 to 57 with it, of which the
//! filter is 4 and candidates 2. Put between the steps in pieces as well, the filter cost the
//! same: 57 to 58 ns in all.

use core::mem::MaybeUninit;

use crate::arch::soft::Soft;
use crate::detect::halves::{Halves, Results};
use crate::detect::queue::{Job, Queue, Recompressor};
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::one::{Chain, Quad};
use crate::schedule::{BLOCK_SIZE, K, add};
use crate::steps::{Round, State, Steps};
use crate::trail::{BATCH, Candidates, InLanes, TRAIL, Trail};

/// The expanded words of a group: `w[t]` holds word t of its blocks.
#[repr(C, align(64))]
pub(crate) struct Words<V> {
    pub w: [MaybeUninit<V>; 80],
    /// With the rounds' constants added.
    pub k: [MaybeUninit<V>; 80],
}

impl<V: Lanes> Words<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { w: [const { MaybeUninit::uninit() }; 80], k: [const { MaybeUninit::uninit() }; 80] }
    }
}

/// The constant of steps 4i to 4i+3.
static CONSTANTS: [u32; 20] = {
    let mut constants = [0; 20];
    let mut i = 0;
    while i < 20 {
        constants[i] = K[i / 5];
        i += 1;
    }
    constants
};

// A loop in straight lines, whatever the optimisation.
macro_rules! each {
    ($j:ident in $($value:literal)* $body:block) => { $({ const $j: usize = $value; $body })* };
}

/// The first sixteen words of the `N` blocks of a group.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; each pointer is readable for a
/// block.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))] // see `filter`
pub(crate) unsafe fn load<V: Lanes, const N: usize>(words: &mut Words<V>, blocks: [*const u8; N]) {
    const { assert!(V::COUNT == N) };
    // SAFETY: the caller's promise; `w` is followed by `k`, and all accesses
    // are within the two.
    unsafe {
        let at = (&raw mut *words).cast::<V>();
        let k = V::splat(K[0]);
        // In straight lines, so that all addresses are offsets.
        each!(Q in 0 1 2 3 {
            // Row k holds the blocks b for which b % 4 = k: so they come to
            // their places, see `Lanes::transpose`.
            macro_rules! row {
                ($k:literal) => {
                    V::load_quads([
                        blocks[$k].add(16 * Q),
                        blocks[($k + 4) % N].add(16 * Q),
                        blocks[($k + 8) % N].add(16 * Q),
                        blocks[($k + 12) % N].add(16 * Q),
                    ])
                    .from_be()
                };
            }
            let quad = V::transpose([row!(0), row!(1), row!(2), row!(3)]);
            let to = at.add(4 * Q);
            each!(J in 0 1 2 3 {
                to.add(J).write(quad[J]);
                to.add(80 + J).write(quad[J].add(k));
            });
        });
    }
}

/// Expands the `N` blocks of a group.
///
/// # Safety
///
/// As for [`load`].
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))] // see `filter`
unsafe fn expand<V: Lanes, const N: usize>(words: &mut Words<V>, blocks: [*const u8; N]) {
    // SAFETY: the caller's promise; `w` is followed by `k`, and all accesses
    // are within the two.
    unsafe {
        load::<V, N>(words, blocks);
        let mut at = (&raw mut *words).cast::<V>();
        // The last eight words in registers, the eight before from memory: all
        // sixteen are too many for the sixteen registers of x86-64.
        let mut w = [V::splat(0); 8];
        each!(J in 0 1 2 3 4 5 6 7 { w[J] = at.add(8 + J).read(); });
        let mut t = 16;
        while t < 80 {
            each!(J in 0 1 2 3 4 5 6 7 {
                let x = at.add(J).read().xor3(at.add(J + 2).read(), w[J]).xor(w[(J + 5) % 8]);
                w[J] = x.rotl::<1, 31>();
            });
            // Opaque, so that all accesses become one address and offsets: a
            // third fewer instructions.
            at = core::hint::black_box(at.add(8));
            let k = [V::splat(CONSTANTS[t / 4]), V::splat(CONSTANTS[t / 4 + 1])];
            each!(J in 0 1 2 3 4 5 6 7 {
                at.add(8 + J).write(w[J]);
                at.add(8 + 80 + J).write(w[J].add(k[J / 4]));
            });
            t += 8;
        }
    }
}

/// Filters two groups: see [`Halves::run`]. A function of its own, because V8 11
/// (Node 20) leaves larger ones than this to its baseline compiler.
///
/// # Safety
///
/// The words have been expanded.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(crate) unsafe fn filter<V: Lanes>(
    halves: &mut Halves<V>,
    first: &Words<V>,
    second: &Words<V>,
    results: &mut Results<V>,
) -> [u32; 2] {
    // SAFETY: the caller's promise.
    unsafe { halves.run(first.w.as_ptr().cast(), second.w.as_ptr().cast(), results) }
}

/// What goes between the steps of a group's blocks.
trait Between {
    /// Before a block.
    #[inline(always)]
    fn begin(&mut self, _block: usize) {}
    /// After step `T` of a block.
    #[inline(always)]
    fn after<const T: usize>(&mut self, _block: usize) {}
}

/// Nothing.
impl Between for () {}

/// Expands a group, of which the first sixteen words are there: in the time of
/// each block one N-th of the others.
struct Expanding<V> {
    words: *mut Words<V>,
    /// The constants of this block's part.
    k: [V; 4],
}

impl<V: Lanes> Expanding<V> {
    /// Words in a part.
    const PART: usize = 64 / V::COUNT;
    /// Steps from one to the next.
    const EVERY: usize = 80 / Self::PART;

    /// # Safety
    ///
    /// The CPU has the instruction set of `V`; the first sixteen words are there.
    /// What follows is for blocks 0 to N - 1 in order.
    #[inline(always)]
    unsafe fn new(words: *mut Words<V>) -> Self {
        const { assert!(Self::PART.is_multiple_of(4) && Self::PART <= 16) };
        // SAFETY: the caller's promise.
        let zero = unsafe { V::splat(0) };
        Self { words, k: [zero; 4] }
    }
}

impl<V: Lanes> Between for Expanding<V> {
    #[inline(always)]
    fn begin(&mut self, block: usize) {
        let mut i = 0;
        while i < Self::PART / 4 {
            // SAFETY: promised to `new`. Unchecked: checked it was 1 ns a block.
            self.k[i] = unsafe { V::splat(*CONSTANTS.get_unchecked(4 + Self::PART / 4 * block + i)) };
            i += 1;
        }
    }

    #[inline(always)]
    fn after<const T: usize>(&mut self, block: usize) {
        if T % Self::EVERY != Self::EVERY - 1 {
            return;
        }
        let j = T / Self::EVERY;
        // SAFETY: promised to `new`: this is a word from 16 to 79, and those before it are
        // there; `w` is followed by `k`.
        unsafe {
            let at = self.words.cast::<V>().add(16 + Self::PART * block + j);
            let x = at.sub(16).read().xor3(at.sub(14).read(), at.sub(8).read()).xor(at.sub(3).read());
            let word = x.rotl::<1, 31>();
            at.write(word);
            at.add(80).write(word.add(self.k[j / 4]));
        }
    }
}

/// The steps of the first `count` blocks of a group, one block after the other;
/// their states go into the trail from `place` on.
///
/// # Safety
///
/// The words have been expanded; the CPU has the instructions of `S`.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))] // see `filter`
unsafe fn rounds<S: Steps, V: Lanes, const N: usize>(
    h: &mut [u32; 5],
    words: &Words<V>,
    trail: &mut Trail,
    place: usize,
    count: usize,
    mut between: impl Between,
) {
    debug_assert!(count <= N && place + count <= TRAIL);
    let mut chain = *h;
    for block in 0..count {
        // SAFETY: a vector is N words in memory. Opaque: see `expand`.
        let from = S::opaque(unsafe { words.k.as_ptr().cast::<u32>().add(block).cast_mut() });
        let i = place + block;
        let mut state = State::new(chain);
        // Opaque too.
        let to = S::opaque((&raw mut *trail).cast::<Quad>().wrapping_add(i));
        macro_rules! put {
            ($quads:ident) => {
                let State { a, b, c, d, .. } = state;
                // SAFETY: place i of the trail's quads of this name.
                unsafe { to.byte_add(core::mem::offset_of!(Trail, $quads)).write(Quad::new([a, b, c, d])) }
            };
        }
        put!(chain);
        trail.chain_e[i].write(state.e);
        between.begin(block);
        macro_rules! steps {
            ($round:ident: $($t:literal)*) => {
                state = S::begin(Round::$round, state);
                $(
                    // SAFETY: the words are there.
                    state = unsafe { S::step::<N, $t>(Round::$round, state, from) };
                    between.after::<$t>(block);
                )*
            };
        }
        steps!(Choose: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        steps!(Parity: 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        steps!(Majority: 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55);
        put!(state_56);
        steps!(Majority: 56 57 58 59);
        put!(state_60);
        steps!(Parity: 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
        chain = add(chain, state.words()).map(S::single);
    }
    *h = chain;
}

/// Where the blocks of a group are. Where there are fewer than N, the first
/// stands in for others.
#[inline(always)]
fn pointers<const N: usize>(group: &[[u8; BLOCK_SIZE]]) -> [*const u8; N] {
    core::array::from_fn(|b| group.get(b).unwrap_or(&group[0]).as_ptr())
}

/// One message: compresses `blocks` into `h`, and checks them unless detection
/// is off.
///
/// # Safety
///
/// The CPU has the instruction set of `V`, and of `piece`.
#[inline(always)]
pub(crate) unsafe fn scan<S: Steps, V: Lanes, const N: usize, const GROUPS: usize>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize),
) {
    const { assert!(BATCH.is_multiple_of(GROUPS * N) && GROUPS.is_multiple_of(2)) };
    // SAFETY: the caller's promise.
    let recompressor = unsafe { Recompressor::<V, N>::new(piece) };
    let mut prover = InLanes::new(recompressor, blocks, detection, hits);
    let mut halves = Halves::<V>::new();
    let (mut now, mut next) = ([const { Words::<V>::new() }; GROUPS], [const { Words::<V>::new() }; GROUPS]);
    let (mut now, mut next) = (&mut now, &mut next);
    let mut trail = Trail::new();
    // Looked through once a batch: looked for in each group, candidates cost
    // more mispredicted branches than they are.
    let mut results = [const { Results::<V>::new() }; BATCH / 8];
    // Bit i: block i of the batch satisfies the conditions of some vector.
    let mut places = 0_u64;
    let mut start = 0;
    while start < blocks.len() {
        let (some, after) = blocks[start..].split_at((blocks.len() - start).min(GROUPS * N));
        if start == 0 || !S::BESIDE {
            for (group, words) in some.chunks(N).zip(now.iter_mut()) {
                // SAFETY: the caller's promise.
                unsafe { expand::<V, N>(words, pointers(group)) };
            }
        }
        if detection != Detection::Off {
            let (mut place, groups) = (start % BATCH, some.len().div_ceil(N));
            for words in now[..groups].chunks(2) {
                let (second, results) = (words.last().unwrap_or(&words[0]), &mut results[place / (2 * N)]);
                // SAFETY: they have been expanded.
                let [low, high] = unsafe { filter(&mut halves, &words[0], second, results) };
                places |= (u64::from(low) | u64::from(high) << N) << place;
                place += 2 * N;
            }
        }
        let mut later = after.chunks(N);
        for ((group, words), next) in some.chunks(N).zip(now.iter()).zip(next.iter_mut()) {
            let (place, count) = (start % TRAIL, group.len());
            start += count;
            match later.next() {
                // SAFETY: the words have been expanded; a group that others come
                // after is full.
                Some(later) if S::BESIDE => unsafe {
                    load::<V, N>(next, pointers(later));
                    rounds::<S, V, N>(h, words, &mut trail, place, count, Expanding::new(next));
                },
                // SAFETY: likewise.
                _ => unsafe { rounds::<S, V, N>(h, words, &mut trail, place, count, ()) },
            }
        }
        if S::BESIDE {
            core::mem::swap(&mut now, &mut next);
        }
        if places != 0 && (start % BATCH == 0 || start == blocks.len()) {
            // SAFETY: every CPU has the instructions.
            unsafe { Soft::new(h) }.leave(&mut trail, start % TRAIL);
            let batch = (start - 1) / BATCH * BATCH;
            let mut left = places;
            while left != 0 {
                let place = left.trailing_zeros() as usize;
                left &= left - 1;
                // SAFETY: its groups have been filtered.
                let mask = unsafe { results[place / (2 * N)].mask(place / N % 2, place % N) };
                trail.put_mask(batch + place, mask);
            }
            // In the order of blocks, as lanes of four would have it.
            prover.take_batch::<Soft, 4>(Candidates { places, batch }, &trail);
            places = 0;
        }
    }
    prover.flush::<Soft>();
}

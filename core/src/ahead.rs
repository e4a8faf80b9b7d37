//! Groups of four blocks, for WebAssembly: the blocks are expanded in lanes
//! and filtered there, and then the rounds take their words from memory.
//!
//! Without SHA-1 instructions the number of instructions is what bounds the
//! rounds, and a third of them would be the message expansion. In lanes the
//! blocks of a group share that, and it leaves the words where the filter
//! wants them: SHA-1 without detection takes 67 ns a block in V8 on Zen 4,
//! where the usual way takes 79.
//!
//! Nothing is put into gaps between rounds here: rounds in 50 ns leave no
//! slots empty (5.6 instructions a cycle), and what is not in straight lines
//! costs more moves between registers than it saves. Instead each kind of work
//! is done for several groups before the next kind begins, because the code of
//! all of them together is more than a core keeps decoded.

use core::mem::{MaybeUninit, take};
use core::sync::atomic::{Ordering, compiler_fence};

use crate::arch::soft::Soft;
use crate::detect::filter::{HIGH_BIT, LOW, LOW_BIT, Work};
use crate::detect::program::{KEPT, PIECES, piece};
use crate::detect::queue::{Job, Queue, Recompressor};
use crate::detect::vectors::COUNT;
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::one::Chain;
use crate::schedule::{BLOCK_SIZE, K, add};
use crate::trail::{BATCH, Candidates, InLanes, Prover, TRAIL, Trail};
use crate::wide::{InOrder, Step};

/// Blocks of a group.
const N: usize = 4;

/// Groups at a time: 1 takes 104 ns a block, 2 takes 95.5, 4 takes 94.7, 8
/// takes 95.6.
const GROUPS: usize = 4;

/// The expanded words of a group: `w[t]` holds word t of the four blocks.
#[repr(C, align(64))]
pub(crate) struct Words<V> {
    w: [MaybeUninit<V>; 80],
    /// With the rounds' constants added.
    k: [MaybeUninit<V>; 80],
}

impl<V: Lanes> Words<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        const { assert!(V::COUNT == N) };
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

/// Expands four blocks.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; each pointer is readable for a
/// block.
#[inline(never)]
unsafe fn expand<V: Lanes>(words: &mut Words<V>, blocks: [*const u8; N]) {
    // A loop in straight lines, whatever the optimisation.
    macro_rules! each {
        ($j:ident in $($value:literal)* $body:block) => { $({ const $j: usize = $value; $body })* };
    }
    // SAFETY: the caller's promise; `w` is followed by `k`, and all accesses
    // are within the two.
    unsafe {
        let mut at = (&raw mut words.w).cast::<V>();
        let k = V::splat(K[0]);
        let mut q = 0;
        while q < 4 {
            let [r0, r1, r2, r3] = blocks;
            let row = |block: *const u8| V::load(block.cast::<u32>().add(4 * q)).from_be();
            let quad = V::transpose([row(r0), row(r1), row(r2), row(r3)]);
            let to = at.add(4 * q);
            each!(J in 0 1 2 3 {
                to.add(J).write(quad[J]);
                to.add(80 + J).write(quad[J].add(k));
            });
            q += 1;
        }
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

/// What the filter keeps and finds.
#[repr(C, align(64))]
pub(crate) struct Found<V> {
    kept: [MaybeUninit<V>; KEPT],
    results: [MaybeUninit<V>; COUNT],
}

impl<V: Lanes> Found<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { kept: [const { MaybeUninit::uninit() }; KEPT], results: [const { MaybeUninit::uninit() }; COUNT] }
    }

    /// The mask of the block in one lane.
    ///
    /// # Safety
    ///
    /// The filter has run.
    #[inline(never)]
    unsafe fn mask(&self, lane: usize) -> u32 {
        let results = self.results.as_ptr().cast::<u32>();
        let mut mask = 0;
        let mut d = COUNT;
        while d > 0 {
            d -= 1;
            let bit = if LOW >> d & 1 == 1 { LOW_BIT } else { HIGH_BIT };
            // SAFETY: the caller's promise; a vector is N words in memory.
            mask = mask << 1 | unsafe { results.add(N * d + lane).read() } >> bit & 1;
        }
        mask
    }
}

/// The filter at work. Results stay as they are, and only whether there is one
/// at all is collected: where a constant takes three instructions, putting
/// each result into a mask at once was a fifth of the filter.
struct Filter<'a, V> {
    words: &'a Words<V>,
    found: &'a mut Found<V>,
    any: [V; 2],
}

// SAFETY of both reads: the words have been expanded, and the program's pieces
// run in order.
#[allow(clippy::undocumented_unsafe_blocks)]
impl<V: Lanes> Work<V> for Filter<'_, V> {
    #[inline(always)]
    fn word(&self, t: usize) -> V {
        unsafe { self.words.w[t].assume_init() }
    }
    #[inline(always)]
    fn keep(&mut self, i: usize, value: V) {
        self.found.kept[i].write(value);
    }
    #[inline(always)]
    fn kept(&self, i: usize) -> V {
        unsafe { self.found.kept[i].assume_init() }
    }
    #[inline(always)]
    fn result<const D: usize>(&mut self, value: V) {
        self.found.results[D].write(value);
        let any = &mut self.any[const { (LOW >> D & 1) as usize }];
        *any = any.or(value);
    }
}

/// Filters a group. Bit l of the result: the block in lane l satisfies the
/// conditions of some vector.
///
/// # Safety
///
/// The words have been expanded.
#[inline(never)]
unsafe fn filter<V: Lanes>(words: &Words<V>, found: &mut Found<V>) -> u32 {
    // SAFETY: there are words, so the CPU has the instruction set.
    let (zero, bit) = unsafe { (V::splat(0), V::splat(1 << HIGH_BIT)) };
    let mut filter = Filter { words, found, any: [zero; 2] };
    macro_rules! pieces {
        ($($n:literal)*) => { $(
            if const { $n < PIECES } {
                piece::<V, $n>(&mut filter);
                // The compiler would hold every value from where it is made to
                // where it is used, many more than there are registers, and
                // engines put what is too many into slots on their stack that
                // lie across cache lines. What is used beyond this fence is
                // read from where it is kept: 18 ns a block instead of 36.
                if $n % 3 == 2 {
                    compiler_fence(Ordering::SeqCst);
                }
            }
        )* };
    }
    pieces!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    let [high, low] = filter.any;
    !low.shl::<{ HIGH_BIT - LOW_BIT }>().or(high).and(bit).zeros() & (u32::MAX >> (32 - N))
}

/// The rounds of the first `count` blocks of a group, one after the other;
/// their states go into the trail from `place` on.
///
/// # Safety
///
/// The words have been expanded.
#[inline(never)]
unsafe fn rounds<V: Lanes>(h: &mut [u32; 5], words: &Words<V>, trail: &mut Trail, place: usize, count: usize) {
    #[inline(always)]
    fn choose(b: u32, c: u32, d: u32) -> [u32; 2] {
        [d ^ (b & (c ^ d)), 0]
    }
    #[inline(always)]
    fn parity(b: u32, c: u32, d: u32) -> [u32; 2] {
        [b ^ (c ^ d), 0]
    }
    /// In two parts with no bit in common, of which one need not wait for b.
    #[inline(always)]
    fn majority(b: u32, c: u32, d: u32) -> [u32; 2] {
        [b & (c ^ d), c & d]
    }
    assert!(count <= N && place + count <= TRAIL);
    let mut chain = *h;
    for block in 0..count {
        // SAFETY: a vector is N words in memory. Opaque: see `expand`.
        let from = core::hint::black_box(unsafe { words.k.as_ptr().cast::<u32>().add(block) });
        let i = place + block;
        let [mut a, mut b, mut c, mut d, mut e] = chain;
        trail.chain[i].write([a, b, c, d]);
        trail.chain_e[i].write(e);
        macro_rules! steps {
            ($f:ident: $($t:literal)*) => { $(
                let [x, y] = $f(b, c, d);
                // SAFETY: the words are there.
                e = e.wrapping_add(unsafe { from.add(N * $t).read() }).wrapping_add(y).wrapping_add(x);
                (a, b, c, d, e) = (e.wrapping_add(a.rotate_left(5)), a, b.rotate_left(30), c, d);
            )* };
        }
        steps!(choose: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        steps!(parity: 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39);
        steps!(majority: 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55);
        trail.state_56[i].write([a, b, c, d]);
        steps!(majority: 56 57 58 59);
        trail.state_60[i].write([a, b, c, d]);
        steps!(parity: 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
        chain = add(chain, [a, b, c, d, e]);
    }
    *h = chain;
}

/// One message: compresses `blocks` into `h`, and checks them unless detection
/// is off.
///
/// # Safety
///
/// The CPU has the instruction set of `V`, and of `piece`.
#[inline(always)]
pub(crate) unsafe fn scan<V: Lanes>(
    h: &mut [u32; 5],
    blocks: &[[u8; BLOCK_SIZE]],
    detection: Detection,
    hits: &mut dyn FnMut(Hit),
    piece: unsafe fn(&mut Job<V, N>, &Queue<N>, usize),
) {
    // SAFETY: the caller's promise.
    let recompressor = unsafe { Recompressor::<V, N>::new(piece) };
    let mut prover = InLanes::new(recompressor, blocks, detection, hits);
    let mut found = Found::<V>::new();
    let mut words = [const { Words::<V>::new() }; GROUPS];
    let mut trail = Trail::new();
    // Bit i: the block in place i of the batch's masks satisfies some vector.
    let mut places = 0_u64;
    let mut start = 0;
    while start < blocks.len() {
        let some = &blocks[start..blocks.len().min(start + GROUPS * N)];
        for (group, words) in some.chunks(N).zip(&mut words) {
            // Where there are fewer than four, the first stands in for others.
            let at = core::array::from_fn(|b| group.get(b).unwrap_or(&group[0]).as_ptr());
            // SAFETY: the caller's promise.
            unsafe { expand(words, at) };
        }
        if detection != Detection::Off {
            for (first, words) in (start..).step_by(N).zip(&words[..some.len().div_ceil(N)]) {
                // SAFETY: they have been expanded.
                let mut lanes = unsafe { filter(words, &mut found) };
                places |= u64::from(lanes) << (first % BATCH);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    // SAFETY: the filter has run.
                    trail.put_mask(first + lane, unsafe { found.mask(lane) });
                }
            }
        }
        for (group, words) in some.chunks(N).zip(&words) {
            // SAFETY: they have been expanded.
            unsafe { rounds(h, words, &mut trail, start % TRAIL, group.len()) };
            for _ in group {
                Prover::<InOrder, N>::between(&mut prover, &trail);
            }
            start += group.len();
        }
        if places != 0 && (start % BATCH == 0 || start == blocks.len()) {
            // SAFETY: every CPU has the instructions.
            unsafe { Soft::new(h) }.leave(&mut trail, start % TRAIL);
            let candidates = Candidates { places: take(&mut places), batch: (start - 1) / BATCH * BATCH };
            Prover::<InOrder, N>::take(&mut prover, candidates, &trail);
        }
    }
    Prover::<InOrder, N>::finish(&mut prover, &trail);
}

/// Four messages: a block of each in its lane.
pub(crate) struct Group<V> {
    words: Words<V>,
    found: Found<V>,
}

impl<V: Lanes> Group<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { words: Words::new(), found: Found::new() }
    }

    /// As [`crate::wide::compress`], with all conditions.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`; each pointer is readable for a
    /// block.
    #[inline(always)]
    pub(crate) unsafe fn compress(
        &mut self,
        at: &[*const u8; N],
        h: &mut [[u32; N]; 5],
        step: *mut Step<N>,
        detect: bool,
    ) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            expand(&mut self.words, *at);
            let mut masks = [0; N];
            if detect {
                let mut lanes = filter(&self.words, &mut self.found);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    masks[lane] = self.found.mask(lane);
                }
            }
            rounds_in_lanes(h, &self.words, step);
            V::load(masks.as_ptr())
        }
    }
}

/// The rounds of four messages at once.
///
/// # Safety
///
/// The CPU has the instruction set of `V`, the words have been expanded, and
/// `step` is memory for a step.
#[inline(never)]
unsafe fn rounds_in_lanes<V: Lanes>(h: &mut [[u32; N]; 5], words: &Words<V>, step: *mut Step<N>) {
    // SAFETY: the caller's promise; all states are N words.
    unsafe {
        let before: [V; 5] = core::array::from_fn(|i| V::load(h[i].as_ptr()));
        let [mut a, mut b, mut c, mut d, mut e] = before;
        let mut from = words.k.as_ptr().cast::<V>();
        // Loops of five steps: they take as long as straight lines, and leave
        // room for the code of the filter.
        macro_rules! steps {
            ($f:ident: $($t:literal)*) => {
                let mut i = 0;
                while i < 4 {
                    $(
                        let sum = a.rotl::<5, 27>().add(b.$f(c, d)).add(e.add(from.add($t).read()));
                        (a, b, c, d, e) = (sum, a, b.rotl::<30, 2>(), c, d);
                    )*
                    from = core::hint::black_box(from.add(5));
                    i += 1;
                }
            };
        }
        steps!(choose: 0 1 2 3 4);
        steps!(xor3: 0 1 2 3 4);
        steps!(majority: 0 1 2 3 4);
        for (i, word) in [a, b, c, d].into_iter().enumerate() {
            word.store((&raw mut (*step).state_60[i]).cast());
        }
        // What e was when it was a.
        e.rotl::<2, 30>().store((&raw mut (*step).a_56).cast());
        steps!(xor3: 0 1 2 3 4);
        for (i, word) in [a, b, c, d, e].into_iter().enumerate() {
            before[i].store((&raw mut (*step).before[i]).cast());
            let after = before[i].add(word);
            after.store((&raw mut (*step).after[i]).cast());
            after.store(h[i].as_mut_ptr());
        }
    }
}

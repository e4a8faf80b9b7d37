//! Candidates of lanes, packed: what passes the sieve is compressed, in the
//! sense of `vpcompressd`, to the end of a list for each word that its
//! recompression needs. No branch asks whether there is any.
//!
//! Taken one by one, as [`crate::wide::Queued`] does, a candidate cost 35 ns
//! besides its recompression with AVX-512: copies, and branches that nothing
//! can predict.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::detect::queue::lane_of;
use crate::detect::recompress::{AS_IS, Other, STEP, carry_with};
use crate::detect::vectors::{COUNT, DIFFERENCE_BYTES, DIFFERENCES, DisturbanceVector};
use crate::engine::Detection;
use crate::lanes::Lanes;
use crate::schedule::{K, expand};
use crate::wide::{At, Sieve, Step, Suspect, compress};

/// Words of a chaining value that are compared. What agrees in two by chance, 1
/// candidate in 2^64, is hashed once more and found to be nothing.
pub(crate) const KEPT: usize = 2;

/// Up to `2 * N` words, of which lists are.
type List<T, const N: usize> = [[T; N]; 2];

/// The candidates, in the order in which they came.
#[repr(C, align(64))]
pub(crate) struct Waiting<const N: usize> {
    /// Vectors that are still to be tried.
    masks: List<u32, N>,
    block: List<*const u8, N>,
    message: List<u32, N>,
    /// a, b, c, d before step 60, and a before step 56.
    state: [List<u32, N>; 5],
    before: [List<u32, N>; KEPT],
    after: [List<u32, N>; KEPT],
    count: usize,
}

impl<const N: usize> Waiting<N> {
    pub(crate) const fn new() -> Self {
        let (list, lists) = ([[0; N]; 2], [[[0; N]; 2]; KEPT]);
        Self {
            masks: list,
            block: [[core::ptr::null(); N]; 2],
            message: list,
            state: [[[0; N]; 2]; 5],
            before: lists,
            after: lists,
            count: 0,
        }
    }

    /// Adds what stands in the lanes `keep` of a step.
    ///
    /// # Safety
    ///
    /// Fewer than `N` wait. The step has been run, and noted so many words of
    /// the chaining values.
    #[inline(always)]
    unsafe fn add<V: Lanes>(&mut self, step: *const Step<N>, message: &[u32; N], keep: u32, before: bool) {
        debug_assert!(self.count < N);
        let count = self.count;
        macro_rules! pack {
            ($from:expr => $to:expr) => {
                // SAFETY: N words from place N - 1 at most; the caller's promise.
                unsafe { V::load((&raw const $from).cast()).pack(keep, (&raw mut $to).cast::<u32>().add(count)) }
            };
        }
        pack!((*step).masks => self.masks);
        pack!(*message => self.message);
        // SAFETY: likewise.
        unsafe {
            V::pack_pointers((&raw const (*step).at).cast(), keep, (&raw mut self.block).cast::<*const u8>().add(count))
        };
        pack!((*step).state_60[0] => self.state[0]);
        pack!((*step).state_60[1] => self.state[1]);
        pack!((*step).state_60[2] => self.state[2]);
        pack!((*step).state_60[3] => self.state[3]);
        pack!((*step).a_56 => self.state[4]);
        macro_rules! each {
            ($($i:literal)*) => { $(
                pack!((*step).after[$i] => self.after[$i]);
                if before {
                    pack!((*step).before[$i] => self.before[$i]);
                }
            )* };
        }
        each!(0 1);
        self.count += keep.count_ones() as usize;
    }

    /// Runs `count` steps of [`compress`], and packs what passes. Proves with
    /// `prove`, which is [`prove`](Self::prove).
    ///
    /// # Safety
    ///
    /// As [`Way::run`](crate::wide::Way::run).
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(crate) unsafe fn run<V: Lanes>(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        count: usize,
        detection: Detection,
        suspect: &mut dyn FnMut(Suspect),
        prove: unsafe fn(&mut Self, usize, Detection, &mut dyn FnMut(Suspect)),
    ) {
        const { assert!(V::COUNT == N) };
        let mut step = MaybeUninit::<Step<N>>::uninit();
        let step = step.as_mut_ptr();
        for _ in 0..count {
            // SAFETY: the caller's promise; the step's own memory.
            unsafe {
                let mut sieve = Sieve(V::splat(!0));
                compress::<V, N, { KEPT }>(&at.at, h, step, &mut sieve);
                let masks = sieve.0;
                masks.store((&raw mut (*step).masks).cast());
                let keep = !masks.zeros() & at.active;
                (&raw mut (*step).at).write(at.at);
                self.add::<V>(step, &at.message, keep, detection.reduced_rounds());
                at.go_on();
                if self.count >= N {
                    prove(self, N, detection, suspect);
                }
            }
        }
    }

    /// Adds what stands in lane `l` of a step.
    ///
    /// # Safety
    ///
    /// Fewer than `2 * N` wait. The step has been run, and noted so many words
    /// of the chaining values.
    #[inline(always)]
    pub(crate) unsafe fn add_one(&mut self, step: *const Step<N>, l: usize, mask: u32, message: u32) {
        let to = self.count;
        self.count += 1;
        self.masks.as_flattened_mut()[to] = mask;
        self.message.as_flattened_mut()[to] = message;
        // SAFETY: the caller's promise.
        unsafe {
            self.block.as_flattened_mut()[to] = (*step).at[l];
            for i in 0..4 {
                self.state[i].as_flattened_mut()[to] = (*step).state_60[i][l];
            }
            self.state[4].as_flattened_mut()[to] = (*step).a_56[l];
            for i in 0..KEPT {
                self.before[i].as_flattened_mut()[to] = (*step).before[i][l];
                self.after[i].as_flattened_mut()[to] = (*step).after[i][l];
            }
        }
    }

    /// How many wait.
    pub(crate) fn waits(&self) -> usize {
        self.count
    }

    /// Recompresses until fewer than `few` wait.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`, and the blocks are still there.
    #[inline(always)]
    pub(crate) unsafe fn prove<V: Lanes>(
        &mut self,
        few: usize,
        detection: Detection,
        suspect: &mut dyn FnMut(Suspect),
    ) {
        while self.count >= few {
            // SAFETY: the caller's promise.
            unsafe { self.prove_last::<V>(detection, suspect) };
        }
    }

    /// Recompresses the last `N` that wait, each for one of its vectors.
    ///
    /// # Safety
    ///
    /// Likewise, and something waits.
    #[inline(always)]
    unsafe fn prove_last<V: Lanes>(&mut self, detection: Detection, suspect: &mut dyn FnMut(Suspect)) {
        let first = self.count.saturating_sub(N);
        let count = self.count - first;
        macro_rules! load {
            ($list:expr) => {
                // SAFETY: N words from place N at most; the caller's promise.
                unsafe { V::load((&raw const $list).cast::<u32>().add(first)) }
            };
        }
        let state = [
            load!(self.state[0]),
            load!(self.state[1]),
            load!(self.state[2]),
            load!(self.state[3]),
            load!(self.state[4]),
        ];
        let mut last = Last::<V, N> {
            words: [const { MaybeUninit::uninit() }; 80],
            state,
            // Where there are fewer, the first stands in for others.
            block: [self.block.as_flattened()[first]; N],
            difference: [DIFFERENCE_BYTES[0].as_ptr(); N],
        };
        let mut vectors = [DisturbanceVector::new(0); N];
        let (mut apart, mut more) = (0_u32, 0_u32);
        for (l, chosen) in vectors.iter_mut().enumerate().take(count) {
            let mask = &mut self.masks.as_flattened_mut()[first + l];
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            *mask &= *mask - 1;
            more |= u32::from(*mask != 0) << l;
            apart |= (!AS_IS >> vector.index() & 1) << l;
            last.block[l] = self.block.as_flattened()[first + l];
            last.difference[l] = DIFFERENCE_BYTES[vector.index()].as_ptr();
            *chosen = vector;
        }
        last.expand();
        if apart != 0 {
            last.carry(apart, &vectors);
        }
        let [other_before, other_after] = last.recompress();
        macro_rules! same {
            ($other:expr, $list:expr) => {{
                let ([a, b, ..], [x, y]) = ($other, [load!($list[0]), load!($list[1])]);
                a.xor(x).or(b.xor(y)).zeros()
            }};
        }
        let mut found = same!(other_after, self.after);
        if detection.reduced_rounds() {
            found |= same!(other_before, self.before);
        }
        if detection == Detection::Observe {
            found = !0;
        }
        found &= u32::MAX >> (32 - count);
        while found != 0 {
            let l = found.trailing_zeros() as usize;
            found &= found - 1;
            suspect(Suspect {
                message: self.message.as_flattened()[first + l] as usize,
                vector: vectors[l],
                other: Other { before: lane_of(&other_before, l), after: lane_of(&other_after, l) },
            });
        }
        self.count = first;
        while more != 0 {
            let from = first + more.trailing_zeros() as usize;
            more &= more - 1;
            self.keep(from);
        }
    }

    /// Puts what is in place `from`, not before the end, at the end.
    fn keep(&mut self, from: usize) {
        let to = self.count;
        self.count += 1;
        fn copy<T: Copy, const N: usize>(list: &mut List<T, N>, from: usize, to: usize) {
            let list = list.as_flattened_mut();
            list[to] = list[from];
        }
        copy(&mut self.masks, from, to);
        copy(&mut self.block, from, to);
        copy(&mut self.message, from, to);
        for list in self.state.iter_mut().chain(&mut self.before).chain(&mut self.after) {
            copy(list, from, to);
        }
    }
}

/// The steps between [`STEP`] and those at which messages have the same state.
const BETWEEN: Range<usize> = 58..65;

/// The differences of these steps' words, for the vectors that are not [`AS_IS`],
/// in order.
const APART: [[u32; BETWEEN.end - BETWEEN.start]; COUNT - AS_IS.count_ones() as usize] = {
    let mut all = [[0; BETWEEN.end - BETWEEN.start]; COUNT - AS_IS.count_ones() as usize];
    let (mut d, mut place) = (0, 0);
    while d < COUNT {
        if AS_IS >> d & 1 == 0 {
            let w = expand(&DIFFERENCES[d]);
            let mut t = BETWEEN.start;
            while t < BETWEEN.end {
                all[place][t - BETWEEN.start] = w[t];
                t += 1;
            }
            place += 1;
        }
        d += 1;
    }
    all
};
const _: () = assert!(BETWEEN.start < STEP && STEP < BETWEEN.end);

/// What is recompressed at once: in each lane a candidate.
struct Last<V, const N: usize> {
    /// Of the other messages.
    words: [MaybeUninit<V>; 80],
    /// a, b, c, d before step 60, and a before step 56.
    state: [V; 5],
    block: [*const u8; N],
    difference: [*const u8; N],
}

impl<V: Lanes, const N: usize> Last<V, N> {
    /// Words 4q to 4q + 3 of the other messages' blocks.
    #[inline(always)]
    fn quad(&self, q: usize) -> [V; 4] {
        macro_rules! quads {
            ($at:expr, $k:literal) => {
                V::load_quads([
                    $at[$k].wrapping_add(16 * q),
                    $at[($k + 4) % N].wrapping_add(16 * q),
                    $at[($k + 8) % N].wrapping_add(16 * q),
                    $at[($k + 12) % N].wrapping_add(16 * q),
                ])
            };
        }
        macro_rules! row {
            ($k:literal) => {
                // SAFETY: the blocks are there; a value exists, so the CPU has
                // the instructions.
                unsafe { quads!(self.block, $k).xor(quads!(self.difference, $k)) }
            };
        }
        let [a, b, c, d] = V::transpose([row!(0), row!(1), row!(2), row!(3)]);
        [a.from_be(), b.from_be(), c.from_be(), d.from_be()]
    }

    /// Makes the words.
    #[inline(always)]
    fn expand(&mut self) {
        let mut w = [self.state[0]; 16];
        macro_rules! load {
            ($($q:literal)*) => { $(
                [w[4 * $q], w[4 * $q + 1], w[4 * $q + 2], w[4 * $q + 3]] = self.quad($q);
                self.words[4 * $q].write(w[4 * $q]);
                self.words[4 * $q + 1].write(w[4 * $q + 1]);
                self.words[4 * $q + 2].write(w[4 * $q + 2]);
                self.words[4 * $q + 3].write(w[4 * $q + 3]);
            )* };
        }
        load!(0 1 2 3);
        macro_rules! expand {
            ($($t:literal)*) => { $(
                let x = w[($t + 13) % 16].xor3(w[($t + 8) % 16], w[($t + 2) % 16]);
                w[$t % 16] = x.xor(w[$t % 16]).rotl::<1, 31>();
                w[$t % 16].pin();
                self.words[$t].write(w[$t % 16]);
            )* };
        }
        expand!(16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47);
        expand!(48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79);
    }

    /// Brings the other message's state to the lanes `apart`, where it is not
    /// this one's.
    #[cold]
    #[inline(never)]
    fn carry(&mut self, mut apart: u32, vectors: &[DisturbanceVector; N]) {
        // A vector is N words in memory.
        let (words, state): (*const u32, *mut u32) = ((&raw const self.words).cast(), (&raw mut self.state).cast());
        while apart != 0 {
            let l = apart.trailing_zeros() as usize;
            apart &= apart - 1;
            let difference = &APART[(!AS_IS & ((1 << vectors[l].index()) - 1)).count_ones() as usize];
            let (mut this, mut other) = ([0; 80], [0; 80]);
            for (t, difference) in BETWEEN.zip(difference) {
                // SAFETY: all words have been written.
                other[t] = unsafe { words.add(t * N + l).read() };
                // The expansion is linear.
                this[t] = other[t] ^ difference;
            }
            let word = |i: usize| state.wrapping_add(i * N + l);
            // SAFETY: within the state.
            unsafe {
                let s = [word(0).read(), word(1).read(), word(2).read(), word(3).read(), word(4).read()];
                let [a, b, c, d, e] =
                    carry_with([s[0], s[1], s[2], s[3], s[4].rotate_left(30)], &this, &other, vectors[l]);
                for (i, s) in [a, b, c, d, e.rotate_right(30)].into_iter().enumerate() {
                    word(i).write(s);
                }
            }
        }
    }

    /// The other messages' chaining values before and after: steps 59 to 0
    /// undone, and steps 60 to 79. Straight lines: in loops through memory, as
    /// [`crate::detect::queue::Job`] does it, a candidate took 30 ns.
    #[inline(always)]
    fn recompress(&self) -> [[V; 5]; 2] {
        // e is what a was four steps before.
        let [a, b, c, d, a_56] = self.state;
        let start = [a, b, c, d, a_56.rotl::<30, 2>()];
        let ([mut a, mut b, mut c, mut d, mut e], mut s) = (start, start);
        // SAFETY: a value exists, so the CPU has the instruction set.
        let k = unsafe { [V::splat(K[0]), V::splat(K[1]), V::splat(K[2]), V::splat(K[3])] };
        macro_rules! word {
            ($t:literal) => {
                // SAFETY: all words have been written.
                unsafe { self.words[$t].assume_init() }
            };
        }
        macro_rules! unstep {
            ($f:ident, $k:literal: $($t:literal)*) => { $(
                let x = a.sub(word!($t).add(k[$k])).sub(b.rotl::<5, 27>());
                c = c.rotl::<2, 30>();
                (a, b, c, d, e) = (b, c, d, e, x.sub(c.$f(d, e)));
                e.pin();
            )* };
        }
        macro_rules! step {
            ($($t:literal)*) => { $(
                let [a, b, c, d, e] = s;
                let sum = e.add(word!($t).add(k[3])).add(b.xor3(c, d)).add(a.rotl::<5, 27>());
                s = [sum, a, b.rotl::<30, 2>(), c, d];
                sum.pin();
            )* };
        }
        // The two have nothing to do with each other: side by side, neither
        // waits for its own last step.
        macro_rules! beside {
            ($f:ident, $k:literal: $($u:literal $v:literal $w:literal $t:literal)*) => { $(
                unstep!($f, $k: $u);
                step!($t);
                unstep!($f, $k: $v $w);
            )* };
        }
        beside!(majority, 2: 59 58 57 60 56 55 54 61 53 52 51 62 50 49 48 63 47 46 45 64 44 43 42 65);
        unstep!(majority, 2: 41 40);
        beside!(xor3, 1: 39 38 37 66 36 35 34 67 33 32 31 68 30 29 28 69 27 26 25 70 24 23 22 71);
        unstep!(xor3, 1: 21 20);
        beside!(choose, 0: 19 18 17 72 16 15 14 73 13 12 11 74 10 9 8 75 7 6 5 76 4 3 2 77);
        unstep!(choose, 0: 1);
        step!(78 79);
        unstep!(choose, 0: 0);
        let before = [a, b, c, d, e];
        [before, [a.add(s[0]), b.add(s[1]), c.add(s[2]), d.add(s[3]), e.add(s[4])]]
    }
}

//! Candidates of lanes, packed: what passes the sieve is compressed, in the
//! sense of `vpcompressd`, to the end of a list for each word that its
//! recompression needs. No branch asks whether there is any.
//!
//! Taken one by one, as [`crate::wide::Queued`] does, a candidate cost 35 ns
//! besides its recompression with AVX-512: copies, and branches that nothing
//! can predict.

use core::mem::MaybeUninit;

use crate::detect::queue::{Job, PIECES, Source};
use crate::detect::recompress::{AS_IS, carry};
use crate::detect::vectors::{DIFFERENCE_BYTES, DisturbanceVector};
use crate::engine::{Detection, Hit};
use crate::lanes::Lanes;
use crate::schedule::{BLOCK_SIZE, words};
use crate::wide::{At, Step, Way, compress};

/// Up to `2 * N` words, of which lists are.
type List<T, const N: usize> = [[T; N]; 2];

/// The candidates, in the order in which they came.
#[repr(C, align(64))]
pub(crate) struct Waiting<const N: usize> {
    count: usize,
    /// Vectors that are still to be tried.
    masks: List<u32, N>,
    block: List<*const u8, N>,
    message: List<u32, N>,
    /// a, b, c, d before step 60, and a before step 56.
    state: [List<u32, N>; 5],
    before: [List<u32, N>; 5],
    after: [List<u32, N>; 5],
}

impl<const N: usize> Waiting<N> {
    const fn new() -> Self {
        let (list, lists) = ([[0; N]; 2], [[[0; N]; 2]; 5]);
        Self {
            count: 0,
            masks: list,
            block: [[core::ptr::null(); N]; 2],
            message: list,
            state: lists,
            before: lists,
            after: lists,
        }
    }

    /// Adds what stands in the lanes `keep` of a step.
    ///
    /// # Safety
    ///
    /// Fewer than `N` wait.
    #[inline(always)]
    unsafe fn add<V: Lanes>(&mut self, step: &Step<N>, message: &[u32; N], keep: u32, before: bool) {
        debug_assert!(self.count < N);
        let count = self.count;
        macro_rules! pack {
            ($from:expr => $to:expr) => {
                // SAFETY: N words from place N - 1 at most.
                unsafe { V::load($from.as_ptr()).pack(keep, (&raw mut $to).cast::<u32>().add(count)) }
            };
        }
        pack!(step.masks => self.masks);
        pack!(message => self.message);
        // SAFETY: likewise.
        unsafe { V::pack_pointers(step.at.as_ptr(), keep, (&raw mut self.block).cast::<*const u8>().add(count)) };
        pack!(step.state_60[0] => self.state[0]);
        pack!(step.state_60[1] => self.state[1]);
        pack!(step.state_60[2] => self.state[2]);
        pack!(step.state_60[3] => self.state[3]);
        pack!(step.a_56 => self.state[4]);
        macro_rules! each {
            ($($i:literal)*) => { $(
                pack!(step.after[$i] => self.after[$i]);
                if before {
                    pack!(step.before[$i] => self.before[$i]);
                }
            )* };
        }
        each!(0 1 2 3 4);
        self.count += keep.count_ones() as usize;
    }

    /// Recompresses until fewer than `few` wait.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`, and the blocks are still there.
    #[inline(always)]
    pub(crate) unsafe fn prove<V: Lanes>(&mut self, few: usize, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        while self.count >= few {
            // SAFETY: the caller's promise.
            unsafe { self.prove_last::<V>(detection, hits) };
        }
    }

    /// Recompresses the last `N` that wait, each for one of its vectors.
    ///
    /// # Safety
    ///
    /// Likewise, and something waits.
    #[inline(always)]
    unsafe fn prove_last<V: Lanes>(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        let first = self.count.saturating_sub(N);
        let count = self.count - first;
        let mut last = Last::<V, N> {
            // SAFETY: the caller's promise; N words from place N at most.
            state: unsafe { self.state.each_ref().map(|list| V::load(list.as_flattened()[first..].as_ptr())) },
            before: unsafe { self.before.each_ref().map(|list| V::load(list.as_flattened()[first..].as_ptr())) },
            after: unsafe { self.after.each_ref().map(|list| V::load(list.as_flattened()[first..].as_ptr())) },
            // Where there are fewer, the first stands in for others.
            block: [self.block.as_flattened()[first]; N],
            difference: [DIFFERENCE_BYTES[0].as_ptr(); N],
        };
        let mut vectors = [DisturbanceVector::new(0); N];
        let (mut apart, mut more) = (0_u32, 0_u32);
        for l in 0..count {
            let mask = &mut self.masks.as_flattened_mut()[first + l];
            let vector = DisturbanceVector::new(mask.trailing_zeros() as usize);
            *mask &= *mask - 1;
            more |= u32::from(*mask != 0) << l;
            apart |= (!AS_IS >> vector.index() & 1) << l;
            last.block[l] = self.block.as_flattened()[first + l];
            last.difference[l] = DIFFERENCE_BYTES[vector.index()].as_ptr();
            vectors[l] = vector;
        }
        if apart != 0 {
            last.carry(apart, &vectors);
        }
        // SAFETY: the caller's promise.
        let mut job = unsafe { Job::<V, N>::new() };
        for piece in 0..PIECES {
            job.piece_of(&last, piece);
        }
        let found = job.found(detection) & (u32::MAX >> (32 - count));
        if found != 0 {
            for l in (0..count).filter(|l| found >> l & 1 == 1) {
                let at = |list: &List<u32, N>| list.as_flattened()[first + l];
                hits(job.hit(l, at(&self.message) as usize, vectors[l], self.after.each_ref().map(at)));
            }
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

/// What is recompressed at once.
struct Last<V, const N: usize> {
    state: [V; 5],
    before: [V; 5],
    after: [V; 5],
    block: [*const u8; N],
    difference: [*const u8; N],
}

impl<V: Lanes, const N: usize> Last<V, N> {
    /// Brings the other message's state to the lanes `apart`, where it is not this one's.
    #[cold]
    #[inline(never)]
    fn carry(&mut self, mut apart: u32, vectors: &[DisturbanceVector; N]) {
        let state: *mut u32 = (&raw mut self.state).cast();
        while apart != 0 {
            let l = apart.trailing_zeros() as usize;
            apart &= apart - 1;
            // SAFETY: a vector is N words in memory; the block is there.
            unsafe {
                let word = |i: usize| state.add(i * N + l);
                let s = [word(0).read(), word(1).read(), word(2).read(), word(3).read(), word(4).read()];
                let block = &*self.block[l].cast::<[u8; BLOCK_SIZE]>();
                let s = carry([s[0], s[1], s[2], s[3], s[4].rotate_left(30)], &words(block), vectors[l]);
                for (i, s) in [s[0], s[1], s[2], s[3], s[4].rotate_right(30)].into_iter().enumerate() {
                    word(i).write(s);
                }
            }
        }
    }
}

impl<V: Lanes, const N: usize> Source<V> for Last<V, N> {
    #[inline(always)]
    fn words(&self, q: usize) -> [V; 4] {
        let row = |k: usize| {
            let quads = |at: &[*const u8; N]| {
                let at = |i: usize| at[(k + i) % N].wrapping_add(16 * q);
                // SAFETY: the blocks are there; a value exists, so the CPU has
                // the instructions.
                unsafe { V::load_quads([at(0), at(4), at(8), at(12)]) }
            };
            quads(&self.block).xor(quads(&self.difference))
        };
        V::transpose([row(0), row(1), row(2), row(3)])
    }

    #[inline(always)]
    fn state_60(&self) -> [V; 5] {
        let [a, b, c, d, a_56] = self.state;
        // e is what a was four steps before.
        [a, b, c, d, a_56.rotl::<30, 2>()]
    }

    #[inline(always)]
    fn before(&self) -> [V; 5] {
        self.before
    }

    #[inline(always)]
    fn after(&self) -> [V; 5] {
        self.after
    }
}

/// The rounds with the sieve between them, step by step, and what passes
/// packed.
pub(crate) struct Packed<V, const N: usize> {
    step: MaybeUninit<Step<N>>,
    waiting: Waiting<N>,
    /// [`Waiting::prove`]: a function of its own.
    prove: unsafe fn(&mut Waiting<N>, usize, Detection, &mut dyn FnMut(Hit)),
    lanes: core::marker::PhantomData<V>,
}

impl<V: Lanes, const N: usize> Packed<V, N> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V` and `prove`.
    #[inline(always)]
    pub(crate) unsafe fn new(prove: unsafe fn(&mut Waiting<N>, usize, Detection, &mut dyn FnMut(Hit))) -> Self {
        const { assert!(V::COUNT == N) };
        Self { step: MaybeUninit::uninit(), waiting: Waiting::new(), prove, lanes: core::marker::PhantomData }
    }
}

impl<V: Lanes, const N: usize> Way<N> for Packed<V, N> {
    const COPIES: bool = false;

    #[inline(always)]
    unsafe fn run(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        count: usize,
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        let step = self.step.as_mut_ptr();
        let before = detection.reduced_rounds();
        for _ in 0..count {
            // SAFETY: the caller's promise; the step's own memory.
            unsafe {
                if detection == Detection::Off {
                    compress::<V, N, false>(&at.at, h, step);
                    at.go_on();
                    continue;
                }
                let masks = compress::<V, N, true>(&at.at, h, step);
                masks.store((&raw mut (*step).masks).cast());
                let keep = !masks.zeros() & at.active;
                let message = at.message;
                at.leave(step);
                self.waiting.add::<V>(&*step, &message, keep, before);
                if self.waiting.count >= N {
                    (self.prove)(&mut self.waiting, N, detection, hits);
                }
            }
        }
    }

    #[inline(always)]
    fn settle(&mut self, detection: Detection, hits: &mut dyn FnMut(Hit)) {
        // SAFETY: promised to `new`; the blocks are there until this returns.
        unsafe { (self.prove)(&mut self.waiting, 1, detection, hits) };
    }
}


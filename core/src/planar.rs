//! Lanes whose conditions are tested on [bit planes](crate::detect::planes), some
//! steps at a time; what satisfies them waits [packed](crate::packed).
//!
//! It is taken one by one: all 156 conditions let 1 block in 21 pass, and they are
//! looked for once in 256 blocks.

use core::mem::MaybeUninit;

use crate::detect::planes::{FIRST, Planar, Planes, STEPS};
use crate::engine::Detection;
use crate::packed::{KEPT, Waiting};
use crate::wide::{At, Step, Suspect, Watch, compress};

/// Sets of planes that are filled before they are looked at, one after the
/// other: the code that looks is 10 KB, and comes into the first-level cache
/// once for all of them. One set took 25.9 ns a block, four take 24.8 (Zen 3).
const SETS: usize = 4;

/// Steps that have been run, and their planes.
#[repr(C, align(64))]
pub(crate) struct Observed<V, const N: usize> {
    planes: [Planes<V>; SETS],
    steps: [MaybeUninit<Step<N>>; SETS * STEPS],
    messages: [[u32; N]; SETS * STEPS],
    /// The lanes that had a message.
    active: [u32; SETS * STEPS],
    count: usize,
    pub waiting: Waiting<N>,
}

/// Takes the words of step `step` of a set.
struct Taker<'a, V> {
    planes: &'a mut Planes<V>,
    step: usize,
}

impl<V: Planar> Watch<V> for Taker<'_, V> {
    #[inline(always)]
    fn step<const T: usize>(&mut self, w: &[V; 16]) {
        macro_rules! quads {
            ($($q:literal)*) => { $(
                if T == const { FIRST + 4 * $q + 3 } {
                    let words = [w[(T - 3) % 16], w[(T - 2) % 16], w[(T - 1) % 16], w[T % 16]];
                    self.planes.take::<$q>(words, self.step);
                }
            )* };
        }
        if T >= FIRST + 3 {
            quads!(0 1 2 3 4 5 6 7);
        }
    }
}

impl<V: Planar, const N: usize> Observed<V, N> {
    pub(crate) const fn new() -> Self {
        Self {
            planes: [const { Planes::new() }; SETS],
            steps: [const { MaybeUninit::uninit() }; SETS * STEPS],
            messages: [[0; N]; SETS * STEPS],
            active: [0; SETS * STEPS],
            count: 0,
            waiting: Waiting::new(),
        }
    }

    /// Runs `count` steps. `look` is [`look`](Self::look).
    ///
    /// # Safety
    ///
    /// As [`Way::run`](crate::wide::Way::run).
    #[inline(always)]
    pub(crate) unsafe fn run(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        count: usize,
        mut look: impl FnMut(&mut Self),
    ) {
        for _ in 0..count {
            let step = self.steps[self.count].as_mut_ptr();
            // SAFETY: the caller's promise; the step's own memory.
            unsafe {
                let mut taker = Taker { planes: &mut self.planes[self.count / STEPS], step: self.count % STEPS };
                compress::<V, N, { KEPT }>(&at.at, h, step, &mut taker);
                at.leave(step);
            }
            self.messages[self.count] = at.message;
            self.active[self.count] = at.active;
            self.count += 1;
            if self.count == SETS * STEPS {
                look(self);
            }
        }
    }

    /// Looks for candidates among the steps that have been run.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set of `V` and of `prove`, and the blocks are
    /// still there.
    #[inline(always)]
    pub(crate) unsafe fn look(
        &mut self,
        detection: Detection,
        suspect: &mut dyn FnMut(Suspect),
        prove: unsafe fn(&mut Waiting<N>, usize, Detection, &mut dyn FnMut(Suspect)),
    ) {
        if !self.count.is_multiple_of(STEPS) {
            self.planes[self.count / STEPS].fill_from(self.count % STEPS);
        }
        let (steps, messages, active) = (&self.steps, &self.messages, &self.active);
        let waiting = &mut self.waiting;
        let mut first = 0;
        while first < self.count {
            // SAFETY: its steps have been run, or filled.
            let found = unsafe { self.planes[first / STEPS].found() };
            found.each(STEPS.min(self.count - first), |s, l, mask| {
                let s = first + s;
                if active[s] >> l & 1 == 1 {
                    // SAFETY: the step has been run; the caller's promise.
                    unsafe {
                        waiting.add_one(steps[s].as_ptr(), l, mask, messages[s][l]);
                        if waiting.waits() >= N {
                            prove(waiting, N, detection, suspect);
                        }
                    }
                }
            });
            first += STEPS;
        }
        self.count = 0;
    }
}

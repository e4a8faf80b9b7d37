//! The steps of SHA-1 in ordinary instructions, the words coming from memory
//! with their constants added.

use crate::lanes::read;

/// The round functions, and with them what a step looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    Choose,
    Parity,
    Majority,
}

/// The working state before a step.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub d: u32,
    pub e: u32,
    /// What a step may have prepared for the next one.
    pub x: u32,
}

impl State {
    #[inline(always)]
    pub(crate) fn new([a, b, c, d, e]: [u32; 5]) -> Self {
        Self { a, b, c, d, e, x: 0 }
    }

    #[inline(always)]
    pub(crate) fn words(self) -> [u32; 5] {
        [self.a, self.b, self.c, self.d, self.e]
    }
}

/// How a step is written.
pub(crate) trait Steps {
    /// Whether the expansion of the next groups goes between the steps.
    const BESIDE: bool;

    /// Before steps of one kind. What it adds to the state is for those steps alone.
    fn begin(round: Round, state: State) -> State;

    /// Step `T`; its word is the one `N * T` from `from`.
    ///
    /// # Safety
    ///
    /// The word is there, the CPU has the instructions, and [`begin`](Self::begin)
    /// came before steps of this kind.
    unsafe fn step<const N: usize, const T: usize>(round: Round, state: State, from: *const u32) -> State;

    /// Hides where a pointer comes from, so that all accesses become it and offsets.
    #[inline(always)]
    fn opaque<T>(pointer: *mut T) -> *mut T {
        core::hint::black_box(pointer)
    }

    /// A word of the state, in a register of its own.
    #[inline(always)]
    fn single(word: u32) -> u32 {
        word
    }
}

/// As Rust has it, in the order that the compiler thinks best.
pub(crate) struct Plain;

impl Steps for Plain {
    // In WebAssembly with a word of the next group after every fifth step, Node 20
    // took 0 to 2 ns less for a block, Node 24 15 more.
    const BESIDE: bool = false;

    #[inline(always)]
    fn begin(_: Round, state: State) -> State {
        state
    }

    #[inline(always)]
    unsafe fn step<const N: usize, const T: usize>(
        round: Round,
        State { a, b, c, d, e, x }: State,
        from: *const u32,
    ) -> State {
        // Majority in two parts with no bit in common, of which one need not wait
        // for b.
        let (early, late) = match round {
            Round::Choose => (0, d ^ (b & (c ^ d))),
            Round::Parity => (0, b ^ (c ^ d)),
            Round::Majority => (c & d, b & (c ^ d)),
        };
        // SAFETY: the caller's promise.
        let e = e.wrapping_add(unsafe { read(from.add(N * T)) }).wrapping_add(early).wrapping_add(late);
        State { a: e.wrapping_add(a.rotate_left(5)), b: a, c: b.rotate_left(30), d: c, e: d, x }
    }
}

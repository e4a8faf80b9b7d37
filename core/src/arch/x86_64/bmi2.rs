//! Steps with BMI2's rotations, in an order that the scheduler of the CPU can use.
//!
//! Each step waits for the step before it: two cycles, a rotation and an addition,
//! and so 44 ns a block on Zen 4. The other six or seven instructions have
//! time, but take the same ports, the oldest first as a rule: so their order
//! decides whether they delay those two. As the compiler has them, the steps of a
//! block take 54.6 ns, as here 47.1. A random search over orders and forms (with the
//! names of registers left to a program) came to these orders, and to 45.2 in a
//! loop of its own.

use core::arch::asm;

use crate::steps::{Round, State, Steps};

pub(crate) struct Bmi2;

/// A step as instructions. `{n}` becomes b rotated and `{x}` is what the step
/// before has prepared; b is of no use after the step, so it is where the
/// function's value comes to be.
macro_rules! step {
    ($state:ident, $from:ident, $offset:expr, $($line:literal)*) => {{
        let State { a, b, c, d, mut e, mut x } = $state;
        let n: u32;
        // SAFETY: reads one word, which is there.
        unsafe {
            asm!(
                $($line,)*
                "/* {d:e} */", // not every function reads all
                a = in(reg) a, b = inout(reg) b => _, c = in(reg) c, d = in(reg) d, e = inout(reg) e, x = inout(reg) x,
                n = out(reg) n, t = out(reg) _, from = in(reg) $from, offset = const $offset,
                options(readonly, nostack),
            );
        }
        State { a: e, b: a, c: n, d: c, e: d, x }
    }};
}

impl Steps for Bmi2 {
    const BESIDE: bool = true;

    #[inline(always)]
    fn begin(round: Round, state: State) -> State {
        let State { b, c, d, .. } = state;
        let x = match round {
            Round::Choose => !b & d,
            Round::Parity => c ^ d,
            Round::Majority => 0,
        };
        State { x, ..state }
    }

    #[inline(always)]
    unsafe fn step<const N: usize, const T: usize>(round: Round, state: State, from: *const u32) -> State {
        match round {
            Round::Choose => step!(state, from, 4 * N * T,
                "rorx {n:e}, {b:e}, 2"
                "and {b:e}, {c:e}"
                "or {b:e}, {x:e}"
                "andn {x:e}, {a:e}, {c:e}"
                "rorx {t:e}, {a:e}, 27"
                "add {e:e}, [{from} + {offset}]"
                "add {e:e}, {b:e}"
                "add {e:e}, {t:e}"
            ),
            Round::Parity => step!(state, from, 4 * N * T,
                "add {e:e}, [{from} + {offset}]"
                "rorx {n:e}, {b:e}, 2"
                "xor {b:e}, {x:e}"
                "add {e:e}, {b:e}"
                "mov {x:e}, {n:e}"
                "xor {x:e}, {c:e}"
                "rorx {t:e}, {a:e}, 27"
                "add {e:e}, {t:e}"
            ),
            Round::Majority => step!(state, from, 4 * N * T,
                "mov {t:e}, {c:e}"
                "and {t:e}, {d:e}"
                "add {e:e}, [{from} + {offset}]"
                "add {e:e}, {t:e}"
                "mov {x:e}, {c:e}"
                "xor {x:e}, {d:e}"
                "rorx {n:e}, {b:e}, 2"
                "and {b:e}, {x:e}"
                "add {e:e}, {b:e}"
                "rorx {t:e}, {a:e}, 27"
                "add {e:e}, {t:e}"
            ),
        }
    }

    // Not by way of memory, as `black_box`.
    #[inline(always)]
    #[allow(clippy::pointers_in_nomem_asm_block)] // nothing is read
    fn opaque<T>(mut pointer: *mut T) -> *mut T {
        // SAFETY: does nothing.
        unsafe { asm!("/* {0} */", inout(reg) pointer, options(nomem, nostack, preserves_flags)) };
        pointer
    }

    // Four words in a vector would be taken out of it one by one: 20 cycles a block.
    #[inline(always)]
    fn single(mut word: u32) -> u32 {
        // SAFETY: does nothing.
        unsafe { asm!("/* {0:e} */", inout(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::x86_64::features;
    use crate::schedule::{K, step};

    #[test]
    fn steps_are_those_of_sha_1() {
        if !features::avx2() {
            eprintln!("skipped: this CPU has no AVX2 and BMI2");
            return;
        }
        let mut seed = 1_u64;
        let mut word = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        };
        for _ in 0..1000 {
            let (start, words): ([u32; 5], [u32; 24]) =
                (core::array::from_fn(|_| word()), core::array::from_fn(|_| word()));
            macro_rules! steps {
                ($round:ident, $k:literal: $($t:literal)*) => {{
                    let (mut state, mut expected) = (Bmi2::begin(Round::$round, State::new(start)), start);
                    $(
                        // SAFETY: the CPU has the instructions; there are 24 words.
                        state = unsafe { Bmi2::step::<4, $t>(Round::$round, state, words.as_ptr().add($t)) };
                        expected = step(20 * $k, expected, words[5 * $t].wrapping_sub(K[$k]));
                        assert_eq!(state.words(), expected);
                    )*
                }};
            }
            steps!(Choose, 0: 0 1 2 3 4);
            steps!(Parity, 1: 0 1 2 3 4);
            steps!(Majority, 2: 0 1 2 3 4);
        }
    }
}

//! The conditions of one block, across its own words: for messages and tails
//! too short to fill lanes with blocks.
//!
//! Here a lane is a step. One row tests "bit a of `W[i]` against bit b of
//! `W[i+d]`" for as many steps i as a vector has lanes, each lane with its own
//! bit. The rows are made of [`super::conditions`] when this is compiled: 28
//! for 16 lanes, 36 for 8, where the filter over blocks takes some 400
//! operations however few blocks there are.

use core::mem::MaybeUninit;

use crate::detect::conditions::CONDITIONS;
use crate::lanes::Lanes;

/// Words 32 to 67, and room for a vector that starts at the last.
const FIRST: usize = 32;
const ROOM: usize = 64;
const ROTATIONS: [u32; 5] = [0, 2, 5, 7, 27];

/// One test of a vector of steps.
#[derive(Clone, Copy)]
struct Row<const L: usize> {
    /// Step of the first lane's first word.
    i: usize,
    /// From there to the second word.
    d: usize,
    /// Index of the second word's rotation.
    rotation: usize,
    /// In each lane the bit that is tested, whether the two must differ, and
    /// the vectors whose condition it is.
    test: [u32; L],
    differ: [u32; L],
    vectors: [u32; L],
}

/// Puts every condition into the first row that has room for it; returns the
/// rows, and how many there are.
const fn rows<const L: usize>() -> ([Row<L>; CONDITIONS.len()], usize) {
    let none = Row { i: 0, d: 0, rotation: 0, test: [0; L], differ: [0; L], vectors: [0; L] };
    let mut rows = [none; CONDITIONS.len()];
    let mut count = 0;
    // In the order of i, so that a row begins with its first lane.
    let mut i = FIRST;
    while i < ROOM + FIRST {
        let mut c = 0;
        while c < CONDITIONS.len() {
            let condition = CONDITIONS[c];
            c += 1;
            if condition.i as usize != i {
                continue;
            }
            let d = condition.j as usize - i;
            // Rotate bit b to where bit a is.
            let turn = (32 + condition.a as u32 - condition.b as u32) % 32;
            let mut rotation = 0;
            while ROTATIONS[rotation] != turn {
                rotation += 1;
            }
            let bit = 1 << condition.a;
            let mut r = 0;
            while r < count {
                let lane = i - rows[r].i;
                if rows[r].d == d && rows[r].rotation == rotation && lane < L && rows[r].test[lane] == 0 {
                    break;
                }
                r += 1;
            }
            if r == count {
                rows[r].i = i;
                rows[r].d = d;
                rows[r].rotation = rotation;
                count += 1;
            }
            let lane = i - rows[r].i;
            rows[r].test[lane] = bit;
            rows[r].differ[lane] = bit * condition.v as u32;
            rows[r].vectors[lane] = condition.vectors;
        }
        i += 1;
    }
    (rows, count)
}

/// The mask of the vectors whose conditions a block satisfies; `words` are its
/// words 32 to 67.
///
/// # Safety
///
/// The CPU has the instruction set of `V`.
#[inline(always)]
pub(crate) unsafe fn mask<V: Lanes, const L: usize>(words: &[u32; 36]) -> u32 {
    const { assert!(V::COUNT == L && ROOM % L == 0 && 36 + L <= ROOM) };
    struct Table<const L: usize>;
    impl<const L: usize> Table<L> {
        const ROWS: ([Row<L>; CONDITIONS.len()], usize) = rows();
    }
    let (rows, count) = const { (&Table::<L>::ROWS.0, Table::<L>::ROWS.1) };

    let mut rotated = [[0_u32; ROOM]; ROTATIONS.len()];
    rotated[0][..36].copy_from_slice(words);
    // SAFETY: the caller's promise; all accesses are within ROOM words.
    unsafe {
        let mut i = 0;
        while i < 36 {
            let w = V::load(rotated[0].as_ptr().add(i));
            w.rotl::<2, 30>().store(rotated[1].as_mut_ptr().add(i));
            w.rotl::<5, 27>().store(rotated[2].as_mut_ptr().add(i));
            w.rotl::<7, 25>().store(rotated[3].as_mut_ptr().add(i));
            w.rotl::<27, 5>().store(rotated[4].as_mut_ptr().add(i));
            i += L;
        }
        let mut dead = V::splat(0);
        let mut r = 0;
        while r < count {
            let row = &rows[r];
            let x = V::load(rotated[0].as_ptr().add(row.i - FIRST));
            let y = V::load(rotated[row.rotation].as_ptr().add(row.i + row.d - FIRST));
            let wrong = x.xor3(y, V::load(row.differ.as_ptr())).and(V::load(row.test.as_ptr()));
            dead = dead.or_where(wrong, V::load(row.vectors.as_ptr()));
            r += 1;
        }
        let mut out = [MaybeUninit::<u32>::uninit(); L];
        dead.store(out.as_mut_ptr().cast());
        let mut mask = 0;
        let mut lane = 0;
        while lane < L {
            mask |= out[lane].assume_init();
            lane += 1;
        }
        !mask
    }
}

//! The conditions of one block, across its own words: for messages and tails
//! too short to fill lanes with blocks.
//!
//! A filter over lanes of blocks takes some 400 operations however few blocks
//! there are. Here lanes are conditions: each compares a bit of one word with a
//! bit of another, and a row of them is tested at once. The rows are made of
//! [`super::conditions`] when this is compiled.
//!
//! [`Rows`] serves any lanes. Instruction sets that can bring any words into
//! any lanes do better: see [`super::picks`].

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::detect::conditions::CONDITIONS;
use crate::lanes::Lanes;
use crate::one::QUADS;
use crate::schedule::BLOCK_SIZE;

/// Tests the conditions of one block, in parts, so that the rounds of the block
/// can hide them.
pub(crate) trait Across: Sized {
    /// Takes words 32 to 67, in quads; `reversed`: the last word of each first.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set.
    unsafe fn new(quads: &[[u32; 4]; QUADS], reversed: bool) -> Self;

    /// Does the work of gap `k` between the rounds: 0 to 4, in order.
    fn gap(&mut self, k: usize);

    /// The mask of the vectors whose conditions the block satisfies.
    fn mask(self) -> u32;

    /// Pads what is left of a message after its whole blocks, `rest`; `len` is
    /// the length of the message in bytes.
    ///
    /// # Safety
    ///
    /// The CPU has the instruction set.
    #[inline(always)]
    unsafe fn pad<'a>(rest: &[u8], len: u64, tail: &'a mut MaybeUninit<Tail>) -> &'a [[u8; BLOCK_SIZE]] {
        pad(rest, len, tail)
    }
}

/// One or two blocks that end a message.
pub(crate) type Tail = [[u8; BLOCK_SIZE]; 2];

/// [`Across::pad`] in ordinary instructions.
#[inline]
pub(crate) fn pad<'a>(rest: &[u8], len: u64, tail: &'a mut MaybeUninit<Tail>) -> &'a [[u8; BLOCK_SIZE]] {
    let tail = tail.write([[0; BLOCK_SIZE]; 2]);
    tail[0][..rest.len()].copy_from_slice(rest);
    tail[0][rest.len()] = 0x80;
    let count = if rest.len() < BLOCK_SIZE - 8 { 1 } else { 2 };
    tail[count - 1][BLOCK_SIZE - 8..].copy_from_slice(&(len << 3).to_be_bytes());
    &tail[..count]
}

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
    /// Whether the two bits must differ.
    differ: bool,
    /// In each lane the bit that is tested, and the vectors whose condition it
    /// is.
    test: [u32; L],
    vectors: [u32; L],
}

/// Puts every condition into the first row that has room for it; returns the
/// rows, and how many there are.
const fn rows<const L: usize>() -> ([Row<L>; CONDITIONS.len()], usize) {
    let none = Row { i: 0, d: 0, rotation: 0, differ: false, test: [0; L], vectors: [0; L] };
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
                let same = rows[r].d == d && rows[r].rotation == rotation && rows[r].differ == (condition.v == 1);
                if same && lane < L && rows[r].test[lane] == 0 {
                    break;
                }
                r += 1;
            }
            if r == count {
                rows[r].i = i;
                rows[r].d = d;
                rows[r].rotation = rotation;
                rows[r].differ = condition.v == 1;
                count += 1;
            }
            let lane = i - rows[r].i;
            rows[r].test[lane] = bit;
            rows[r].vectors[lane] = condition.vectors;
        }
        i += 1;
    }
    (rows, count)
}

/// Words 32 to 67 of a block in order, with room for what a vector reads past
/// them.
#[repr(C, align(64))]
struct Words([u32; ROOM]);

struct Table<const L: usize>;

impl<const L: usize> Table<L> {
    const ROWS: ([Row<L>; CONDITIONS.len()], usize) = rows();
}

/// The conditions in lanes `V`, which has `L`, of consecutive steps. One row
/// tests "bit a of `W[i]` against bit b of `W[i+d]`" for as many steps i, each
/// lane with its own bit: 28 rows of 16 lanes, 36 of 8.
pub(crate) struct Rows<V, const L: usize> {
    words: Words,
    /// Rotated by each of the other [`ROTATIONS`].
    rotated: [MaybeUninit<Words>; ROTATIONS.len() - 1],
    lanes: PhantomData<V>,
}

impl<V: Lanes, const L: usize> Across for Rows<V, L> {
    #[inline(always)]
    unsafe fn new(quads: &[[u32; 4]; QUADS], reversed: bool) -> Self {
        const { assert!(V::COUNT == L && ROOM.is_multiple_of(L) && 36 + L <= ROOM) };
        let mut words = Words([0; ROOM]);
        for (q, quad) in quads.iter().enumerate() {
            let mut quad = *quad;
            if reversed {
                quad.reverse();
            }
            words.0[4 * q..4 * q + 4].copy_from_slice(&quad);
        }
        let mut rotated = [const { MaybeUninit::<Words>::uninit() }; ROTATIONS.len() - 1];
        // SAFETY: the caller's promise; all accesses are within ROOM words.
        unsafe {
            let mut i = 0;
            while i < 36 + L {
                let w = V::load(words.0.as_ptr().add(i));
                w.rotl::<2, 30>().store(rotated[0].as_mut_ptr().cast::<u32>().add(i));
                w.rotl::<5, 27>().store(rotated[1].as_mut_ptr().cast::<u32>().add(i));
                w.rotl::<7, 25>().store(rotated[2].as_mut_ptr().cast::<u32>().add(i));
                w.rotl::<27, 5>().store(rotated[3].as_mut_ptr().cast::<u32>().add(i));
                i += L;
            }
        }
        Self { words, rotated, lanes: PhantomData }
    }

    #[inline(always)]
    fn gap(&mut self, _: usize) {}

    #[inline(always)]
    fn mask(self) -> u32 {
        let Self { words, rotated, .. } = &self;
        // SAFETY: a value exists, so the CPU has the instruction set; all
        // accesses are within ROOM words.
        unsafe {
            let from = [
                words.0.as_ptr(),
                rotated[0].as_ptr().cast(),
                rotated[1].as_ptr().cast(),
                rotated[2].as_ptr().cast(),
                rotated[3].as_ptr().cast(),
            ];
            // Two, so that they do not wait for one another.
            let mut dead = [V::splat(0); 2];
            macro_rules! rows {
                ($($r:literal)*) => {
                    const { assert!(Table::<L>::ROWS.1 <= 0 $(+ { let _ = $r; 1 })*) };
                    $(row::<V, L, $r>(&from, &mut dead[$r % 2]);)*
                };
            }
            // Straight, so that what a row reads is part of its instructions.
            rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
                32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
            let mut out = [0; L];
            dead[0].or(dead[1]).store(out.as_mut_ptr());
            let mut all = 0;
            let mut lane = 0;
            while lane < L {
                all |= out[lane];
                lane += 1;
            }
            !all
        }
    }
}

/// Runs row `R`, if there is one.
///
/// # Safety
///
/// The CPU has the instruction set of `V`; the pointers are to ROOM words each.
#[inline(always)]
unsafe fn row<V: Lanes, const L: usize, const R: usize>(from: &[*const u32; 5], dead: &mut V) {
    if const { R < Table::<L>::ROWS.1 } {
        let row = const { &Table::<L>::ROWS.0[R] };
        // SAFETY: the caller's promise.
        unsafe {
            let x = V::load(from[0].add(row.i - FIRST));
            let y = V::load(from[row.rotation].add(row.i + row.d - FIRST));
            let differ = x.xor(y).and(V::load(row.test.as_ptr()));
            let vectors = V::load(row.vectors.as_ptr());
            // A lane without a test has no vectors.
            *dead = if row.differ { dead.or_where_zero(differ, vectors) } else { dead.or_where(differ, vectors) };
        }
    }
}

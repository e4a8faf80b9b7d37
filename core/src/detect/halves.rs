//! The filter over twice as many blocks as there are lanes.
//!
//! The conditions ask for few of a word's bits: 28 to 30 and 0 to 7. So two
//! groups of blocks share a vector, each with half of every word, and one run
//! of [`super::program`] filters both. Within a half, bits 24 to 31 come first
//! and bits 0 to 7 after them. That is the word rotated, so bits that a shift
//! of the program brings together are as far apart as before, if not in the
//! other direction; what a shift moves across the middle is no bit that a
//! condition asks for.

use core::mem::MaybeUninit;

use crate::detect::conditions::CONDITIONS;
use crate::detect::filter::{FIRST, HIGH_BIT, LOW, LOW_BIT, Ties, WORDS, Work};
use crate::detect::program::{KEPT, PIECES, piece};
use crate::detect::vectors::COUNT;
use crate::lanes::{Lanes, read};

const _: () = {
    let mut i = 0;
    while i < CONDITIONS.len() {
        let bits = [CONDITIONS[i].a, CONDITIONS[i].b];
        assert!((bits[0] < 8 || bits[0] >= 24) && (bits[1] < 8 || bits[1] >= 24));
        i += 1;
    }
};

/// Where a bit of a word is in a half.
pub(crate) const fn place(bit: i32) -> i32 {
    (bit + 8) % 32
}

/// Where in a half the result of vector `d` is.
const fn bit_of(d: usize) -> u32 {
    place(if LOW >> d & 1 == 1 { LOW_BIT } else { HIGH_BIT }) as u32
}

/// A value of the program, or its inverse: so that nothing need be inverted,
/// which takes two instructions where there is no three-input logic. Which of
/// the two it is, is known when the program is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Half<V> {
    pub value: V,
    pub inverse: bool,
}

impl<V> Half<V> {
    #[inline(always)]
    pub(crate) fn new(value: V, inverse: bool) -> Self {
        Self { value, inverse }
    }
}

impl<V: Lanes> Ties for Half<V> {
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self::new(shift(self.value, N), self.inverse)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self::new(shift(self.value, -N), self.inverse)
    }
    #[inline(always)]
    fn same2<const Y: bool>(self, y: Self) -> Self {
        if V::TERNARY {
            return Self::new(Lanes::same2::<Y>(self.value, y.value), false);
        }
        Self::new(self.value.xor(y.value), !(Y ^ self.inverse ^ y.inverse))
    }
    #[inline(always)]
    fn same3<const Y: bool, const Z: bool>(self, y: Self, z: Self) -> Self {
        if V::TERNARY {
            return Self::new(Lanes::same3::<Y, Z>(self.value, y.value, z.value), false);
        }
        let (xy, xz) = (self.value.xor(y.value), self.value.xor(z.value));
        match (Y ^ self.inverse ^ y.inverse, Z ^ self.inverse ^ z.inverse) {
            (false, false) => Self::new(xy.or(xz), true),
            (false, true) => Self::new(xz.and_not(xy), false),
            (true, false) => Self::new(xy.and_not(xz), false),
            (true, true) => Self::new(xy.and(xz), false),
        }
    }
    #[inline(always)]
    fn and(self, y: Self) -> Self {
        match (self.inverse, y.inverse) {
            (false, false) => Self::new(self.value.and(y.value), false),
            (false, true) => Self::new(self.value.and_not(y.value), false),
            (true, false) => Self::new(y.value.and_not(self.value), false),
            (true, true) => Self::new(self.value.or(y.value), true),
        }
    }
    #[inline(always)]
    fn and3(self, y: Self, z: Self) -> Self {
        if V::TERNARY {
            return Self::new(Lanes::and3(self.value, y.value, z.value), false);
        }
        self.and(y).and(z)
    }
}

/// Moves bits left by `n` in the words (right if negative), and so by as much,
/// or by `32 - n` the other way, in their halves.
#[inline(always)]
fn shift<V: Lanes>(value: V, n: i32) -> V {
    macro_rules! by {
        ($($n:literal)*) => {
            match n {
                0 => value,
                $(x if x == $n || x == $n - 32 => value.shl::<$n>(), x if x == -$n || x == 32 - $n => value.shr::<$n>(),)*
                _ => unreachable!(),
            }
        };
    }
    by!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

/// What the filter works on: the words of two groups.
#[repr(C, align(64))]
pub(crate) struct Halves<V>([MaybeUninit<V>; WORDS]);

/// What the filter finds.
#[repr(C, align(64))]
pub(crate) struct Results<V> {
    of: [MaybeUninit<V>; COUNT],
    /// Bit d: the result of vector d is the inverse.
    inverse: u32,
}

impl<V: Lanes> Halves<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; WORDS])
    }

    /// Filters two groups. Bit l of the results: the block in lane l of the
    /// group satisfies the conditions of some vector.
    ///
    /// # Safety
    ///
    /// The words from step 0 on have been expanded.
    #[inline(always)]
    pub(crate) unsafe fn run(&mut self, first: *const V, second: *const V, results: &mut Results<V>) -> [u32; 2] {
        // SAFETY: the caller's promise.
        let (zero, ones) = unsafe {
            V::halves(first.add(FIRST), second.add(FIRST), self.0.as_mut_ptr().cast(), WORDS);
            (V::splat(0), V::splat(!0))
        };
        let kept = [Half::new(zero, false); KEPT];
        let mut filter =
            Filter { words: self, results: &mut *results, kept, any: [zero; 2], none: [ones; 2], inverses: 0 };
        const { assert!(PIECES <= 64) };
        macro_rules! pieces { ($($n:literal)*) => { $(piece::<$n>(&mut filter);)* } }
        pieces!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
        let (any, none, inverses) = (filter.any, filter.none, filter.inverses);
        results.inverse = inverses;
        // `none` has ones where no inverse result is a zero.
        passed(any, none)
    }
}

impl<V: Lanes> Results<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { of: [const { MaybeUninit::uninit() }; COUNT], inverse: 0 }
    }

    /// The mask of the block in one lane of the first or the second group.
    ///
    /// # Safety
    ///
    /// The filter has run.
    #[inline(never)]
    pub(crate) unsafe fn mask(&self, group: usize, lane: usize) -> u32 {
        const { assert!(cfg!(target_endian = "little")) };
        // SAFETY: the caller's promise; a vector is `COUNT` words in memory,
        // and the group's half of a word two bytes of it.
        let from = unsafe { self.of.as_ptr().cast::<u16>().add(2 * lane + group) };
        let mut mask = 0;
        macro_rules! bits {
            ($($d:literal)*) => {
                const { assert!(COUNT == 0 $(+ { let _ = $d; 1 })*) };
                $(
                    // SAFETY: likewise.
                    let half = u32::from(unsafe { from.add(2 * V::COUNT * $d).read() });
                    mask |= half.rotate_left(const { (32 + $d - bit_of($d)) % 32 }) & 1 << $d;
                )*
            };
        }
        bits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        mask ^ self.inverse
    }
}

/// Bit l: the block in lane l of the first, and of the second, group has a one in
/// the place of a result of `any`, or a zero in that of `none`.
#[inline(always)]
fn passed<V: Lanes>([any_high, any_low]: [V; 2], [none_high, none_low]: [V; 2]) -> [u32; 2] {
    let high = any_high.or(none_high.not()).shr::<{ place(HIGH_BIT) }>();
    let low = any_low.or(none_low.not()).shr::<{ place(LOW_BIT) }>();
    let all = high.or(low);
    // SAFETY: there are values, so the CPU has the instruction set.
    let one = unsafe { V::splat(1) };
    let lanes = u32::MAX >> (32 - V::COUNT);
    [!all.and(one).zeros() & lanes, !all.shr::<16>().and(one).zeros() & lanes]
}

/// The filter at work. Results stay as they are, and only whether there is one
/// at all is collected: where a constant takes three instructions, putting
/// each result into a mask at once was a fifth of the filter.
struct Filter<'a, V> {
    words: &'a Halves<V>,
    results: &'a mut Results<V>,
    kept: [Half<V>; KEPT],
    /// Of the results in [`HIGH_BIT`], and of those in [`LOW_BIT`].
    any: [V; 2],
    none: [V; 2],
    inverses: u32,
}

impl<V: Lanes> Work for Filter<'_, V> {
    type Value = Half<V>;
    #[inline(always)]
    fn word(&self, t: usize) -> Half<V> {
        // SAFETY: the words have been made.
        Half::new(unsafe { read(self.words.0[t - FIRST].as_ptr()) }, false)
    }
    #[inline(always)]
    fn keep(&mut self, i: usize, value: Half<V>) {
        self.kept[i] = value;
    }
    #[inline(always)]
    fn kept(&self, i: usize) -> Half<V> {
        self.kept[i]
    }
    #[inline(always)]
    fn result<const D: usize>(&mut self, Half { value, inverse }: Half<V>) {
        self.results.of[D].write(value);
        let which = const { (LOW >> D & 1) as usize };
        if inverse {
            self.inverses |= 1 << D;
            self.none[which] = self.none[which].and(value);
        } else {
            self.any[which] = self.any[which].or(value);
        }
    }
}

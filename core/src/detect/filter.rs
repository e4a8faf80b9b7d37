//! The filter: which of the blocks in the lanes satisfy all conditions of
//! which disturbance vector. Runs [`super::program`] over any [`Lanes`].

use core::mem::MaybeUninit;

use crate::lanes::Lanes;

/// First and last step whose word is in some condition.
pub(crate) const FIRST: usize = 35;
pub(crate) const LAST: usize = 64;
pub(crate) const WORDS: usize = LAST - FIRST + 1;

/// The vectors whose result is in bit 6: those with b = 2. In bit 29 for the
/// others. Bits that the conditions tie lie there, so shifts are saved.
pub(crate) const LOW: u32 = {
    let mut low = 0;
    let mut d = 0;
    while d < crate::detect::vectors::COUNT {
        if crate::detect::vectors::PARAMETERS[d].2 == 2 {
            low |= 1 << d;
        }
        d += 1;
    }
    low
};
pub(crate) const LOW_BIT: i32 = 6;
pub(crate) const HIGH_BIT: i32 = 29;

/// The bit of a vector's result.
#[cfg(feature = "alloc")]
pub(crate) const fn result_bit(vector: usize) -> i32 {
    if LOW >> vector & 1 == 1 { LOW_BIT } else { HIGH_BIT }
}

/// Turns the program's text into code over lanes, and into data for the proof.
macro_rules! program {
    (kept $kept:literal; pieces $pieces:literal; $(piece $n:literal { $($kind:ident $name:tt = $op:ident($($arg:tt)*);)* })*) => {
        /// Values that live longer than a piece.
        pub(crate) const KEPT: usize = $kept;
        /// Pieces that the program is cut into.
        pub(crate) const PIECES: usize = $pieces;

        /// Runs piece `N`.
        #[inline(always)]
        pub(crate) fn piece<const N: usize>(s: &mut impl super::filter::Work) {
            #[allow(unused_imports)]
            use super::filter::Ties;
            match N {
                $($n => { $(program!(@run s, $kind $name = $op($($arg)*));)* })*
                _ => {}
            }
        }

        /// Which kept values are inverses before each piece, and which results
        /// are, where nothing is inverted: see [`super::halves`].
        #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
        pub(crate) const INVERSES: ([[bool; KEPT]; PIECES], u32) = {
            let (mut before, mut results, mut kept) = ([[false; KEPT]; PIECES], 0, [false; KEPT]);
            $({
                before[$n] = kept;
                $(program!(@inverse kept, results, $kind $name = $op($($arg)*));)*
            })*
            (before, results)
        };

        /// The program as data: for each line its kind, name, operation and
        /// arguments, as they stand in the text.
        #[cfg(feature = "alloc")]
        pub(crate) const LINES: &[(&str, &str, &str, &str)] = &[
            $($((stringify!($kind), stringify!($name), stringify!($op), stringify!($($arg)*)),)*)*
        ];
    };

    (@run $s:ident, keep $i:literal = $op:ident($($arg:tt)*)) => {
        let value = program!(@op $s, $op($($arg)*));
        $s.keep($i, value);
    };
    (@run $s:ident, local $x:ident = $op:ident($($arg:tt)*)) => { let $x = program!(@op $s, $op($($arg)*)); };
    (@run $s:ident, vector $d:literal = $op:ident($($arg:tt)*)) => {
        let result = program!(@op $s, $op($($arg)*));
        $s.result::<$d>(result);
    };

    (@inverse $t:ident, $r:ident, keep $i:literal = $op:ident($($arg:tt)*)) => { $t[$i] = program!(@not $t, $op($($arg)*)); };
    (@inverse $t:ident, $r:ident, local $x:ident = $op:ident($($arg:tt)*)) => { let $x = program!(@not $t, $op($($arg)*)); };
    (@inverse $t:ident, $r:ident, vector $d:literal = $op:ident($($arg:tt)*)) => {
        $r |= (program!(@not $t, $op($($arg)*)) as u32) << $d;
    };

    (@not $t:ident, shl(+ $k:ident $v:tt, $n:literal)) => { program!(@gone $t, $k $v) };
    (@not $t:ident, shr(+ $k:ident $v:tt, $n:literal)) => { program!(@gone $t, $k $v) };
    (@not $t:ident, same2(+ $k:ident $v:tt, $s2:tt $k2:ident $v2:tt)) => {
        !(program!(@sign $s2) ^ program!(@gone $t, $k $v) ^ program!(@gone $t, $k2 $v2))
    };
    (@not $t:ident, same3(+ $k:ident $v:tt, $s2:tt $k2:ident $v2:tt, $s3:tt $k3:ident $v3:tt)) => {{
        let x = program!(@gone $t, $k $v);
        !(program!(@sign $s2) ^ x ^ program!(@gone $t, $k2 $v2)) & !(program!(@sign $s3) ^ x ^ program!(@gone $t, $k3 $v3))
    }};
    (@not $t:ident, all(+ $k:ident $v:tt)) => { program!(@gone $t, $k $v) };
    (@not $t:ident, all(+ $k:ident $v:tt, $($rest:tt)*)) => {
        program!(@gone $t, $k $v) & program!(@not $t, all($($rest)*))
    };
    (@gone $t:ident, w $i:literal) => { false };
    (@gone $t:ident, t $i:literal) => { $t[$i] };
    (@gone $t:ident, x $x:ident) => { $x };

    (@op $s:ident, shl(+ $k:ident $v:tt, $n:literal)) => { program!(@get $s, $k $v).shl::<$n>() };
    (@op $s:ident, shr(+ $k:ident $v:tt, $n:literal)) => { program!(@get $s, $k $v).shr::<$n>() };
    (@op $s:ident, same2(+ $k:ident $v:tt, $s2:tt $k2:ident $v2:tt)) => {
        program!(@get $s, $k $v).same2::<{ program!(@sign $s2) }>(program!(@get $s, $k2 $v2))
    };
    (@op $s:ident, same3(+ $k:ident $v:tt, $s2:tt $k2:ident $v2:tt, $s3:tt $k3:ident $v3:tt)) => {
        program!(@get $s, $k $v).same3::<{ program!(@sign $s2) }, { program!(@sign $s3) }>(
            program!(@get $s, $k2 $v2), program!(@get $s, $k3 $v3))
    };
    (@op $s:ident, all(+ $k:ident $v:tt)) => { program!(@get $s, $k $v) };
    (@op $s:ident, all(+ $k:ident $v:tt, + $k2:ident $v2:tt)) => {
        program!(@get $s, $k $v).and(program!(@get $s, $k2 $v2))
    };
    (@op $s:ident, all(+ $k:ident $v:tt, + $k2:ident $v2:tt, $($rest:tt)*)) => {
        program!(@get $s, $k $v).and3(program!(@get $s, $k2 $v2), program!(@op $s, all($($rest)*)))
    };

    (@get $s:ident, w $t:literal) => { $s.word($t) };
    (@get $s:ident, t $i:literal) => { $s.kept($i) };
    (@get $s:ident, x $x:ident) => { $x };
    (@sign +) => { false };
    (@sign -) => { true };
}
use super::program::{KEPT, PIECES, piece};

/// The program's operations.
pub(crate) trait Ties: Copy {
    fn shl<const N: i32>(self) -> Self;
    fn shr<const N: i32>(self) -> Self;
    /// Ones where both bits are the same, or differ if `Y`.
    fn same2<const Y: bool>(self, y: Self) -> Self;
    /// Ones where all three bits are the same, `y` and `z` counted inverted
    /// where `Y` and `Z` say so.
    fn same3<const Y: bool, const Z: bool>(self, y: Self, z: Self) -> Self;
    fn and(self, y: Self) -> Self;
    fn and3(self, y: Self, z: Self) -> Self;
}

impl<V: Lanes> Ties for V {
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Lanes::shl::<N>(self)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Lanes::shr::<N>(self)
    }
    #[inline(always)]
    fn same2<const Y: bool>(self, y: Self) -> Self {
        Lanes::same2::<Y>(self, y)
    }
    #[inline(always)]
    fn same3<const Y: bool, const Z: bool>(self, y: Self, z: Self) -> Self {
        Lanes::same3::<Y, Z>(self, y, z)
    }
    #[inline(always)]
    fn and(self, y: Self) -> Self {
        Lanes::and(self, y)
    }
    #[inline(always)]
    fn and3(self, y: Self, z: Self) -> Self {
        Lanes::and3(self, y, z)
    }
}

/// What the program works on. Its pieces run in order, so a value is kept
/// before it is asked for.
pub(crate) trait Work {
    type Value: Ties;
    /// The word of step `t`, from [`FIRST`] to [`LAST`].
    fn word(&self, t: usize) -> Self::Value;
    fn keep(&mut self, i: usize, value: Self::Value);
    fn kept(&self, i: usize) -> Self::Value;
    /// Ends vector `D`: its bit of `value` tells.
    fn result<const D: usize>(&mut self, value: Self::Value);
}

/// What the filter works on. In memory, so that the pieces can run at
/// different times.
#[repr(C, align(64))]
pub(crate) struct Scratch<V> {
    /// Words 35 to 64 of the blocks in the lanes.
    pub w: [MaybeUninit<V>; WORDS],
    /// The program's kept values.
    pub t: [MaybeUninit<V>; KEPT],
    /// The mask in parts: see [`mask`](Self::mask). Four, because one would be
    /// a chain of 32 dependent steps through memory, which took longer than
    /// all the rest: 8.6 instead of 4.5 ns a block for the filter alone.
    masks: [V; 4],
}

impl<V: Lanes> Scratch<V> {
    /// # Safety
    ///
    /// The CPU has the instruction set of `V`.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        let zero = unsafe { V::splat(0) };
        Self { w: [MaybeUninit::uninit(); WORDS], t: [MaybeUninit::uninit(); KEPT], masks: [zero; 4] }
    }

    /// Before the program: forgets the last result.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        // SAFETY: a `Scratch` exists, so the CPU has the instruction set.
        self.masks = [unsafe { V::splat(0) }; 4];
    }

    /// After the program: in each lane the mask of the vectors whose
    /// conditions its block satisfies, bit d for vector d.
    #[inline(always)]
    pub(crate) fn mask(&self) -> V {
        let [a, b, c, d] = self.masks;
        a.or(b).or(c.or(d))
    }

    /// Runs the whole program.
    #[inline(always)]
    pub(crate) fn run(&mut self) {
        const { assert!(PIECES <= 64) };
        macro_rules! pieces { ($($n:literal)*) => { $(piece::<$n>(self);)* } }
        pieces!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    }
}

// SAFETY of both reads: the words are written before the program runs, and its
// pieces run in order.
#[allow(clippy::undocumented_unsafe_blocks)]
impl<V: Lanes> Work for Scratch<V> {
    type Value = V;
    #[inline(always)]
    fn word(&self, t: usize) -> V {
        unsafe { self.w[t - FIRST].assume_init() }
    }
    #[inline(always)]
    fn keep(&mut self, i: usize, value: V) {
        self.t[i].write(value);
    }
    #[inline(always)]
    fn kept(&self, i: usize) -> V {
        unsafe { self.t[i].assume_init() }
    }
    /// Puts the bit into the mask.
    #[inline(always)]
    fn result<const D: usize>(&mut self, value: V) {
        let moved = if LOW >> D & 1 == 1 { shift::<V, LOW_BIT, D>(value) } else { shift::<V, HIGH_BIT, D>(value) };
        // SAFETY: a value exists, so the CPU has the instruction set.
        let bit = unsafe { V::splat(1 << D) };
        self.masks[D % 4] = self.masks[D % 4].or_and(moved, bit);
    }
}

/// Moves bit `FROM` to bit `TO`.
#[inline(always)]
fn shift<V: Lanes, const FROM: i32, const TO: usize>(value: V) -> V {
    macro_rules! by {
        ($($n:literal)*) => {
            match TO as i32 - FROM {
                0 => value,
                $(x if x == $n => value.shl::<$n>(), x if x == -$n => value.shr::<$n>(),)*
                _ => unreachable!(),
            }
        };
    }
    by!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29)
}

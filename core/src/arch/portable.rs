//! Lanes without SIMD instructions: one word. For CPUs that have nothing
//! better, and the form that is easiest to follow.

use crate::lanes::Lanes;

/// One word.
#[derive(Clone, Copy)]
pub(crate) struct U32x1(u32);

impl U32x1 {
    #[inline(always)]
    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

impl Lanes for U32x1 {
    const COUNT: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { from.read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { to.write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        Self(word)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(self.0 << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(self.0 >> N)
    }
    #[inline(always)]
    fn from_be(self) -> Self {
        Self(u32::from_be(self.0))
    }
    #[inline(always)]
    fn spread<const BIT: i32>(self) -> Self {
        Self((self.0 >> BIT & 1).wrapping_neg())
    }
    #[inline(always)]
    unsafe fn load_quads(_: [*const u8; 4]) -> Self {
        unreachable!("a lane of one word has no whole quad")
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        u32::from(self.0 == 0)
    }
    #[inline(always)]
    fn or_where(self, condition: Self, other: Self) -> Self {
        if condition.0 == 0 { self } else { self.or(other) }
    }
    #[inline(always)]
    fn or_where_zero(self, condition: Self, other: Self) -> Self {
        if condition.0 == 0 { self.or(other) } else { self }
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        rows
    }
}

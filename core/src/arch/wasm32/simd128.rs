//! WebAssembly's fixed-width SIMD: four lanes. There is no rotation.

use core::arch::wasm32::*;

use crate::lanes::Lanes;

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct U32x4(v128);

/// Bytes where a vector may be read.
#[repr(align(16))]
struct Aligned([u8; 16]);

// This file is compiled only where all code may use the instructions, which
// are safe there.
impl Lanes for U32x4 {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { v128_load(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { v128_store(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        Self(u32x4_splat(word))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(v128_andnot(self.0, other.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(v128_not(self.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(u32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(u32x4_sub(self.0, other.0))
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(u32x4_shl(self.0, N as u32))
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(u32x4_shr(self.0, N as u32))
    }
    #[inline(always)]
    fn from_be(self) -> Self {
        // Not a shuffle: the compiler would merge that with those of a
        // transposition into general ones, which take V8 ten instructions. By
        // itself it takes six, a swizzle whose order the compiler does not know
        // four.
        static ORDER: Aligned = Aligned([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        // SAFETY: sixteen bytes.
        let order = unsafe { (&raw const ORDER).cast::<v128>().read_volatile() };
        Self(u8x16_swizzle(self.0, order))
    }
    #[inline(always)]
    unsafe fn halves(first: *const Self, second: *const Self, to: *mut Self, count: usize) {
        const NONE: u8 = 0xff;
        static ORDERS: [[u8; 16]; 2] = [
            [3, 0, NONE, NONE, 7, 4, NONE, NONE, 11, 8, NONE, NONE, 15, 12, NONE, NONE],
            [NONE, NONE, 3, 0, NONE, NONE, 7, 4, NONE, NONE, 11, 8, NONE, NONE, 15, 12],
        ];
        // Not known to the compiler, which would make shuffles of it.
        let [x, y] = core::hint::black_box(&ORDERS);
        // SAFETY: the caller's promise.
        unsafe {
            let (x, y) = (v128_load(x.as_ptr().cast()), v128_load(y.as_ptr().cast()));
            // In straight lines, so that all addresses are offsets: a loop takes half as many instructions again.
            macro_rules! each {
                ($($i:literal)*) => { $(
                    if $i < count {
                        let (first, second) = (first.add($i).read().0, second.add($i).read().0);
                        to.add($i).write(Self(v128_or(u8x16_swizzle(first, x), u8x16_swizzle(second, y))));
                    }
                )* };
            }
            assert!(count <= 30);
            each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29);
        }
    }
    #[inline(always)]
    fn spread<const BIT: i32>(self) -> Self {
        Self(i32x4_shr(u32x4_shl(self.0, 31 - BIT as u32), 31))
    }
    #[inline(always)]
    unsafe fn load_quads(from: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { v128_load(from[0].cast()) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        u32::from(u32x4_bitmask(u32x4_eq(self.0, u32x4_splat(0))))
    }
    #[inline(always)]
    fn or_where(self, condition: Self, other: Self) -> Self {
        self.or(other.and_not(Self(u32x4_eq(condition.0, u32x4_splat(0)))))
    }
    #[inline(always)]
    fn or_where_zero(self, condition: Self, other: Self) -> Self {
        self.or(other.and(Self(u32x4_eq(condition.0, u32x4_splat(0)))))
    }
    #[inline(always)]
    fn transpose([r0, r1, r2, r3]: [Self; 4]) -> [Self; 4] {
        let (a, b) = (u32x4_shuffle::<0, 4, 1, 5>(r0.0, r1.0), u32x4_shuffle::<2, 6, 3, 7>(r0.0, r1.0));
        let (c, d) = (u32x4_shuffle::<0, 4, 1, 5>(r2.0, r3.0), u32x4_shuffle::<2, 6, 3, 7>(r2.0, r3.0));
        [
            Self(u64x2_shuffle::<0, 2>(a, c)),
            Self(u64x2_shuffle::<1, 3>(a, c)),
            Self(u64x2_shuffle::<0, 2>(b, d)),
            Self(u64x2_shuffle::<1, 3>(b, d)),
        ]
    }
}

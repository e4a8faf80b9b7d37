//! AVX2: eight lanes.

use core::arch::x86_64::*;

use crate::lanes::Lanes;

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(__m256i);

// SAFETY of every block without a word of its own: a value exists, so the CPU
// has the instruction set; see `Lanes`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for U32x8 {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi32(-1)) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm256_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm256_sub_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(unsafe { _mm256_slli_epi32::<N>(self.0) })
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(unsafe { _mm256_srli_epi32::<N>(self.0) })
    }
    #[inline(always)]
    fn from_be(self) -> Self {
        let order = unsafe {
            _mm256_set_epi64x(
                0x0c0d_0e0f_0809_0a0b,
                0x0405_0607_0001_0203,
                0x0c0d_0e0f_0809_0a0b,
                0x0405_0607_0001_0203,
            )
        };
        Self(unsafe { _mm256_shuffle_epi8(self.0, order) })
    }
    #[inline(always)]
    fn spread<const BIT: i32>(self) -> Self {
        let to_sign = unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(31 - BIT)) };
        Self(unsafe { _mm256_srai_epi32::<31>(to_sign) })
    }
    #[inline(always)]
    unsafe fn load_quads(from: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_loadu2_m128i(from[1].cast(), from[0].cast()) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        (unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()))) }) as u32
    }
    #[inline(always)]
    fn or_where(self, condition: Self, other: Self) -> Self {
        let zero = Self(unsafe { _mm256_cmpeq_epi32(condition.0, _mm256_setzero_si256()) });
        self.or(other.and_not(zero))
    }
    #[inline(always)]
    fn or_where_zero(self, condition: Self, other: Self) -> Self {
        self.or(other.and(Self(unsafe { _mm256_cmpeq_epi32(condition.0, _mm256_setzero_si256()) })))
    }
    #[inline(always)]
    fn transpose([r0, r1, r2, r3]: [Self; 4]) -> [Self; 4] {
        unsafe {
            let (a, b) = (_mm256_unpacklo_epi32(r0.0, r1.0), _mm256_unpackhi_epi32(r0.0, r1.0));
            let (c, d) = (_mm256_unpacklo_epi32(r2.0, r3.0), _mm256_unpackhi_epi32(r2.0, r3.0));
            [
                Self(_mm256_unpacklo_epi64(a, c)),
                Self(_mm256_unpackhi_epi64(a, c)),
                Self(_mm256_unpacklo_epi64(b, d)),
                Self(_mm256_unpackhi_epi64(b, d)),
            ]
        }
    }
}

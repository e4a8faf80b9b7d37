//! SSE2, which every x86-64 has: four lanes.

use core::arch::x86_64::*;

use crate::lanes::Lanes;

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct U32x4(pub __m128i);

// SAFETY of every block without a word of its own: a value exists, so the CPU
// has the instruction set; see `Lanes`.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for U32x4 {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_loadu_si128(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(unsafe { _mm_andnot_si128(other.0, self.0) })
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(unsafe { _mm_xor_si128(self.0, _mm_set1_epi32(-1)) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { _mm_add_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm_sub_epi32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(unsafe { _mm_slli_epi32::<N>(self.0) })
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(unsafe { _mm_srli_epi32::<N>(self.0) })
    }
    #[inline(always)]
    fn from_be(self) -> Self {
        // Without SSSE3 there is no byte shuffle: bytes within halves by
        // shifts, then the halves.
        unsafe {
            let low = _mm_set1_epi32(0x00ff_00ff);
            let swapped = _mm_or_si128(
                _mm_slli_epi32::<8>(_mm_and_si128(self.0, low)),
                _mm_and_si128(_mm_srli_epi32::<8>(self.0), low),
            );
            Self(_mm_or_si128(_mm_slli_epi32::<16>(swapped), _mm_srli_epi32::<16>(swapped)))
        }
    }
    #[inline(always)]
    fn spread<const BIT: i32>(self) -> Self {
        let to_sign = unsafe { _mm_sll_epi32(self.0, _mm_cvtsi32_si128(31 - BIT)) };
        Self(unsafe { _mm_srai_epi32::<31>(to_sign) })
    }
    #[inline(always)]
    unsafe fn load_quads(from: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_loadu_si128(from[0].cast()) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        (unsafe { _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(self.0, _mm_setzero_si128()))) }) as u32
    }
    #[inline(always)]
    fn or_where(self, condition: Self, other: Self) -> Self {
        let zero = Self(unsafe { _mm_cmpeq_epi32(condition.0, _mm_setzero_si128()) });
        self.or(other.and_not(zero))
    }
    #[inline(always)]
    fn or_where_zero(self, condition: Self, other: Self) -> Self {
        self.or(other.and(Self(unsafe { _mm_cmpeq_epi32(condition.0, _mm_setzero_si128()) })))
    }
    #[inline(always)]
    fn transpose([r0, r1, r2, r3]: [Self; 4]) -> [Self; 4] {
        unsafe {
            let (a, b) = (_mm_unpacklo_epi32(r0.0, r1.0), _mm_unpackhi_epi32(r0.0, r1.0));
            let (c, d) = (_mm_unpacklo_epi32(r2.0, r3.0), _mm_unpackhi_epi32(r2.0, r3.0));
            [
                Self(_mm_unpacklo_epi64(a, c)),
                Self(_mm_unpackhi_epi64(a, c)),
                Self(_mm_unpacklo_epi64(b, d)),
                Self(_mm_unpackhi_epi64(b, d)),
            ]
        }
    }
}

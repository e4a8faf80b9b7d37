//! NEON: four lanes.

use core::arch::aarch64::*;

use crate::lanes::Lanes;

/// Four words.
#[derive(Clone, Copy)]
pub(crate) struct U32x4(uint32x4_t);

// SAFETY of every block without a word of its own: every AArch64 CPU that this
// is compiled for has NEON.
#[allow(clippy::undocumented_unsafe_blocks, unused_unsafe)]
impl Lanes for U32x4 {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vld1q_u32(from) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u32) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u32(to, self.0) }
    }
    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        Self(unsafe { vdupq_n_u32(word) })
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(unsafe { veorq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(unsafe { vandq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(unsafe { vorrq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(unsafe { vbicq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(unsafe { vmvnq_u32(self.0) })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { vaddq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { vsubq_u32(self.0, other.0) })
    }
    #[inline(always)]
    fn shl<const N: i32>(self) -> Self {
        Self(unsafe { vshlq_n_u32::<N>(self.0) })
    }
    #[inline(always)]
    fn shr<const N: i32>(self) -> Self {
        Self(unsafe { vshrq_n_u32::<N>(self.0) })
    }
    #[inline(always)]
    fn rotl<const N: i32, const M: i32>(self) -> Self {
        const { assert!(N + M == 32) };
        Self(unsafe { vsriq_n_u32::<M>(vshlq_n_u32::<N>(self.0), self.0) })
    }
    #[inline(always)]
    fn from_be(self) -> Self {
        if cfg!(target_endian = "big") {
            self
        } else {
            Self(unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(self.0))) })
        }
    }
    #[inline(always)]
    fn spread<const BIT: i32>(self) -> Self {
        Self(unsafe { vtstq_u32(self.0, vdupq_n_u32(1 << BIT)) })
    }
    #[inline(always)]
    unsafe fn load_quads(from: [*const u8; 4]) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vld1q_u32(from[0].cast()) })
    }
    #[inline(always)]
    fn zeros(self) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        unsafe { vaddvq_u32(vandq_u32(vceqzq_u32(self.0), vld1q_u32(BITS.as_ptr()))) }
    }
    #[inline(always)]
    fn or_where(self, condition: Self, other: Self) -> Self {
        Self(unsafe { vorrq_u32(self.0, vandq_u32(other.0, vtstq_u32(condition.0, condition.0))) })
    }
    #[inline(always)]
    fn or_where_zero(self, condition: Self, other: Self) -> Self {
        Self(unsafe { vorrq_u32(self.0, vandq_u32(other.0, vceqzq_u32(condition.0))) })
    }
    #[inline(always)]
    fn transpose([r0, r1, r2, r3]: [Self; 4]) -> [Self; 4] {
        unsafe {
            let (a, b) = (vtrn1q_u32(r0.0, r1.0), vtrn2q_u32(r0.0, r1.0));
            let (c, d) = (vtrn1q_u32(r2.0, r3.0), vtrn2q_u32(r2.0, r3.0));
            let (a, b) = (vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b));
            let (c, d) = (vreinterpretq_u64_u32(c), vreinterpretq_u64_u32(d));
            [
                Self(vreinterpretq_u32_u64(vtrn1q_u64(a, c))),
                Self(vreinterpretq_u32_u64(vtrn1q_u64(b, d))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(a, c))),
                Self(vreinterpretq_u32_u64(vtrn2q_u64(b, d))),
            ]
        }
    }
    #[inline(always)]
    fn choose(self, y: Self, z: Self) -> Self {
        Self(unsafe { vbslq_u32(self.0, y.0, z.0) })
    }
}

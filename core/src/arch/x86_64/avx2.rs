//! AVX2: eight lanes.

use core::arch::asm;
use core::arch::x86_64::*;

use crate::detect::across::Across;
use crate::detect::picks::{PAIRS, Pair, pairs};
use crate::detect::planes::Planar;
use crate::lanes::Lanes;
use crate::one::QUADS;

/// Where the bytes of the first and of the second word go in [`Lanes::join`], for
/// the four words of 16 bytes; 0x80 is none.
pub(crate) const JOIN: [i32; 8] = {
    let mut order = [0; 8];
    let mut i = 0;
    while i < 4 {
        let first = 4 * i as u8;
        order[i] = i32::from_le_bytes([first + 3, first, 0x80, 0x80]);
        order[i + 4] = i32::from_le_bytes([0x80, 0x80, first + 3, first]);
        i += 1;
    }
    order
};

#[inline]
#[target_feature(enable = "avx2")]
fn pin(x: __m256i) {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", in(ymm_reg) x, options(nomem, nostack, preserves_flags)) };
}

/// As the intrinsic, which the compiler takes for more: it asks of each count
/// whether it is below 32, in three instructions.
#[inline]
#[target_feature(enable = "avx2")]
fn shift_left(x: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: it reads and writes registers.
    unsafe {
        asm!("vpsllvd {0}, {1}, {2}", out(ymm_reg) shifted, in(ymm_reg) x, in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct U32x8(pub __m256i);

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
    fn join(self, other: Self) -> Self {
        let (order, other_order) = unsafe {
            (
                _mm256_set_epi32(JOIN[3], JOIN[2], JOIN[1], JOIN[0], JOIN[3], JOIN[2], JOIN[1], JOIN[0]),
                _mm256_set_epi32(JOIN[7], JOIN[6], JOIN[5], JOIN[4], JOIN[7], JOIN[6], JOIN[5], JOIN[4]),
            )
        };
        Self(unsafe { _mm256_or_si256(_mm256_shuffle_epi8(self.0, order), _mm256_shuffle_epi8(other.0, other_order)) })
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
    fn pin(self) {
        unsafe { pin(self.0) };
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

// SAFETY of the blocks: see above.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Planar for U32x8 {
    const LOW_BYTES: [usize; 4] = [0, 1, 2, 3];
    const HIGH_BYTES: [usize; 4] = [3, 2, 0, 1];
    #[inline(always)]
    fn quad_bytes([a, b, c, d]: [Self; 4]) -> [Self; 2] {
        // Bytes of a word, from the lowest: where they go, or none.
        const fn order(bytes: u32) -> [u8; 32] {
            let (bytes, mut order) = (bytes.to_be_bytes(), [0; 32]);
            let mut i = 0;
            while i < 32 {
                order[i] = if bytes[i % 4] == 0xff { 0x80 } else { bytes[i % 4] + (i / 4 * 4 % 16) as u8 };
                i += 1;
            }
            order
        }
        static B: [u8; 32] = order(0xff00_03ff);
        static C: [u8; 32] = order(0x03ff_00ff);
        static D: [u8; 32] = order(0xff03_ff00);
        unsafe {
            let load = |order: &[u8; 32]| _mm256_loadu_si256(order.as_ptr().cast());
            let middle = _mm256_set1_epi32(0x00ff_ff00);
            // Low of a and b, high of b and a; high and low of c and d.
            let x = _mm256_blendv_epi8(a.0, _mm256_shuffle_epi8(b.0, load(&B)), middle);
            let y = _mm256_or_si256(_mm256_shuffle_epi8(c.0, load(&C)), _mm256_shuffle_epi8(d.0, load(&D)));
            [Self(_mm256_blend_epi16::<0b1010_1010>(x, y)), Self(_mm256_blend_epi16::<0b1010_1010>(y, x))]
        }
    }
    #[inline(always)]
    fn byte_signs(self) -> u32 {
        (unsafe { _mm256_movemask_epi8(self.0) }) as u32
    }
}

/// The conditions of one block, eight at once: permutations of two of four
/// registers bring the words there.
pub(crate) struct Picks {
    /// Words 36 to 66, and 35.
    words: [__m256i; 4],
    /// Vectors of which some condition is violated.
    dead: __m256i,
    rows: &'static [Pair; PAIRS],
}

static ROWS: [[Pair; PAIRS]; 2] = [pairs(false), pairs(true)];

impl Picks {
    /// # Safety
    ///
    /// The CPU has AVX2.
    #[inline(always)]
    unsafe fn row<const R: usize>(&mut self) {
        // Which registers is known when this is compiled, and is the same in
        // both orders of words.
        let [from_x, from_y] = const {
            let [x, y] = ROWS_IN_ORDER[R].from;
            assert!(ROWS_REVERSED[R].from[0] == x && ROWS_REVERSED[R].from[1] == y);
            [x, y]
        };
        let row = &self.rows[R];
        // SAFETY: the caller has the instruction set.
        unsafe {
            let x = _mm256_permutevar8x32_epi32(self.words[from_x], _mm256_load_si256(row.x.as_ptr().cast()));
            let y = _mm256_permutevar8x32_epi32(self.words[from_y], _mm256_load_si256(row.y.as_ptr().cast()));
            let x = shift_left(x, _mm256_load_si256(row.left_x.as_ptr().cast()));
            let y = shift_left(y, _mm256_load_si256(row.left_y.as_ptr().cast()));
            let violated = _mm256_blendv_ps(
                _mm256_load_ps(row.same.as_ptr().cast()),
                _mm256_load_ps(row.differ.as_ptr().cast()),
                _mm256_castsi256_ps(_mm256_xor_si256(x, y)),
            );
            self.dead = _mm256_or_si256(self.dead, _mm256_castps_si256(violated));
        }
    }
}

const ROWS_IN_ORDER: [Pair; PAIRS] = pairs(false);
const ROWS_REVERSED: [Pair; PAIRS] = pairs(true);

impl Across for Picks {
    #[inline(always)]
    unsafe fn new(quads: &[[u32; 4]; QUADS], reversed: bool) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let [first, last] = [quads[0].as_ptr().cast(), quads[8].as_ptr().cast()];
            let [first, last] = [_mm_loadu_si128(first), _mm_loadu_si128(last)];
            // Step 35 in the place of step 67.
            let last =
                if reversed { _mm_blend_epi32::<0b0001>(last, first) } else { _mm_blend_epi32::<0b1000>(last, first) };
            let two = [quads[7].as_ptr().cast(), (&raw const last).cast()];
            let mut rows = &raw const ROWS[reversed as usize];
            asm!("/* {0} */", inout(reg) rows, options(nostack, preserves_flags));
            Self {
                words: [
                    _mm256_loadu2_m128i(quads[2].as_ptr().cast(), quads[1].as_ptr().cast()),
                    _mm256_loadu2_m128i(quads[4].as_ptr().cast(), quads[3].as_ptr().cast()),
                    _mm256_loadu2_m128i(quads[6].as_ptr().cast(), quads[5].as_ptr().cast()),
                    _mm256_loadu2_m128i(two[1], two[0]),
                ],
                dead: _mm256_setzero_si256(),
                rows: &*rows,
            }
        }
    }

    #[inline(always)]
    fn gap(&mut self, k: usize) {
        macro_rules! rows {
            ($($r:literal)*) => {
                // SAFETY: a value exists, so the CPU has the instruction set.
                unsafe {
                    $(self.row::<$r>();)*
                    // As with AVX-512.
                    asm!("/* {0} */", in(xmm_reg) _mm256_castsi256_si128(self.dead), options(nostack, preserves_flags));
                }
            };
        }
        match k {
            1 => rows!(0 1 2 3 4 5 6),
            2 => rows!(7 8 9 10 11 12 13),
            3 => rows!(14 15 16 17 18 19),
            _ => {}
        }
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: a value exists, so the CPU has the instruction set.
        unsafe {
            let dead = _mm_or_si128(_mm256_castsi256_si128(self.dead), _mm256_extracti128_si256::<1>(self.dead));
            let dead = _mm_or_si128(dead, _mm_shuffle_epi32::<0b01_00_11_10>(dead));
            let dead = _mm_or_si128(dead, _mm_shuffle_epi32::<0b10_11_00_01>(dead));
            !(_mm_cvtsi128_si32(dead) as u32)
        }
    }
}

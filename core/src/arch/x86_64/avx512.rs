//! AVX-512 (F, VL): its three-input logic makes most of the conditions one
//! instruction. Sixteen lanes, and eight for where 512-bit instructions would
//! get in the way of the hash chain.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::arch::x86_64::avx2::JOIN;
use crate::detect::across::{Across, Tail};
use crate::detect::picks::{Pick, picks};
use crate::lanes::Lanes;
use crate::one::QUADS;
use crate::schedule::BLOCK_SIZE;

// Truth tables of `vpternlogd`: bit (x << 2 | y << 1 | z).
const XOR3: i32 = 0x96;
const AND3: i32 = 0x80;
const OR_AND: i32 = 0xf8;
const CHOOSE: i32 = 0xca;
const MAJORITY: i32 = 0xe8;
const NOT: i32 = 0x55;
/// All three the same, with y and z inverted or not.
const SAME: [[i32; 2]; 2] = {
    const fn table(y: i32, z: i32) -> i32 {
        let one = 4 | (1 - y) << 1 | (1 - z);
        1 << one | 1 << (7 ^ one)
    }
    [[table(0, 0), table(0, 1)], [table(1, 0), table(1, 1)]]
};

/// # Safety
///
/// The CPU has the instruction set; all four pointers are readable for 16 bytes.
#[inline(always)]
unsafe fn quads_512(from: [*const u8; 4]) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let v = _mm512_castsi128_si512(_mm_loadu_si128(from[0].cast()));
        let v = _mm512_inserti32x4::<1>(v, _mm_loadu_si128(from[1].cast()));
        let v = _mm512_inserti32x4::<2>(v, _mm_loadu_si128(from[2].cast()));
        _mm512_inserti32x4::<3>(v, _mm_loadu_si128(from[3].cast()))
    }
}

/// # Safety
///
/// The CPU has the instruction set; the first two pointers are readable for 16 bytes.
#[inline(always)]
unsafe fn quads_256(from: [*const u8; 4]) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_loadu2_m128i(from[1].cast(), from[0].cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn pin_512(x: __m512i) {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", in(zmm_reg) x, options(nomem, nostack, preserves_flags)) };
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn pin_256(x: __m256i) {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", in(ymm_reg) x, options(nomem, nostack, preserves_flags)) };
}

/// The same methods for both widths: the intrinsics differ in name only.
macro_rules! lanes {
    (
        $(#[$doc:meta])* $name:ident($vector:ty), $count:literal, load $load:ident, store $store:ident,
        splat $splat:ident, xor $xor:ident, and $and:ident $maskand:ident, or $or:ident $maskor:ident, andnot $andnot:ident, add $add:ident,
        sub $sub:ident, sll $sll:ident, srl $srl:ident, rol $rol:ident, shuffle $shuffle:ident $order:ident, test $test:ident $testn:ident $movm:ident, quads $quads:ident, pin $pin:ident, compress $compress:ident, ternary $ternary:ident,
        unpack $lo32:ident $hi32:ident $lo64:ident $hi64:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name($vector);

        // SAFETY of every block without a word of its own: a value exists, so
        // the CPU has the instruction set; see `Lanes`.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Lanes for $name {
            const COUNT: usize = $count;
            const TERNARY: bool = true;

            #[inline(always)]
            unsafe fn load(from: *const u32) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $load(from.cast()) })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u32) {
                // SAFETY: the caller's promise.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn splat(word: u32) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $splat(word as i32) })
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                Self(unsafe { $xor(self.0, other.0) })
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Self(unsafe { $and(self.0, other.0) })
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Self(unsafe { $or(self.0, other.0) })
            }
            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                Self(unsafe { $andnot(other.0, self.0) })
            }
            #[inline(always)]
            fn not(self) -> Self {
                Self(unsafe { $ternary::<NOT>(self.0, self.0, self.0) })
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self(unsafe { $sub(self.0, other.0) })
            }
            #[inline(always)]
            fn shl<const N: i32>(self) -> Self {
                Self(unsafe { $sll(self.0, _mm_cvtsi32_si128(N)) })
            }
            #[inline(always)]
            fn shr<const N: i32>(self) -> Self {
                Self(unsafe { $srl(self.0, _mm_cvtsi32_si128(N)) })
            }
            #[inline(always)]
            fn rotl<const N: i32, const M: i32>(self) -> Self {
                Self(unsafe { $rol::<N>(self.0) })
            }
            #[inline(always)]
            fn from_be(self) -> Self {
                // SAFETY: likewise; AVX-512 BW comes with the others.
                Self(unsafe { $shuffle(self.0, $order(_mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203))) })
            }
            #[inline(always)]
            fn spread<const BIT: i32>(self) -> Self {
                Self(unsafe { $movm($test(self.0, $splat(1 << BIT))) })
            }
            #[inline(always)]
            fn drop_where_zero<const BIT: i32>(self, x: Self, bits: u32) -> Self {
                Self(unsafe { $maskand(self.0, $testn(x.0, $splat(1 << BIT)), self.0, $splat(!bits as i32)) })
            }
            #[inline(always)]
            fn drop_where_one<const BIT: i32>(self, x: Self, bits: u32) -> Self {
                Self(unsafe { $maskand(self.0, $test(x.0, $splat(1 << BIT)), self.0, $splat(!bits as i32)) })
            }
            #[inline(always)]
            unsafe fn load_quads(from: [*const u8; 4]) -> Self {
                // SAFETY: the caller's promise.
                Self(unsafe { $quads(from) })
            }
            #[inline(always)]
            fn join(self, other: Self) -> Self {
                // SAFETY: as for `from_be`.
                let (order, other_order) = unsafe {
                    (
                        $order(_mm_set_epi32(JOIN[3], JOIN[2], JOIN[1], JOIN[0])),
                        $order(_mm_set_epi32(JOIN[7], JOIN[6], JOIN[5], JOIN[4])),
                    )
                };
                Self(unsafe { $or($shuffle(self.0, order), $shuffle(other.0, other_order)) })
            }
            #[inline(always)]
            unsafe fn pack(self, lanes: u32, to: *mut u32) {
                // To a register first: straight to memory it is microcode on Zen 4.
                unsafe { $store(to.cast(), $compress(lanes as _, self.0)) };
            }
            #[inline(always)]
            unsafe fn pack_pointers(from: *const *const u8, lanes: u32, to: *mut *const u8) {
                const EIGHT: usize = 8;
                let (mut from, mut lanes, mut to) = (from, lanes, to);
                for _ in 0..$count / EIGHT {
                    unsafe {
                        let some = _mm512_maskz_compress_epi64(lanes as u8, _mm512_loadu_si512(from.cast()));
                        _mm512_storeu_si512(to.cast(), some);
                        from = from.add(EIGHT);
                        to = to.add((lanes as u8).count_ones() as usize);
                    }
                    lanes >>= EIGHT;
                }
            }
            #[inline(always)]
            fn pin(self) {
                unsafe { $pin(self.0) };
            }
            #[inline(always)]
            fn zeros(self) -> u32 {
                u32::from(unsafe { $testn(self.0, self.0) })
            }
            #[inline(always)]
            fn or_where(self, condition: Self, other: Self) -> Self {
                Self(unsafe { $maskor(self.0, $test(condition.0, condition.0), self.0, other.0) })
            }
            #[inline(always)]
            fn or_where_zero(self, condition: Self, other: Self) -> Self {
                Self(unsafe { $maskor(self.0, $testn(condition.0, condition.0), self.0, other.0) })
            }
            #[inline(always)]
            fn transpose([r0, r1, r2, r3]: [Self; 4]) -> [Self; 4] {
                unsafe {
                    let (a, b) = ($lo32(r0.0, r1.0), $hi32(r0.0, r1.0));
                    let (c, d) = ($lo32(r2.0, r3.0), $hi32(r2.0, r3.0));
                    [Self($lo64(a, c)), Self($hi64(a, c)), Self($lo64(b, d)), Self($hi64(b, d))]
                }
            }
            #[inline(always)]
            fn xor3(self, y: Self, z: Self) -> Self {
                Self(unsafe { $ternary::<XOR3>(self.0, y.0, z.0) })
            }
            #[inline(always)]
            fn and3(self, y: Self, z: Self) -> Self {
                Self(unsafe { $ternary::<AND3>(self.0, y.0, z.0) })
            }
            #[inline(always)]
            fn or_and(self, y: Self, z: Self) -> Self {
                Self(unsafe { $ternary::<OR_AND>(self.0, y.0, z.0) })
            }
            #[inline(always)]
            fn choose(self, y: Self, z: Self) -> Self {
                Self(unsafe { $ternary::<CHOOSE>(self.0, y.0, z.0) })
            }
            #[inline(always)]
            fn majority(self, y: Self, z: Self) -> Self {
                Self(unsafe { $ternary::<MAJORITY>(self.0, y.0, z.0) })
            }
            #[inline(always)]
            fn same3<const Y: bool, const Z: bool>(self, y: Self, z: Self) -> Self {
                Self(unsafe {
                    match (Y, Z) {
                        (false, false) => $ternary::<{ SAME[0][0] }>(self.0, y.0, z.0),
                        (false, true) => $ternary::<{ SAME[0][1] }>(self.0, y.0, z.0),
                        (true, false) => $ternary::<{ SAME[1][0] }>(self.0, y.0, z.0),
                        (true, true) => $ternary::<{ SAME[1][1] }>(self.0, y.0, z.0),
                    }
                })
            }
        }
    };
}

lanes! {
    /// Sixteen words.
    U32x16(__m512i), 16, load _mm512_loadu_si512, store _mm512_storeu_si512,
    splat _mm512_set1_epi32, xor _mm512_xor_si512, and _mm512_and_si512 _mm512_mask_and_epi32, or _mm512_or_si512 _mm512_mask_or_epi32, andnot _mm512_andnot_si512, add _mm512_add_epi32,
    sub _mm512_sub_epi32, sll _mm512_sll_epi32, srl _mm512_srl_epi32, rol _mm512_rol_epi32, shuffle _mm512_shuffle_epi8 _mm512_broadcast_i32x4, test _mm512_test_epi32_mask _mm512_testn_epi32_mask _mm512_movm_epi32, quads quads_512, pin pin_512, compress _mm512_maskz_compress_epi32,
    ternary _mm512_ternarylogic_epi32, unpack _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64
}

lanes! {
    /// Eight words.
    U32x8(__m256i), 8, load _mm256_loadu_si256, store _mm256_storeu_si256,
    splat _mm256_set1_epi32, xor _mm256_xor_si256, and _mm256_and_si256 _mm256_mask_and_epi32, or _mm256_or_si256 _mm256_mask_or_epi32, andnot _mm256_andnot_si256, add _mm256_add_epi32,
    sub _mm256_sub_epi32, sll _mm256_sll_epi32, srl _mm256_srl_epi32, rol _mm256_rol_epi32, shuffle _mm256_shuffle_epi8 _mm256_broadcast_i32x4, test _mm256_test_epi32_mask _mm256_testn_epi32_mask _mm256_movm_epi32, quads quads_256, pin pin_256, compress _mm256_maskz_compress_epi32,
    ternary _mm256_ternarylogic_epi32, unpack _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
}

/// [`Backend::pad`](crate::backend::Backend::pad) in one masked load and one or
/// two stores: copied byte by byte, what is loaded wide after that waits for
/// the stores, 8 ns for a short message.
///
/// # Panics
///
/// When `rest` is a whole block.
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(crate) fn pad<'a>(rest: &[u8], len: u64, tail: &'a mut MaybeUninit<Tail>) -> &'a [[u8; BLOCK_SIZE]] {
    assert!(rest.len() < BLOCK_SIZE, "what is left is less than a block");
    let end = 1 << rest.len();
    // SAFETY: bytes outside of the mask are not read; `tail` has two blocks.
    unsafe {
        // An empty slice may point anywhere, and not to fault there takes the
        // CPU 40 ns.
        let from = if rest.is_empty() { tail.as_ptr().cast() } else { rest.as_ptr() };
        let block = _mm512_maskz_loadu_epi8(end - 1, from.cast());
        let block = _mm512_mask_blend_epi8(end, block, _mm512_set1_epi8(0x80_u8 as i8));
        let length = _mm512_maskz_set1_epi64(1 << 7, (len << 3).swap_bytes() as i64);
        let to: *mut __m512i = tail.as_mut_ptr().cast();
        if rest.len() < BLOCK_SIZE - 8 {
            _mm512_storeu_si512(to, _mm512_or_si512(block, length));
            core::slice::from_raw_parts(to.cast(), 1)
        } else {
            _mm512_storeu_si512(to, block);
            _mm512_storeu_si512(to.add(1), length);
            core::slice::from_raw_parts(to.cast(), 2)
        }
    }
}

/// The conditions of one block, sixteen at once: a permutation of two registers
/// brings the words there.
pub(crate) struct Picks {
    /// Words 36 to 51, and 52 to 66 and 35.
    words: [__m512i; 2],
    /// Vectors of which some condition is violated.
    dead: __m512i,
    rows: &'static [Pick<16>; 8],
}

static ROWS: [[Pick<16>; 8]; 2] = [picks(false), picks(true)];

impl Picks {
    /// # Safety
    ///
    /// The CPU has the instruction set.
    #[inline(always)]
    unsafe fn row<const R: usize>(&mut self) {
        let (row, [a, b]) = (&self.rows[R], self.words);
        // SAFETY: the caller has the instruction set.
        unsafe {
            let x = _mm512_permutex2var_epi32(a, _mm512_load_si512(row.x.as_ptr().cast()), b);
            let y = _mm512_permutex2var_epi32(a, _mm512_load_si512(row.y.as_ptr().cast()), b);
            let y = _mm512_rolv_epi32(y, _mm512_load_si512(row.turn.as_ptr().cast()));
            let wrong = _mm512_ternarylogic_epi32::<XOR3>(x, y, _mm512_load_si512(row.differ.as_ptr().cast()));
            let violated = _mm512_test_epi32_mask(wrong, _mm512_load_si512(row.bit.as_ptr().cast()));
            let vectors = _mm512_load_si512(row.vectors.as_ptr().cast());
            self.dead = _mm512_mask_or_epi32(self.dead, violated, self.dead, vectors);
        }
    }
}

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
            let low = quads_512([
                quads[1].as_ptr().cast(),
                quads[2].as_ptr().cast(),
                quads[3].as_ptr().cast(),
                quads[4].as_ptr().cast(),
            ]);
            let high = quads_512([
                quads[5].as_ptr().cast(),
                quads[6].as_ptr().cast(),
                quads[7].as_ptr().cast(),
                (&raw const last).cast(),
            ]);
            let mut rows = &raw const ROWS[reversed as usize];
            asm!("/* {0} */", inout(reg) rows, options(nostack, preserves_flags));
            Self { words: [low, high], dead: _mm512_setzero_si512(), rows: &*rows }
        }
    }

    #[inline(always)]
    fn gap(&mut self, k: usize) {
        // SAFETY: a value exists, so the CPU has the instruction set.
        unsafe {
            // Late enough for the words to be there, early enough for the mask to
            // be known before the rounds end: in the last two gaps, 1 ns more.
            match k {
                1 => {
                    self.row::<0>();
                    self.row::<1>();
                    self.row::<2>();
                    self.row::<3>();
                }
                2 => {
                    self.row::<4>();
                    self.row::<5>();
                    self.row::<6>();
                    self.row::<7>();
                }
                _ => return,
            }
            // Pins the work to its gap: what is done comes before this, and the
            // table, which it may change, is read after it.
            asm!("/* {0} */", in(xmm_reg) _mm512_castsi512_si128(self.dead), options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: a value exists, so the CPU has the instruction set.
        !(unsafe { _mm512_reduce_or_epi32(self.dead) } as u32)
    }

    #[inline(always)]
    unsafe fn pad<'a>(rest: &[u8], len: u64, tail: &'a mut MaybeUninit<Tail>) -> &'a [[u8; BLOCK_SIZE]] {
        // SAFETY: the caller's promise.
        unsafe { pad(rest, len, tail) }
    }
}

//! The hash chain on the SHA-1 instructions of x86-64.

use core::arch::asm;
use core::arch::x86_64::*;

use crate::arch::x86_64::avx2::{JOIN, U32x8};
use crate::arch::x86_64::sse2::U32x4;
use crate::detect::across::Across;
use crate::digest::Digest;
use crate::lanes::Lanes;
use crate::one::{Chain, FIRST_QUAD, QUADS, Window};
use crate::paired::{Abreast, Joins, WIDTH};
use crate::schedule::BLOCK_SIZE;
use crate::trail::{Stepwise, TRAIL, Trail};

/// The chaining value: a, b, c, d with a in the highest word, and e in the
/// highest word of the second register.
///
/// `AVX`: what runs beside the chain, the filter or the conditions of a [single
/// block](Chain::block_across), may use 256-bit registers. SHA-1 instructions exist
/// in SSE's encoding only, and Zen 1 to 3 take a fault of a hundred cycles and more
/// when such an instruction comes while the upper half of any register is in use, and
/// another on the way back (AMD, Software Optimization Guides, 2.11.6, "Mixing AVX and
/// SSE"): a block took 5300 ns instead of 38 on Zen 3. Zen 4 shows nothing of it, and
/// Intel's manual knows no such fault since Skylake. So a `vzeroupper`, which costs
/// nothing that could be measured, ends each gap in which there may be such work, and
/// what the chain works on is tied down before and after. With five gaps a block that
/// came to 44.3 ns on Zen 3; with one gap, the last, to 40.2, where SSE takes 40.5.
#[derive(Clone, Copy)]
pub(crate) struct ShaNi<const AVX: bool = false> {
    abcd: __m128i,
    e: __m128i,
}

/// Clears the upper halves of all registers. What is in use is named, at most
/// eight values; to the compiler all else is gone, so nothing of 256 bits can
/// be alive across it.
macro_rules! clean {
    ($($register:tt $value:expr),* $(; $($other:tt)*)?) => {
        asm!(
            "vzeroupper",
            $(inout($register) $value,)*
            $($(out($other) _,)*)?
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack, preserves_flags),
        )
    };
}

macro_rules! intrinsics {
    ($($body:tt)*) => {
        // SAFETY: a `Chain` exists only where `new` was promised the
        // instructions.
        unsafe { $($body)* }
    };
}

impl<const AVX: bool> Chain for ShaNi<AVX> {
    const REVERSED: bool = true;

    /// # Safety
    ///
    /// The CPU has SHA, SSSE3 and SSE4.1, and AVX if `AVX`.
    #[inline(always)]
    unsafe fn new(h: &[u32; 5]) -> Self {
        intrinsics! {
            Self {
                abcd: _mm_set_epi32(h[0] as i32, h[1] as i32, h[2] as i32, h[3] as i32),
                e: _mm_set_epi32(h[4] as i32, 0, 0, 0),
            }
        }
    }

    #[inline(always)]
    fn get(&self) -> [u32; 5] {
        intrinsics! {
            [
                _mm_extract_epi32::<3>(self.abcd) as u32,
                _mm_extract_epi32::<2>(self.abcd) as u32,
                _mm_extract_epi32::<1>(self.abcd) as u32,
                _mm_extract_epi32::<0>(self.abcd) as u32,
                _mm_extract_epi32::<3>(self.e) as u32,
            ]
        }
    }

    #[inline(always)]
    fn digest(&self) -> Digest {
        let mut digest = [0; 20];
        intrinsics! {
            let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            _mm_storeu_si128(digest.as_mut_ptr().cast(), _mm_shuffle_epi8(self.abcd, order));
            digest[16..].copy_from_slice(&(_mm_extract_epi32::<3>(self.e) as u32).to_be_bytes());
        }
        Digest::from(digest)
    }

    /// Compresses one block. `seen` gets each quad of expanded words, and the
    /// working state before each fourth step; `gap` is called after every
    /// `EVERY` quads of steps with the number of the gap.
    #[inline(always)]
    #[allow(unused_assignments)] // the last quads make words that no step uses
    #[allow(clippy::out_of_bounds_indexing)] // in branches that are not taken
    fn block<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        mut leave: Option<(&mut Window<N>, usize, &mut Trail, usize)>,
        mut gap: impl FnMut(usize),
    ) {
        intrinsics! {
            let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let mut w = [_mm_setzero_si128(); 4];
            for (i, w) in w.iter_mut().enumerate() {
                *w = _mm_shuffle_epi8(_mm_loadu_si128(block.as_ptr().add(16 * i).cast()), order);
            }
            let mut before = *self;
            if let Some((_, _, trail, i)) = &mut leave {
                before.leave(trail, *i);
            }
            let mut abcd = before.abcd;
            let mut last = abcd;
            macro_rules! quad {
                ($g:literal, $f:literal) => {
                    let word = w[$g % 4];
                    if let Some((window, b, trail, i)) = &mut leave {
                        if $g >= FIRST_QUAD && $g < FIRST_QUAD + QUADS {
                            _mm_storeu_si128(window.words[$g - FIRST_QUAD][*b].as_mut_ptr().cast(), word);
                        }
                        if $g == 14 {
                            _mm_storeu_si128(trail.state_56[*i].as_mut_ptr().cast(), abcd);
                        }
                        if $g == 15 {
                            _mm_storeu_si128(trail.state_60[*i].as_mut_ptr().cast(), abcd);
                        }
                    }
                    let e = if $g == 0 { _mm_add_epi32(before.e, word) } else { _mm_sha1nexte_epu32(last, word) };
                    last = abcd;
                    abcd = _mm_sha1rnds4_epu32::<$f>(abcd, e);
                    if $g < 16 {
                        let x = _mm_xor_si128(_mm_sha1msg1_epu32(w[$g % 4], w[($g + 1) % 4]), w[($g + 2) % 4]);
                        w[$g % 4] = _mm_sha1msg2_epu32(x, w[($g + 3) % 4]);
                    }
                };
            }
            macro_rules! gap {
                ($k:literal) => {
                    // Pins the order: the filter's steps, which work in memory,
                    // stay in their gaps. No instruction. Without it the
                    // compiler gathers them: 33.4 instead of 32.8 ns a block.
                    asm!("/* {0} */", inout(xmm_reg) abcd, options(nostack, preserves_flags));
                    gap($k);
                    // Where a filter in AVX2 has its gap.
                    if AVX && $k == 4 {
                        clean!(
                            "xmm0" abcd, "xmm1" last, "xmm2" before.abcd, "xmm3" before.e;
                            "xmm4" "xmm5" "xmm6" "xmm7"
                        );
                    }
                };
            }
            quad!(0, 0); quad!(1, 0); quad!(2, 0); quad!(3, 0);
            gap!(0);
            quad!(4, 0); quad!(5, 1); quad!(6, 1); quad!(7, 1);
            gap!(1);
            quad!(8, 1); quad!(9, 1); quad!(10, 2); quad!(11, 2);
            gap!(2);
            quad!(12, 2); quad!(13, 2); quad!(14, 2); quad!(15, 3);
            gap!(3);
            quad!(16, 3); quad!(17, 3); quad!(18, 3); quad!(19, 3);
            gap!(4);
            self.e = _mm_sha1nexte_epu32(last, before.e);
            self.abcd = _mm_add_epi32(abcd, before.abcd);
        }
    }

    /// Expands the whole block first: that takes a third of the time that its
    /// rounds take, which so can hide its conditions.
    #[inline(always)]
    fn block_across<A: Across>(&mut self, block: &[u8; BLOCK_SIZE], trail: &mut Trail) -> u32 {
        self.leave(trail, 0);
        intrinsics! {
            let mut bytes = [_mm_setzero_si128(); 4];
            let mut q = 0;
            while q < 4 {
                bytes[q] = _mm_loadu_si128(block.as_ptr().add(16 * q).cast());
                q += 1;
            }
            let mut w = expanded(bytes);
            if AVX {
                // To memory: nothing of it is left for later.
                core::hint::black_box(&mut w);
            }
            let mut quads = [[0; 4]; QUADS];
            let mut q = 0;
            while q < QUADS {
                _mm_storeu_si128(quads[q].as_mut_ptr().cast(), w[FIRST_QUAD + q]);
                q += 1;
            }
            let mut across = A::new(&quads, true);

            let mut before = *self;
            let mut abcd = before.abcd;
            let mut last = abcd;
            macro_rules! clean_up {
                () => {
                    if AVX {
                        clean!(
                            "xmm0" abcd, "xmm1" last, "xmm2" before.abcd, "xmm3" before.e;
                            "xmm4" "xmm5" "xmm6" "xmm7"
                        );
                    }
                };
            }
            clean_up!();
            macro_rules! quads {
                ($f:literal: $($g:literal)*) => { $(
                    if $g == 14 {
                        _mm_storeu_si128(trail.state_56[0].as_mut_ptr().cast(), abcd);
                    }
                    if $g == 15 {
                        _mm_storeu_si128(trail.state_60[0].as_mut_ptr().cast(), abcd);
                    }
                    let e = if $g == 0 { _mm_add_epi32(before.e, w[0]) } else { _mm_sha1nexte_epu32(last, w[$g]) };
                    last = abcd;
                    abcd = _mm_sha1rnds4_epu32::<$f>(abcd, e);
                    if $g % 4 == 3 {
                        // As in `block`.
                        asm!("/* {0} */", inout(xmm_reg) abcd, options(nostack, preserves_flags));
                        across.gap($g / 4);
                        clean_up!();
                    }
                )* };
            }
            quads!(0: 0 1 2 3 4);
            quads!(1: 5 6 7 8 9);
            quads!(2: 10 11 12 13 14);
            quads!(3: 15 16 17 18 19);
            self.e = _mm_sha1nexte_epu32(last, before.e);
            self.abcd = _mm_add_epi32(abcd, before.abcd);
            let mask = across.mask();
            if AVX {
                clean!("xmm0" self.abcd, "xmm1" self.e; "xmm2" "xmm3" "xmm4" "xmm5" "xmm6" "xmm7");
            }
            mask
        }
    }

    #[inline(always)]
    fn leave(&self, trail: &mut Trail, i: usize) {
        intrinsics! {
            _mm_storeu_si128(trail.chain[i].as_mut_ptr().cast(), self.abcd);
            trail.chain_e[i].write(_mm_extract_epi32::<3>(self.e) as u32);
        }
    }

    #[inline(always)]
    unsafe fn at(trail: &Trail, i: usize) -> Self {
        intrinsics! {
            let e = _mm_cvtsi32_si128(trail.chain_e[i].assume_init() as i32);
            Self { abcd: _mm_loadu_si128(trail.chain[i].as_ptr().cast()), e: _mm_slli_si128::<12>(e) }
        }
    }

    #[inline(always)]
    fn collides(
        &self,
        before: Option<&Self>,
        states: &[[u32; 4]; 2],
        block: &[u8; BLOCK_SIZE],
        difference: &[u8; BLOCK_SIZE],
    ) -> bool {
        intrinsics! {
            let w = expanded(other_message(block, difference));
            // Before step 60: the state, and the state four steps earlier, of
            // whose a the instructions make e.
            let state_56 = _mm_loadu_si128(states[0].as_ptr().cast());
            let state_60 = _mm_loadu_si128(states[1].as_ptr().cast());
            let zero = _mm_setzero_si128();
            let (mut abcd, mut last) = (state_60, state_56);
            macro_rules! quads {
                ($f:literal: $($g:literal)*) => { $(
                    let e = _mm_sha1nexte_epu32(last, w[$g]);
                    last = abcd;
                    abcd = _mm_sha1rnds4_epu32::<$f>(abcd, e);
                )* };
            }
            quads!(3: 15 16 17 18 19);
            let start = Self {
                abcd: _mm_sub_epi32(self.abcd, abcd),
                e: _mm_sub_epi32(self.e, _mm_sha1nexte_epu32(last, zero)),
            };
            let states = [state_56, state_60];
            start.leads_to(states, &w) || before.is_some_and(|before| before.leads_to(states, &w))
        }
    }
}

impl<const AVX: bool> ShaNi<AVX> {
    /// Whether the first 60 steps lead from this chaining value to a state,
    /// given by the states before steps 56 and 60.
    #[inline(always)]
    fn leads_to(self, [state_56, state_60]: [__m128i; 2], w: &[__m128i; 20]) -> bool {
        intrinsics! {
            let zero = _mm_setzero_si128();
            let (mut abcd, mut last) = (self.abcd, zero);
            macro_rules! quads {
                ($f:literal: $($g:literal)*) => { $(
                    let e = if $g == 0 { _mm_add_epi32(self.e, w[0]) } else { _mm_sha1nexte_epu32(last, w[$g]) };
                    last = abcd;
                    abcd = _mm_sha1rnds4_epu32::<$f>(abcd, e);
                )* };
            }
            quads!(0: 0 1 2 3 4);
            quads!(1: 5 6 7 8 9);
            quads!(2: 10 11 12 13 14);
            let e = _mm_xor_si128(_mm_sha1nexte_epu32(last, zero), _mm_sha1nexte_epu32(state_56, zero));
            let differ = _mm_or_si128(_mm_xor_si128(abcd, state_60), e);
            _mm_test_all_zeros(differ, differ) != 0
        }
    }
}

/// A recompression in steps: what [`Chain::collides`] does at once. In memory,
/// because the chain has the registers.
#[repr(C, align(64))]
pub(crate) struct Slot {
    w: [__m128i; 20],
    /// The states before steps 56 and 60.
    state: [__m128i; 2],
    /// The chaining value after the block.
    after: ShaNi,
    /// The state that has been led to, and that of four steps before, or e.
    now: [__m128i; 2],
}

impl Slot {
    /// Quads `G` to `G + 3` of the expanded message.
    #[inline(always)]
    fn expand<const G: usize>(&mut self) {
        intrinsics! {
            let mut w = [self.w[G - 4], self.w[G - 3], self.w[G - 2], self.w[G - 1]];
            let mut g = 0;
            while g < 4 {
                let x = _mm_xor_si128(_mm_sha1msg1_epu32(w[g % 4], w[(g + 1) % 4]), w[(g + 2) % 4]);
                w[g % 4] = _mm_sha1msg2_epu32(x, w[(g + 3) % 4]);
                self.w[G + g] = w[g % 4];
                g += 1;
            }
        }
    }
}

impl Stepwise for ShaNi {
    const STEPS: usize = 11;
    type Slot = Slot;

    #[inline(always)]
    unsafe fn slot() -> Slot {
        intrinsics! {
            let zero = _mm_setzero_si128();
            // A state that nothing leads to.
            let never = _mm_set1_epi32(1);
            let mut slot =
                Slot { w: [zero; 20], state: [never; 2], after: Self { abcd: zero, e: zero }, now: [zero; 2] };
            // It must stay in memory, and its steps in their gaps.
            core::hint::black_box(&mut slot);
            slot
        }
    }

    #[inline(always)]
    fn begin(slot: &mut Slot, trail: &Trail, place: usize, block: &[u8; BLOCK_SIZE], difference: &[u8; BLOCK_SIZE]) {
        intrinsics! {
            let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            let other = other_message(block, difference);
            let mut q = 0;
            while q < 4 {
                slot.w[q] = _mm_shuffle_epi8(other[q], order);
                q += 1;
            }
            let state_56 = _mm_loadu_si128(trail.state_56[place].as_ptr().cast());
            let state_60 = _mm_loadu_si128(trail.state_60[place].as_ptr().cast());
            slot.state = [state_56, state_60];
            slot.now = [state_60, state_56];
            slot.after = Self::at(trail, (place + 1) % TRAIL);
        }
    }

    #[inline(always)]
    fn step(slot: &mut Slot, k: usize) {
        intrinsics! {
            let [mut abcd, mut last] = slot.now;
            macro_rules! quads {
                ($($g:literal)*) => {{
                    $(
                        // Quad 0 finds e itself in the place of what it is made of.
                        let w = slot.w[$g];
                        let e = if $g == 0 { _mm_add_epi32(last, w) } else { _mm_sha1nexte_epu32(last, w) };
                        last = abcd;
                        abcd = _mm_sha1rnds4_epu32::<{ $g / 5 }>(abcd, e);
                    )*
                    slot.now = [abcd, last];
                }};
            }
            match k {
                0 => slot.expand::<4>(),
                1 => slot.expand::<8>(),
                2 => slot.expand::<12>(),
                3 => slot.expand::<16>(),
                4 => quads!(15 16),
                5 => {
                    quads!(17 18 19);
                    // On from the chaining value before the block that leads to
                    // the one after it.
                    let e = _mm_sha1nexte_epu32(last, _mm_setzero_si128());
                    slot.now = [_mm_sub_epi32(slot.after.abcd, abcd), _mm_sub_epi32(slot.after.e, e)];
                }
                6 => quads!(0 1 2),
                7 => quads!(3 4 5),
                8 => quads!(6 7 8),
                9 => quads!(9 10 11),
                _ => quads!(12 13 14),
            }
        }
    }

    #[inline(always)]
    fn end(slot: &Slot) -> bool {
        intrinsics! {
            let zero = _mm_setzero_si128();
            let ([state_56, state_60], [abcd, last]) = (slot.state, slot.now);
            let e = _mm_xor_si128(_mm_sha1nexte_epu32(last, zero), _mm_sha1nexte_epu32(state_56, zero));
            let differ = _mm_or_si128(_mm_xor_si128(abcd, state_60), e);
            _mm_test_all_zeros(differ, differ) != 0
        }
    }
}

/// A recompression that waits for others: what [`Chain::collides`] is told, the
/// message expanded.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Aside {
    w: [__m128i; 20],
    /// The states before steps 56 and 60.
    state: [__m128i; 2],
    /// The chaining value after the block.
    after: ShaNi,
}

impl Joins<U32x4> for ShaNi {
    #[inline(always)]
    unsafe fn join(low: U32x4, high: U32x4) -> U32x4 {
        intrinsics! {
            let first = _mm_set_epi32(JOIN[3], JOIN[2], JOIN[1], JOIN[0]);
            let second = _mm_set_epi32(JOIN[7], JOIN[6], JOIN[5], JOIN[4]);
            U32x4(_mm_or_si128(_mm_shuffle_epi8(low.0, first), _mm_shuffle_epi8(high.0, second)))
        }
    }
}

impl Joins<U32x8> for ShaNi<true> {
    #[inline(always)]
    unsafe fn join(low: U32x8, high: U32x8) -> U32x8 {
        Lanes::join(low, high)
    }
}

impl<const AVX: bool> Abreast for ShaNi<AVX> {
    type Aside = Aside;

    #[inline(always)]
    unsafe fn nothing() -> Aside {
        intrinsics! {
            let zero = _mm_setzero_si128();
            Aside { w: [zero; 20], state: [zero; 2], after: ShaNi { abcd: zero, e: zero } }
        }
    }

    #[inline(always)]
    fn aside(trail: &Trail, place: usize, block: &[u8; BLOCK_SIZE], difference: &[u8; BLOCK_SIZE]) -> Aside {
        intrinsics! {
            Aside {
                w: expanded(other_message(block, difference)),
                state: [
                    _mm_loadu_si128(trail.state_56[place].as_ptr().cast()),
                    _mm_loadu_si128(trail.state_60[place].as_ptr().cast()),
                ],
                after: ShaNi::at(trail, (place + 1) % TRAIL),
            }
        }
    }

    #[inline(always)]
    fn any(asides: &[Aside; WIDTH]) -> u32 {
        intrinsics! {
            let zero = _mm_setzero_si128();
            let mut abcd = [zero; WIDTH];
            let mut last = [zero; WIDTH];
            let mut k = 0;
            while k < WIDTH {
                [last[k], abcd[k]] = asides[k].state;
                k += 1;
            }
            macro_rules! quads {
                ($f:literal: $($g:literal)*) => { $(
                    let mut k = 0;
                    while k < WIDTH {
                        let w = asides[k].w[$g];
                        let e = if $g == 0 { _mm_add_epi32(last[k], w) } else { _mm_sha1nexte_epu32(last[k], w) };
                        last[k] = abcd[k];
                        abcd[k] = _mm_sha1rnds4_epu32::<$f>(abcd[k], e);
                        k += 1;
                    }
                )* };
            }
            quads!(3: 15 16 17 18 19);
            let mut k = 0;
            while k < WIDTH {
                let e = _mm_sha1nexte_epu32(last[k], zero);
                (abcd[k], last[k]) = (_mm_sub_epi32(asides[k].after.abcd, abcd[k]), _mm_sub_epi32(asides[k].after.e, e));
                k += 1;
            }
            quads!(0: 0 1 2 3 4);
            quads!(1: 5 6 7 8 9);
            quads!(2: 10 11 12 13 14);
            let mut all = 0;
            let mut k = 0;
            while k < WIDTH {
                let [state_56, state_60] = asides[k].state;
                let e = _mm_xor_si128(_mm_sha1nexte_epu32(last[k], zero), _mm_sha1nexte_epu32(state_56, zero));
                let differ = _mm_or_si128(_mm_xor_si128(abcd[k], state_60), e);
                all |= ((_mm_test_all_zeros(differ, differ) != 0) as u32) << k;
                k += 1;
            }
            all
        }
    }
}

/// The block's bytes in the other message.
#[inline(always)]
fn other_message(block: &[u8; BLOCK_SIZE], difference: &[u8; BLOCK_SIZE]) -> [__m128i; 4] {
    intrinsics! {
        let mut other = [_mm_setzero_si128(); 4];
        let mut q = 0;
        while q < 4 {
            let quad = _mm_loadu_si128(block.as_ptr().add(16 * q).cast());
            other[q] = _mm_xor_si128(quad, _mm_loadu_si128(difference.as_ptr().add(16 * q).cast()));
            q += 1;
        }
        other
    }
}

/// The expanded message of a block's bytes, in quads.
#[inline(always)]
fn expanded(block: [__m128i; 4]) -> [__m128i; 20] {
    intrinsics! {
        let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
        let mut w = [_mm_setzero_si128(); 20];
        let mut g = 0;
        while g < 4 {
            w[g] = _mm_shuffle_epi8(block[g], order);
            g += 1;
        }
        macro_rules! expand {
            ($($g:literal)*) => { $(
                let x = _mm_xor_si128(_mm_sha1msg1_epu32(w[$g - 4], w[$g - 3]), w[$g - 2]);
                w[$g] = _mm_sha1msg2_epu32(x, w[$g - 1]);
            )* };
        }
        expand!(4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        w
    }
}

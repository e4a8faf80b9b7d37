//! The hash chain on the SHA-1 instructions of ARMv8.

use core::arch::aarch64::*;

use crate::one::{Chain, FIRST_QUAD, QUADS, Window};
use crate::schedule::{BLOCK_SIZE, K};
use crate::trail::Trail;

/// The chaining value: a, b, c, d with a in lane 0, and e.
#[derive(Clone, Copy)]
pub(crate) struct ArmSha1 {
    abcd: uint32x4_t,
    e: u32,
}

macro_rules! intrinsics {
    ($($body:tt)*) => {
        // SAFETY: an `ArmSha1` exists only where `new` was promised the
        // instructions.
        #[allow(unused_unsafe)]
        unsafe { $($body)* }
    };
}

impl ArmSha1 {
    /// The block's sixteen words, in quads.
    #[inline(always)]
    fn words(block: &[u8; BLOCK_SIZE]) -> [uint32x4_t; 4] {
        intrinsics! {
            let mut w = [vdupq_n_u32(0); 4];
            let mut q = 0;
            while q < 4 {
                let bytes = vld1q_u8(block.as_ptr().add(16 * q));
                // Big-endian words: a load of bytes is in memory order.
                w[q] = vreinterpretq_u32_u8(if cfg!(target_endian = "big") { bytes } else { vrev32q_u8(bytes) });
                q += 1;
            }
            w
        }
    }

    /// [`Chain::block`], as a function that may use the instructions: these
    /// intrinsics are not inlined into any other.
    #[target_feature(enable = "neon,sha2")]
    #[inline]
    #[allow(unused_assignments)] // the last quads make words that no step uses
    #[allow(clippy::out_of_bounds_indexing)] // in branches that are not taken
    fn compress<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        mut leave: Option<(&mut Window<N>, usize, &mut Trail, usize)>,
        mut gap: impl FnMut(usize),
    ) {
        if let Some((_, _, trail, i)) = &mut leave {
            self.leave(trail, *i);
        }
        let mut w = Self::words(block);
        let before = *self;
        // SAFETY: all stores are into the window and the trail.
        unsafe {
            let (mut abcd, mut e) = (before.abcd, before.e);
            macro_rules! quads {
                ($rounds:ident, $k:literal: $($g:literal)*) => { $(
                    let word = w[$g % 4];
                    if let Some((window, b, trail, i)) = &mut leave {
                        if $g >= FIRST_QUAD && $g < FIRST_QUAD + QUADS {
                            vst1q_u32(window.words[$g - FIRST_QUAD][*b].as_mut_ptr().cast(), word);
                        }
                        if $g == 14 {
                            vst1q_u32(trail.state_56[*i].as_mut_ptr().cast(), abcd);
                        }
                        if $g == 15 {
                            vst1q_u32(trail.state_60[*i].as_mut_ptr().cast(), abcd);
                        }
                    }
                    let next = vsha1h_u32(vgetq_lane_u32::<0>(abcd));
                    abcd = $rounds(abcd, e, vaddq_u32(word, vdupq_n_u32(K[$k])));
                    e = next;
                    if $g < 16 {
                        let x = vsha1su0q_u32(w[$g % 4], w[($g + 1) % 4], w[($g + 2) % 4]);
                        w[$g % 4] = vsha1su1q_u32(x, w[($g + 3) % 4]);
                    }
                )* };
            }
            quads!(vsha1cq_u32, 0: 0 1 2 3);
            gap(0);
            quads!(vsha1cq_u32, 0: 4);
            quads!(vsha1pq_u32, 1: 5 6 7);
            gap(1);
            quads!(vsha1pq_u32, 1: 8 9);
            quads!(vsha1mq_u32, 2: 10 11);
            gap(2);
            quads!(vsha1mq_u32, 2: 12 13 14);
            quads!(vsha1pq_u32, 3: 15);
            gap(3);
            quads!(vsha1pq_u32, 3: 16 17 18 19);
            gap(4);
            self.abcd = vaddq_u32(abcd, before.abcd);
            self.e = e.wrapping_add(before.e);
        }
    }
}

impl Chain for ArmSha1 {
    const REVERSED: bool = false;

    /// The rounds are not apart from the words here.
    #[inline(always)]
    unsafe fn new(h: &[u32; 5]) -> Self {
        intrinsics! { Self { abcd: vld1q_u32(h.as_ptr()), e: h[4] } }
    }

    #[inline(always)]
    fn get(&self) -> [u32; 5] {
        let mut h = [0; 5];
        intrinsics! { vst1q_u32(h.as_mut_ptr(), self.abcd) }
        h[4] = self.e;
        h
    }

    #[inline(always)]
    fn block<const N: usize>(
        &mut self,
        block: &[u8; BLOCK_SIZE],
        leave: Option<(&mut Window<N>, usize, &mut Trail, usize)>,
        gap: impl FnMut(usize),
    ) {
        // SAFETY: an `ArmSha1` exists only where `new` was promised the
        // instructions.
        unsafe { self.compress(block, leave, gap) }
    }

    #[inline(always)]
    fn leave(&self, trail: &mut Trail, i: usize) {
        intrinsics! { vst1q_u32(trail.chain[i].as_mut_ptr().cast(), self.abcd) }
        trail.chain_e[i].write(self.e);
    }
}

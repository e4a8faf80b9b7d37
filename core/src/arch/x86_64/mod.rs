//! x86-64.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod bmi2;
pub(crate) mod features;
pub(crate) mod sha_ni;
pub(crate) mod sse2;

use crate::arch::soft::Soft;
use crate::arch::tier::{few, paired, soft, tier, wide};
use crate::detect::across::Rows;
use crate::steps::Plain;
use bmi2::Bmi2;
use sha_ni::ShaNi;

// One message with SHA-NI takes eight lanes even where there are sixteen: a
// 512-bit instruction holds its pipe for two cycles on Zen 4, and the chain
// waits for it. AVX-512's three-input logic on eight lanes takes the filter from
// 0.96 to 0.975 of the speed without detection.
//
// With AVX2 the filter takes 16 blocks at once, its part of a block in one lump after
// the block's rounds, because each gap ends with a `vzeroupper` (see `ShaNi`). With SSE
// eight blocks in five gaps each: one lump a block was 43.8 ns instead of 41.4 (Zen 3).
tier!(avx512_sha_ni, "avx512f,avx512vl,avx512bw,avx512dq,avx2,sha,sse4.1,ssse3", ShaNi, avx512::U32x8, 8,
    in slots: 0 1 2 3 4 5 6 7);
paired!(sse2_sha_ni, "sha,sse4.1,ssse3", "sha,sse4.1,ssse3", ShaNi, sse2::U32x4, 8,
    5: 0 => 0 1 => 1 2 => 2 3 => 3 4 => 4; [0 1 2 3 4 5 6 7]);
paired!(avx2_sha_ni, "sha,sse4.1,ssse3", "avx2,sha,sse4.1,ssse3", ShaNi<true>, avx2::U32x8, 16,
    1: 4 => 0; [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]);
soft!(avx512_soft, "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2", Bmi2, avx512::U32x8, 8, groups 2);
soft!(avx2_soft, "avx2,bmi1,bmi2", Bmi2, avx2::U32x8, 8, groups 2);
soft!(sse2_soft, "sse2", Plain, sse2::U32x4, 4, groups 4);

few!(avx512_sha_ni_few, "avx512f,avx512vl,avx512bw,avx512dq,avx2,sha,sse4.1,ssse3", ShaNi, avx512::Picks);
few!(avx2_sha_ni_few, "avx2,sha,sse4.1,ssse3", ShaNi<true>, avx2::Picks);
few!(sse2_sha_ni_few, "sha,sse4.1,ssse3", ShaNi, Rows<sse2::U32x4, 4>);
few!(avx512_soft_few, "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2", Soft, avx512::Picks);
few!(avx2_soft_few, "avx2,bmi1,bmi2", Soft, avx2::Picks);
few!(sse2_soft_few, "sse2", Soft, Rows<sse2::U32x4, 4>);

// Batches run in lanes even where SHA-1 instructions are: two chains of these side
// by side, with the filter of eight lanes in their gaps, took 27.0 ns a block, and
// eight AVX2 lanes 23.8 (Zen 4). Both fill the vector units; there are no gaps any
// more. On Zen 3 the sieve took AVX2 lanes 14 ns of 32, the planes take 7 of 25.
wide!(avx512_wide, "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,popcnt", avx512::U32x16, 16, packed);
wide!(avx2_wide, "avx2,bmi1,bmi2,popcnt", avx2::U32x8, 8, planar);
wide!(sse2_wide, "sse2", sse2::U32x4, 4, queued);

// What AVX-512 runs, in lanes that more CPUs have.
#[cfg(test)]
wide!(avx2_packed, "avx2,bmi1,bmi2,popcnt", avx2::U32x8, 8, packed);

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::backend::Backend;
    use crate::engine::Detection;
    use crate::wide::{Message, Results};

    /// Chaining values, and what was recompressed: message, vector and the other
    /// message's chaining values.
    type Told = (Vec<[u32; 5]>, Vec<(usize, usize, [u32; 5], [u32; 5])>);

    macro_rules! told {
        ($wide:ident, $messages:expr, $detection:expr) => {{
            let messages: &[Message<'_>] = $messages;
            let order: Vec<usize> = (0..messages.len()).collect();
            let mut told: Told = (alloc::vec![[0; 5]; messages.len()], Vec::new());
            let results = Results {
                done: &mut |i, h| told.0[i] = h,
                suspect: &mut |it| told.1.push((it.message, it.vector.index(), it.other.before, it.other.after)),
            };
            // SAFETY: the test has asked for AVX2.
            unsafe { $wide::hash(Backend::detect(), messages, &order, $detection, 3, results) };
            told.1.sort_unstable();
            told
        }};
    }

    #[test]
    fn packed_lanes_tell_what_planar_lanes_tell() {
        if !features::avx2() {
            eprintln!("skipped: this CPU has no AVX2");
            return;
        }
        let mut seed = 1_u64;
        let mut byte = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 56) as u8
        };
        let bodies: Vec<Vec<u8>> = (0..100).map(|i| (0..i * i % 5000).map(|_| byte()).collect()).collect();
        let messages: Vec<Message<'_>> = bodies.iter().map(|body| Message { head: b"", body }).collect();
        let digests: Vec<_> = bodies.iter().map(|body| crate::digest(body).unwrap()).collect();

        for detection in [Detection::Off, Detection::On { reduced_rounds: true, ubc: true }, Detection::Observe] {
            let packed = told!(avx2_packed, &messages, detection);
            let planar = told!(avx2_wide, &messages, detection);
            for told in [&packed, &planar] {
                let words: Vec<_> = told.0.iter().map(crate::Digest::from_words).collect();
                assert_eq!(words, digests);
            }
            // The sieve leaves conditions out, so it lets more pass.
            assert!(planar.1.iter().all(|it| packed.1.binary_search(it).is_ok()));
            assert!(planar.1.len() <= packed.1.len());
            let observed = detection == Detection::Observe;
            assert_eq!((!planar.1.is_empty(), !packed.1.is_empty()), (observed, observed));
        }
    }
}

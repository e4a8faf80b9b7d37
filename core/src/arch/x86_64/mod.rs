//! x86-64.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod features;
pub(crate) mod sha_ni;
pub(crate) mod sse2;

use crate::arch::soft::Soft;
use crate::arch::tier::{soft, tier, wide};
use sha_ni::ShaNi;

// One message with SHA-NI takes AVX2's lanes even where there is AVX-512. A
// 512-bit instruction holds its pipe for two cycles on Zen 4, and the chain
// waits for it: 33.2 ns a block before recompression instead of 32.8, which is
// what the chain needs alone. Eight lanes of AVX-512 do as well there, but
// their longer code costs 1 % with recompression.
tier!(avx2_sha_ni, "avx2,sha,sse4.1,ssse3", ShaNi, avx2::U32x8, 8,
    across avx2::U32x8, 8, queue avx2::U32x8, 8: 0 1 2 3 4 5 6 7);
tier!(sse2_sha_ni, "sha,sse4.1,ssse3", ShaNi, sse2::U32x4, 4,
    across sse2::U32x4, 4, queue sse2::U32x4, 4: 0 1 2 3);

soft!(avx512_soft, "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2", avx512::U32x8, 8, groups 2,
    across avx512::U32x16, 16);
soft!(avx2_soft, "avx2,bmi1,bmi2", avx2::U32x8, 8, groups 2, across avx2::U32x8, 8);
soft!(sse2_soft, "sse2", sse2::U32x4, 4, groups 4, across sse2::U32x4, 4);

wide!(avx512_wide, "avx512f,avx512vl,avx512bw,avx512dq,avx2", avx512::U32x16, 16);
wide!(avx2_wide, "avx2", avx2::U32x8, 8);
wide!(sse2_wide, "sse2", sse2::U32x4, 4);

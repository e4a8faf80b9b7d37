#![allow(missing_docs)]
use super::sha_ni::ShaNi;
use super::{avx2, avx512};
use crate::engine::{Detection, Hit};
use crate::one::*;

const ON: Detection = Detection::On { reduced_rounds: false, ubc: true };
#[target_feature(enable = "sha,sse4.1,ssse3")]
pub unsafe fn plain_ni(h: &mut [u32; 5], blocks: &[[u8; 64]]) {
    unsafe { plain::<ShaNi>(h, blocks) }
}
#[target_feature(enable = "sha,sse4.1,ssse3,avx512f,avx512vl,avx512bw,avx512dq")]
pub unsafe fn g_512(h: &mut [u32; 5], blocks: &[[u8; 64]]) -> u32 {
    let mut n = 0;
    unsafe { scan::<ShaNi, avx512::U32x16, avx512::U32x16, 16, 16>(h, blocks, ON, &mut |_: Hit| n += 1, grouped!(ShaNi, avx512::U32x16, 16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15), p_512) };
    n
}
#[target_feature(enable = "sha,sse4.1,ssse3,avx512f,avx512vl,avx512bw,avx512dq")]
pub unsafe fn g_256(h: &mut [u32; 5], blocks: &[[u8; 64]]) -> u32 {
    let mut n = 0;
    unsafe { scan::<ShaNi, avx512::U32x8, avx512::U32x16, 8, 16>(h, blocks, ON, &mut |_: Hit| n += 1, grouped!(ShaNi, avx512::U32x8, 8: 0 1 2 3 4 5 6 7), p_512) };
    n
}
#[target_feature(enable = "sha,sse4.1,ssse3,avx2")]
pub unsafe fn g_avx2(h: &mut [u32; 5], blocks: &[[u8; 64]]) -> u32 {
    let mut n = 0;
    unsafe { scan::<ShaNi, avx2::U32x8, avx2::U32x8, 8, 8>(h, blocks, ON, &mut |_: Hit| n += 1, grouped!(ShaNi, avx2::U32x8, 8: 0 1 2 3 4 5 6 7), p_avx2) };
    n
}
#[target_feature(enable = "sha,sse4.1,ssse3,avx512f,avx512vl,avx512bw,avx512dq")]
pub unsafe fn f_256(n: usize) -> u32 {
    use crate::lanes::Lanes;
    let mut s = unsafe { crate::detect::filter::Scratch::<avx512::U32x8>::new() };
    let mut t = 0;
    for _ in 0..n { core::hint::black_box(&mut s.w); s.begin(); s.run(); t += s.mask().zeros().count_ones(); }
    t
}
#[target_feature(enable = "avx2")]
pub unsafe fn f_avx2(n: usize) -> u32 {
    use crate::lanes::Lanes;
    let mut s = unsafe { crate::detect::filter::Scratch::<avx2::U32x8>::new() };
    let mut t = 0;
    for _ in 0..n { core::hint::black_box(&mut s.w); s.begin(); s.run(); t += s.mask().zeros().count_ones(); }
    t
}

use crate::detect::queue::{Job,Queue};
#[target_feature(enable = "sha,sse4.1,ssse3,avx512f,avx512vl,avx512bw,avx512dq")]
unsafe fn p_512(j: &mut Job<avx512::U32x16, 16>, q: &Queue<16>, n: usize) { j.piece::<ShaNi>(q, n) }
#[target_feature(enable = "avx2")]
unsafe fn p_avx2(j: &mut Job<avx2::U32x8, 8>, q: &Queue<8>, n: usize) { j.piece::<ShaNi>(q, n) }

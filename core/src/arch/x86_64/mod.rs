//! x86-64: which lanes and which chain go together, as functions that may use
//! the instructions.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod features;
pub(crate) mod sha_ni;
pub(crate) mod sse2;

use crate::arch::soft::Soft;
use crate::detect::queue::{Job, Queue};
use crate::engine::{Detection, Hit};
use crate::one::{self, grouped};
use crate::schedule::BLOCK_SIZE;
use sha_ni::ShaNi;

/// Writes a tier: a chain, the lanes of the filter, those of recompression.
macro_rules! tier {
    ($name:ident, $features:literal, $chain:ty, $lanes:ty, $count:literal, across $across:ty, $wide:literal,
     queue $queue_lanes:ty, $queue:literal: $($b:literal)*) => {
        pub(crate) mod $name {
            use super::*;

            /// # Safety
            ///
            /// The CPU has the tier's features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn plain(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]]) {
                // SAFETY: the caller's promise.
                unsafe { one::plain::<$chain>(h, blocks) }
            }

            /// # Safety
            ///
            /// The CPU has the tier's features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn scan_few(
                h: &mut [u32; 5],
                blocks: &[[u8; BLOCK_SIZE]],
                detection: Detection,
                hits: &mut dyn FnMut(Hit),
            ) {
                // SAFETY: the caller's promise.
                unsafe { one::scan_few::<$chain, $across, $wide>(h, blocks, detection, hits) }
            }

            /// # Safety
            ///
            /// The CPU has the tier's features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn scan(
                h: &mut [u32; 5],
                blocks: &[[u8; BLOCK_SIZE]],
                detection: Detection,
                hits: &mut dyn FnMut(Hit),
            ) {
                // SAFETY: the caller's promise.
                unsafe {
                    one::scan::<$chain, $lanes, $queue_lanes, $count, $queue>(
                        h, blocks, detection, hits, grouped!($chain, $lanes, $count: $($b)*), piece,
                    )
                }
            }

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$queue_lanes, $queue>, queue: &Queue<$queue>, n: usize) {
                job.piece::<$chain>(queue, n);
            }
        }
    };
}

// One message with SHA-NI takes AVX2's lanes even where there is AVX-512. A
// 512-bit instruction holds its pipe for two cycles on Zen 4, and the chain
// waits for it: 33.2 ns a block before recompression instead of 32.8, which is
// what the chain needs alone. Eight lanes of AVX-512 do as well there, but
// their longer code costs 1 % with recompression.
tier!(avx2_sha_ni, "avx2,sha,sse4.1,ssse3", ShaNi, avx2::U32x8, 8,
    across avx2::U32x8, 8, queue avx2::U32x8, 8: 0 1 2 3 4 5 6 7);
tier!(sse2_sha_ni, "sha,sse4.1,ssse3", ShaNi, sse2::U32x4, 4,
    across sse2::U32x4, 4, queue sse2::U32x4, 4: 0 1 2 3);
tier!(avx512_soft, "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2", Soft, avx512::U32x8, 8,
    across avx512::U32x16, 16, queue avx512::U32x16, 16: 0 1 2 3 4 5 6 7);
tier!(avx2_soft, "avx2,bmi1,bmi2", Soft, avx2::U32x8, 8,
    across avx2::U32x8, 8, queue avx2::U32x8, 8: 0 1 2 3 4 5 6 7);
tier!(sse2_soft, "sse2", Soft, sse2::U32x4, 4,
    across sse2::U32x4, 4, queue sse2::U32x4, 4: 0 1 2 3);

/// Writes lanes of messages: see [`crate::wide`].
macro_rules! wide {
    ($name:ident, $features:literal, $lanes:ty, $count:literal) => {
        pub(crate) mod $name {
            use super::*;
            use crate::backend::Backend;
            use crate::wide::{self, InOrder, Message, Results};

            /// # Safety
            ///
            /// The CPU has the features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn hash(
                backend: Backend,
                messages: &[Message<'_>],
                order: &[usize],
                detection: Detection,
                worth: usize,
                results: Results<'_>,
            ) {
                // SAFETY: the caller's promise.
                unsafe { wide::hash::<$lanes, $count>(backend, messages, order, detection, worth, results, piece) }
            }

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$lanes, $count>, queue: &Queue<$count>, n: usize) {
                job.piece::<InOrder>(queue, n);
            }
        }
    };
}

wide!(avx512_wide, "avx512f,avx512vl,avx512bw,avx512dq,avx2", avx512::U32x16, 16);
wide!(avx2_wide, "avx2", avx2::U32x8, 8);
wide!(sse2_wide, "sse2", sse2::U32x4, 4);

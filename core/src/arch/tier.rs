//! Which lanes and which chain go together, written out as functions that may
//! use the instructions. An architecture's `mod.rs` lists its own.

/// Writes a tier: a chain, the lanes of the filter, those of recompression.
macro_rules! tier {
    ($name:ident, $features:literal, $chain:ty, $lanes:ty, $count:literal, across $across:ty, $wide:literal,
     queue $queue_lanes:ty, $queue:literal: $($b:literal)*) => {
        pub(crate) mod $name {
            use super::*;
            use crate::detect::queue::{Job, Queue};
            use crate::engine::{Detection, Hit};
            use crate::one::{self, grouped};
            use crate::schedule::BLOCK_SIZE;

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
pub(crate) use tier;

/// Writes a tier without SHA-1 instructions: see [`crate::ahead`].
macro_rules! soft {
    ($name:ident, $features:literal, $lanes:ty, $count:literal, groups $groups:literal, across $across:ty, $wide:literal) => {
        pub(crate) mod $name {
            use super::*;
            use crate::ahead;
            use crate::detect::queue::{Job, Queue};
            use crate::engine::{Detection, Hit};
            use crate::one;
            use crate::schedule::BLOCK_SIZE;

            /// # Safety
            ///
            /// The CPU has the tier's features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn plain(h: &mut [u32; 5], blocks: &[[u8; BLOCK_SIZE]]) {
                // SAFETY: the caller's promise.
                unsafe {
                    if blocks.len() < $groups * $count {
                        one::plain::<Soft>(h, blocks);
                    } else {
                        scan(h, blocks, Detection::Off, &mut |_| {});
                    }
                }
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
                unsafe { one::scan_few::<Soft, $across, $wide>(h, blocks, detection, hits) }
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
                unsafe { ahead::scan::<$lanes, $count, $groups>(h, blocks, detection, hits, piece) }
            }

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$lanes, $count>, queue: &Queue<$count>, n: usize) {
                job.piece::<Soft>(queue, n);
            }
        }
    };
}
pub(crate) use soft;

/// Writes lanes of messages: see [`crate::wide`].
macro_rules! wide {
    ($name:ident, $features:literal, $lanes:ty, $count:literal) => {
        #[cfg(feature = "alloc")]
        pub(crate) mod $name {
            use super::*;
            use crate::backend::Backend;
            use crate::detect::queue::{Job, Queue};
            use crate::engine::Detection;
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
                unsafe {
                    wide::hash::<$lanes, $count>(
                        backend,
                        messages,
                        order,
                        detection,
                        worth,
                        results,
                        #[inline(always)]
                        |at, h, steps, detect, recompressor| {
                            wide::steps::<$lanes, $count>(at, h, steps, detect, recompressor)
                        },
                        piece,
                    )
                }
            }

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$lanes, $count>, queue: &Queue<$count>, n: usize) {
                job.piece::<InOrder>(queue, n);
            }
        }
    };
}
pub(crate) use wide;

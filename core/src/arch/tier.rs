//! Which lanes and which chain go together, written out as functions that may
//! use the instructions. An architecture's `mod.rs` lists its own.

/// Writes a chain's `collides` as a function of its own.
macro_rules! collides {
    ($features:literal, $chain:ty) => {
        #[target_feature(enable = $features)]
        unsafe fn collides(
            after: &$chain,
            before: Option<&$chain>,
            states: &[[u32; 4]; 2],
            block: &[u8; $crate::schedule::BLOCK_SIZE],
            difference: &[u8; $crate::schedule::BLOCK_SIZE],
        ) -> bool {
            $crate::one::Chain::collides(after, before, states, block, difference)
        }
    };
}
pub(crate) use collides;

/// Writes a tier: a chain, the lanes of the filter, and how candidates are
/// recompressed: in steps on the chain's instructions, or in lanes of their
/// own. For few blocks see [`few`].
macro_rules! tier {
    ($name:ident, $features:literal, $chain:ty, $lanes:ty, $count:literal, in slots: $($b:literal)*) => {
        tier!(@ $name, $features, $chain, $lanes, $count, ($($b)*), |blocks, detection, hits| {
            InSlots::<$chain, $count>::new(blocks, detection, hits, collides)
        }, {
            crate::arch::tier::collides!($features, $chain);
        });
    };
    ($name:ident, $features:literal, $chain:ty, $lanes:ty, $count:literal, in lanes $wide:ty, $n:literal: $($b:literal)*) => {
        tier!(@ $name, $features, $chain, $lanes, $count, ($($b)*), |blocks, detection, hits| {
            InLanes::new(Recompressor::<$wide, $n>::new(piece), blocks, detection, hits)
        }, {
            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$wide, $n>, queue: &Queue<$n>, n: usize) {
                job.piece::<$chain>(queue, n);
            }
        });
    };
    (@ $name:ident, $features:literal, $chain:ty, $lanes:ty, $count:literal, ($($b:literal)*),
     |$blocks:ident, $detection:ident, $hits:ident| $prover:block, { $($apart:item)* }) => {
        pub(crate) mod $name {
            #[allow(unused_imports)] // the one way needs this, the other that
            use crate::{
                detect::queue::{Job, Queue, Recompressor},
                one::Chain,
                trail::{InLanes, InSlots},
            };
            use super::*;
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
            pub(crate) unsafe fn scan(
                h: &mut [u32; 5],
                $blocks: &[[u8; BLOCK_SIZE]],
                $detection: Detection,
                $hits: &mut dyn FnMut(Hit),
            ) {
                // SAFETY: the caller's promise.
                unsafe {
                    let prover = $prover;
                    one::scan::<$chain, $lanes, _, $count>(
                        h, $blocks, prover, grouped!($chain, $lanes, $count: $($b)*),
                    )
                }
            }

            $($apart)*
        }
    };
}
pub(crate) use tier;

/// Writes a tier whose filter takes two groups of blocks at once: see
/// [`crate::paired`]. `$features` are the chain's, `$all` those of the filter too.
#[cfg(target_arch = "x86_64")]
macro_rules! paired {
    ($name:ident, $features:literal, $all:literal, $chain:ty, $lanes:ty, $count:literal, $($gaps:tt)*) => {
        pub(crate) mod $name {
            use super::*;
            use crate::engine::{Detection, Hit};
            use crate::one::{self, Chain, Window};
            use crate::paired::{self, Abreast, Apart, Paired, WIDTH};
            use crate::schedule::BLOCK_SIZE;
            use crate::trail::Trail;

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
            pub(crate) unsafe fn scan(
                h: &mut [u32; 5],
                blocks: &[[u8; BLOCK_SIZE]],
                detection: Detection,
                hits: &mut dyn FnMut(Hit),
            ) {
                // The compiler must not know it: it would put it in.
                let group = core::hint::black_box(group as paired::Group<$chain, $lanes, $count>);
                // SAFETY: the caller's promise.
                unsafe { paired::scan(h, blocks, detection, hits, Apart { group, rest, any, collides }) }
            }

            #[target_feature(enable = $all)]
            unsafe fn group(
                chain: &mut $chain,
                blocks: &[[u8; BLOCK_SIZE]],
                now: &mut Window<$count>,
                trail: &mut Trail,
                at: usize,
                filter: &mut Paired<$lanes>,
                last: Option<&Window<$count>>,
            ) {
                paired::group!($chain, $count, chain, blocks, now, trail, at, filter, last, $($gaps)*);
            }

            #[target_feature(enable = $all)]
            unsafe fn rest(filter: &mut Paired<$lanes>, last: &Window<$count>, from: usize) {
                paired::rest!($chain, $count, filter, last, from, $($gaps)*);
            }

            #[target_feature(enable = $features)]
            unsafe fn any(asides: &[<$chain as Abreast>::Aside; WIDTH]) -> u32 {
                <$chain>::any(asides)
            }

            crate::arch::tier::collides!($features, $chain);
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use paired;

/// Writes what checks few blocks: a chain, and how the conditions of one block
/// are tested.
macro_rules! few {
    ($name:ident, $features:literal, $chain:ty, $across:ty) => {
        pub(crate) mod $name {
            use super::*;
            use crate::digest::Digest;
            use crate::engine::{Detection, Hit};
            use crate::one;
            use crate::schedule::BLOCK_SIZE;

            /// # Safety
            ///
            /// The CPU has the features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn scan(
                h: &mut [u32; 5],
                blocks: &[[u8; BLOCK_SIZE]],
                detection: Detection,
                hits: &mut dyn FnMut(Hit),
            ) {
                // SAFETY: the caller's promise.
                unsafe { one::scan_few::<$chain, $across>(h, blocks, detection, hits, collides) }
            }

            /// # Safety
            ///
            /// The CPU has the features.
            #[target_feature(enable = $features)]
            pub(crate) unsafe fn digest(data: &[u8], detection: Detection) -> Option<Digest> {
                // SAFETY: the caller's promise.
                unsafe { one::digest_few::<$chain, $across>(data, detection, collides) }
            }

            crate::arch::tier::collides!($features, $chain);
        }
    };
}
pub(crate) use few;

/// Writes a tier without SHA-1 instructions: see [`crate::ahead`].
macro_rules! soft {
    ($name:ident, $features:literal, $steps:ty, $lanes:ty, $count:literal, groups $groups:literal) => {
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
            pub(crate) unsafe fn scan(
                h: &mut [u32; 5],
                blocks: &[[u8; BLOCK_SIZE]],
                detection: Detection,
                hits: &mut dyn FnMut(Hit),
            ) {
                // SAFETY: the caller's promise.
                unsafe { ahead::scan::<$steps, $lanes, $count, $groups>(h, blocks, detection, hits, piece) }
            }

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$lanes, $count>, queue: &Queue<$count>, n: usize) {
                job.piece::<Soft>(queue, n);
            }
        }
    };
}
pub(crate) use soft;

/// Writes lanes of messages: see [`crate::wide`]. What passes the sieve is put
/// off in a queue, or packed; or all conditions are tested on bit planes.
macro_rules! wide {
    ($name:ident, $features:literal, $lanes:ty, $count:literal, queued) => {
        wide!(@ $name, $features, $count, Queued::<$lanes, _, $count>::new(Sieved, piece), {
            use crate::detect::queue::{Job, Queue};
            use crate::wide::{InOrder, Queued, Sieved};

            #[target_feature(enable = $features)]
            unsafe fn piece(job: &mut Job<$lanes, $count>, queue: &Queue<$count>, n: usize) {
                job.piece::<InOrder>(queue, n);
            }
        });
    };
    ($name:ident, $features:literal, $lanes:ty, $count:literal, packed) => {
        wide!(@apart $name, $features, $lanes, $count, Waiting<$count>, Waiting::new(),
            |waiting, at, h, count, detection, suspect| waiting.run::<$lanes>(at, h, count, detection, suspect, prove),
            |waiting, detection, suspect| prove(waiting, 1, detection, suspect),
            {});
    };
    ($name:ident, $features:literal, $lanes:ty, $count:literal, planar) => {
        wide!(@apart $name, $features, $lanes, $count, Observed<$lanes, $count>, Observed::new(),
            |observed, at, h, count, detection, suspect| {
                observed.run(at, h, count, |observed| look(observed, detection, suspect))
            },
            |observed, detection, suspect| {
                look(observed, detection, suspect);
                prove(&mut observed.waiting, 1, detection, suspect);
            },
            {
                use crate::planar::Observed;

                #[inline(never)]
                #[target_feature(enable = $features)]
                unsafe fn look(
                    observed: &mut Observed<$lanes, $count>,
                    detection: Detection,
                    suspect: &mut dyn FnMut(Suspect),
                ) {
                    // SAFETY: the caller's promise.
                    unsafe { observed.look(detection, suspect, prove) }
                }
            });
    };
    (@apart $name:ident, $features:literal, $lanes:ty, $count:literal, $state:ty, $new:expr,
     |$run:ident, $at:ident, $h:ident, $n:ident, $detection:ident, $suspect:ident| $steps:expr,
     |$settle:ident, $settled:ident, $told:ident| $rest:expr, { $($apart:item)* }) => {
        wide!(@ $name, $features, $count, Apart($new), {
            use crate::packed::Waiting;
            use crate::wide::{At, Suspect, Way};

            struct Apart($state);

            impl Way<$count> for Apart {
                const COPIES: bool = false;

                #[inline(always)]
                unsafe fn run(
                    &mut self,
                    at: &mut At<$count>,
                    h: &mut [[u32; $count]; 5],
                    count: usize,
                    detection: Detection,
                    suspect: &mut dyn FnMut(Suspect),
                ) {
                    // SAFETY: the caller's promise.
                    unsafe {
                        match detection {
                            Detection::Off => plain(at, h, count),
                            _ => run(&mut self.0, at, h, count, detection, suspect),
                        }
                    }
                }

                #[inline(always)]
                fn settle(&mut self, $settled: Detection, $told: &mut dyn FnMut(Suspect)) {
                    let $settle = &mut self.0;
                    // SAFETY: whoever runs steps has the features; the blocks are there.
                    unsafe { $rest };
                }
            }

            // Functions of their own: each is as much as fits the registers, and
            // together the compiler kept half of it in memory. It drops
            // `inline(never)` where there are target features; a function
            // without them that calls one with them keeps the two apart.

            #[inline(never)]
            unsafe fn plain(at: &mut At<$count>, h: &mut [[u32; $count]; 5], count: usize) {
                #[target_feature(enable = $features)]
                unsafe fn plain(at: &mut At<$count>, h: &mut [[u32; $count]; 5], count: usize) {
                    // SAFETY: the caller's promise.
                    unsafe { wide::plain::<$lanes, $count>(at, h, count) }
                }
                // SAFETY: the caller's promise.
                unsafe { plain(at, h, count) }
            }

            #[inline(never)]
            unsafe fn run(
                state: &mut $state,
                at: &mut At<$count>,
                h: &mut [[u32; $count]; 5],
                count: usize,
                detection: Detection,
                suspect: &mut dyn FnMut(Suspect),
            ) {
                #[target_feature(enable = $features)]
                unsafe fn run(
                    $run: &mut $state,
                    $at: &mut At<$count>,
                    $h: &mut [[u32; $count]; 5],
                    $n: usize,
                    $detection: Detection,
                    $suspect: &mut dyn FnMut(Suspect),
                ) {
                    // SAFETY: the caller's promise.
                    unsafe { $steps }
                }
                // SAFETY: the caller's promise.
                unsafe { run(state, at, h, count, detection, suspect) }
            }

            #[cold]
            #[inline(never)]
            #[target_feature(enable = $features)]
            unsafe fn prove(
                waiting: &mut Waiting<$count>,
                few: usize,
                detection: Detection,
                suspect: &mut dyn FnMut(Suspect),
            ) {
                // SAFETY: the caller's promise.
                unsafe { waiting.prove::<$lanes>(few, detection, suspect) }
            }

            $($apart)*
        });
    };
    (@ $name:ident, $features:literal, $count:literal, $way:expr, { $($apart:item)* }) => {
        #[cfg(feature = "alloc")]
        pub(crate) mod $name {
            use super::*;
            use crate::backend::Backend;
            use crate::engine::Detection;
            use crate::wide::{self, Message, Results};

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
                unsafe { wide::hash::<_, $count>(backend, messages, order, detection, worth, results, $way) }
            }

            $($apart)*
        }
    };
}
pub(crate) use wide;

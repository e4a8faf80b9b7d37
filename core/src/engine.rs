//! One message: buffering, padding, and what happens when a block is hit.
//!
//! The public hashers are thin faces of [`Engine`]; how blocks are compressed
//! and checked is the backend's.

use core::mem::MaybeUninit;

use crate::backend::Backend;
use crate::detect::recompress::{Other, Verdict};
use crate::detect::vectors::DisturbanceVector;
use crate::digest::Digest;
use crate::naive;
use crate::schedule::{BLOCK_SIZE, INITIAL_H};

/// Whether and how blocks are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detection {
    /// Plain SHA-1.
    Off,
    /// Check every block.
    On {
        /// Also report what only collides in SHA-1 with fewer steps.
        reduced_rounds: bool,
        /// Recompress only what passes the conditions.
        ubc: bool,
    },
    /// For tests: report every recompression, whatever came out.
    Observe,
}

impl Detection {
    /// Whether a block counts that only shares the chaining value before it.
    #[inline(always)]
    pub(crate) fn reduced_rounds(self) -> bool {
        !matches!(self, Self::Off | Self::On { reduced_rounds: false, .. })
    }

    /// Whether a recompression with this result is reported.
    #[inline(always)]
    pub(crate) fn reports(self, verdict: Verdict) -> bool {
        match self {
            Self::Off => false,
            Self::On { reduced_rounds, .. } => {
                verdict == Verdict::Collision || (verdict == Verdict::ReducedRound && reduced_rounds)
            }
            Self::Observe => true,
        }
    }
}

/// An attacked block, as a backend reports it.
pub(crate) struct Hit {
    /// Its place in the blocks of this call.
    pub index: usize,
    pub vector: DisturbanceVector,
    /// Found only because of `reduced_rounds`.
    pub reduced_round: bool,
    /// Chaining value after it.
    pub after: [u32; 5],
    /// The other message's chaining value before and after the block, as
    /// recompression made it.
    pub other: Other,
}

/// An attacked block, as the hashers report it.
pub(crate) struct Found<'a> {
    /// Where it starts in the padded message, in bytes.
    pub offset: u64,
    pub vector: DisturbanceVector,
    pub reduced_round: bool,
    pub block: &'a [u8; BLOCK_SIZE],
}

/// The state of one message.
#[derive(Clone)]
pub(crate) struct Engine {
    /// Chaining value of the standard digest.
    pub h: [u32; 5],
    /// Chaining value of the safe digest, from the first hit on.
    pub safe: Option<[u32; 5]>,
    /// Bytes fed so far.
    pub len: u64,
    /// The last `len % 64` bytes, of a block that is not complete yet.
    pub buffer: [u8; BLOCK_SIZE],
    pub backend: Backend,
    pub detection: Detection,
    pub detected: bool,
}

impl Engine {
    pub(crate) fn new(backend: Backend, detection: Detection) -> Self {
        Self { h: INITIAL_H, safe: None, len: 0, buffer: [0; BLOCK_SIZE], backend, detection, detected: false }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.backend, self.detection);
    }

    /// Bytes in the buffer. Right even where `len` wraps: 64 divides 2^64.
    pub(crate) fn buffered(&self) -> usize {
        (self.len % BLOCK_SIZE as u64) as usize
    }

    pub(crate) fn update(&mut self, mut data: &[u8], found: &mut dyn FnMut(Found<'_>)) {
        let buffered = self.buffered();
        if buffered > 0 {
            let take = data.len().min(BLOCK_SIZE - buffered);
            let (head, rest) = data.split_at(take);
            self.buffer[buffered..buffered + take].copy_from_slice(head);
            data = rest;
            if buffered + take < BLOCK_SIZE {
                self.len = self.len.wrapping_add(take as u64);
                return;
            }
            let block = self.buffer;
            let start = self.len.wrapping_sub(buffered as u64);
            self.blocks(start, &[block], found);
            self.len = self.len.wrapping_add(take as u64);
        }
        let (blocks, rest) = data.as_chunks::<BLOCK_SIZE>();
        if !blocks.is_empty() {
            self.blocks(self.len, blocks, found);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.len = self.len.wrapping_add(data.len() as u64);
    }

    /// Hashes `data` as the whole message, which must be all there is; returns
    /// as [`finish`](Self::finish). Nothing goes through the buffer.
    pub(crate) fn whole(&mut self, data: &[u8], found: &mut dyn FnMut(Found<'_>)) -> (Digest, Digest) {
        let (blocks, rest) = data.as_chunks::<BLOCK_SIZE>();
        if !blocks.is_empty() {
            self.blocks(0, blocks, found);
        }
        self.len = data.len() as u64;
        self.finish_with(rest, found)
    }

    /// Pads and compresses the last one or two blocks; returns the standard
    /// and the safe digest. The engine is spent: drop or [`reset`](Self::reset) it.
    pub(crate) fn finish(&mut self, found: &mut dyn FnMut(Found<'_>)) -> (Digest, Digest) {
        let (buffer, buffered) = (self.buffer, self.buffered());
        self.finish_with(&buffer[..buffered], found)
    }

    /// Likewise, with the last incomplete block.
    #[inline]
    fn finish_with(&mut self, rest: &[u8], found: &mut dyn FnMut(Found<'_>)) -> (Digest, Digest) {
        let mut tail = MaybeUninit::uninit();
        let tail = self.backend.pad(rest, self.len, &mut tail);
        self.blocks(self.len.wrapping_sub(rest.len() as u64), tail, found);
        (Digest::from_words(&self.h), Digest::from_words(self.safe.as_ref().unwrap_or(&self.h)))
    }

    /// Compresses whole blocks; `start` is the offset of the first.
    #[inline]
    fn blocks(&mut self, start: u64, blocks: &[[u8; BLOCK_SIZE]], found: &mut dyn FnMut(Found<'_>)) {
        let mut first: Option<(usize, [u32; 5])> = None;
        self.backend.scan(&mut self.h, blocks, self.detection, &mut |hit| {
            // A backend may put recompression off, so hits come in any order.
            if first.is_none_or(|(index, _)| hit.index < index) {
                first = Some((hit.index, hit.after));
            }
            found(Found {
                offset: start.wrapping_add((hit.index * BLOCK_SIZE) as u64),
                vector: hit.vector,
                reduced_round: hit.reduced_round,
                block: &blocks[hit.index],
            });
        });
        if self.safe.is_some() || first.is_some() {
            self.attacked(blocks, first);
        }
    }

    /// Carries the safe chain on: an attacked block is compressed two more
    /// times (the reference's `safe_hash`), which gives the two halves of a
    /// collision different digests. Only an attacked message comes here.
    #[cold]
    fn attacked(&mut self, blocks: &[[u8; BLOCK_SIZE]], first: Option<(usize, [u32; 5])>) {
        self.detected = true;
        let (mut h, rest) = match (self.safe, first) {
            (Some(h), _) => (h, blocks),
            (None, Some((index, mut after))) => {
                naive::compress_twice(&mut after, &blocks[index]);
                (after, &blocks[index + 1..])
            }
            (None, None) => return,
        };
        // One by one: whether a block is attacked decides what the next begins with.
        for block in rest {
            let mut attacked = false;
            self.backend.scan(&mut h, core::slice::from_ref(block), self.detection, &mut |_| attacked = true);
            if attacked {
                naive::compress_twice(&mut h, block);
            }
        }
        self.safe = Some(h);
    }
}

//! Memory that another thread may write while it is hashed.
//!
//! The digest and the verdict must be of the same bytes, and the core may read its input more than once. So shared
//! memory is copied, a piece at a time, and the core sees only the copy.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use sha1dc_core::Sha1;

/// Small enough to stay in the first-level cache, a multiple of the block size.
const PIECE: usize = 16 * 1024;

/// Feeds `memory` to the hasher, reading each byte of it once.
///
/// # Safety
///
/// `memory` is valid for reads as long as this runs. It may be written meanwhile.
pub(crate) unsafe fn update(hasher: &mut Sha1, memory: *const [u8]) {
    let mut piece = [0; PIECE];
    let start = memory.cast::<u8>();
    let mut at = 0;
    while at < memory.len() {
        let length = PIECE.min(memory.len() - at);
        // SAFETY: `at..at + length` lies within `memory`.
        unsafe { copy(start.add(at), &mut piece[..length]) };
        hasher.update(&piece[..length]);
        at += length;
    }
}

/// Copies by relaxed atomic loads: the other thread's writes then are no data race, whatever they are.
///
/// # Safety
///
/// `from` is valid for reads of `to.len()` bytes.
unsafe fn copy(mut from: *const u8, mut to: &mut [u8]) {
    // SAFETY: all loads are within what the caller vouches for; the words are aligned because the bytes before the first
    // aligned address are copied one by one. Atomics and plain integers have the same layout.
    unsafe {
        let lead = from.align_offset(size_of::<u64>()).min(to.len());
        let (head, rest) = to.split_at_mut(lead);
        for byte in head {
            *byte = (*from.cast::<AtomicU8>()).load(Ordering::Relaxed);
            from = from.add(1);
        }
        to = rest;
        let mut words = to.chunks_exact_mut(size_of::<u64>());
        for word in &mut words {
            word.copy_from_slice(&(*from.cast::<AtomicU64>()).load(Ordering::Relaxed).to_ne_bytes());
            from = from.add(size_of::<u64>());
        }
        for byte in words.into_remainder() {
            *byte = (*from.cast::<AtomicU8>()).load(Ordering::Relaxed);
            from = from.add(1);
        }
    }
}

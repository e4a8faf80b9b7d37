//! The crate sha1dc 0.1.5 behind the thinnest of interfaces: a place for the message, and a digest in place of it.

use std::cell::UnsafeCell;

const LARGEST: usize = 16 << 20;

#[repr(transparent)]
struct Buffer(UnsafeCell<[u8; LARGEST]>);

// SAFETY: the module has one thread.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new([0; LARGEST]));

/// Where the message goes, and the digest comes.
#[unsafe(no_mangle)]
pub extern "C" fn buffer() -> *mut u8 {
    BUFFER.0.get().cast()
}

/// Hashes the first `len` bytes of the buffer; the digest is in its first 20 bytes. Gives 1 for a collision attack.
#[unsafe(no_mangle)]
pub extern "C" fn digest(len: usize) -> u32 {
    // SAFETY: nothing else refers to the buffer while this runs.
    let buffer = unsafe { &mut *BUFFER.0.get() };
    match sha1dc::digest(&buffer[..len]) {
        Ok(digest) => {
            buffer[..20].copy_from_slice(digest.as_bytes());
            0
        }
        Err(_) => 1,
    }
}

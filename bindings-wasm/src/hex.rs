//! Digests as JavaScript wants them most: 40 bytes of lower-case ASCII.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// `digest` in hexadecimal.
#[inline]
pub(crate) fn encode(digest: &[u8; 20]) -> [u8; 40] {
    let mut text = [0; 40];
    for (pair, byte) in text.chunks_exact_mut(2).zip(digest) {
        pair[0] = DIGITS[(byte >> 4) as usize];
        pair[1] = DIGITS[(byte & 15) as usize];
    }
    text
}

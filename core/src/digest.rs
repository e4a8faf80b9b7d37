//! The values a hasher returns.

use core::fmt;

/// Size of a SHA-1 digest in bytes.
pub const DIGEST_SIZE: usize = 20;

/// A SHA-1 digest: 20 bytes, big-endian, as FIPS 180-4 prints it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; DIGEST_SIZE]);

impl Digest {
    /// The digest as a byte array.
    pub const fn as_bytes(&self) -> &[u8; DIGEST_SIZE] {
        &self.0
    }

    /// Consumes the digest, returning the raw bytes.
    pub const fn to_bytes(self) -> [u8; DIGEST_SIZE] {
        self.0
    }

    pub(crate) fn from_words(h: &[u32; 5]) -> Self {
        let mut bytes = [0; DIGEST_SIZE];
        for (chunk, word) in bytes.chunks_exact_mut(4).zip(h) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        Self(bytes)
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<[u8; DIGEST_SIZE]> for Digest {
    fn from(bytes: [u8; DIGEST_SIZE]) -> Self {
        Self(bytes)
    }
}

impl From<Digest> for [u8; DIGEST_SIZE] {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl PartialEq<[u8; DIGEST_SIZE]> for Digest {
    fn eq(&self, other: &[u8; DIGEST_SIZE]) -> bool {
        self.0 == *other
    }
}

impl PartialEq<[u8]> for Digest {
    fn eq(&self, other: &[u8]) -> bool {
        self.0 == *other
    }
}

impl fmt::LowerHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::UpperHex for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(self, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self:x})")
    }
}

/// A collision attack was detected.
///
/// The digest it carries is the standard one, which at least one other
/// message shares: do not use it as an identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Collision {
    pub(crate) digest: Digest,
}

impl Collision {
    /// The standard SHA-1 digest, which another message shares.
    pub const fn digest(&self) -> Digest {
        self.digest
    }
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SHA-1 appears to be part of a collision attack: {}", self.digest)
    }
}

impl core::error::Error for Collision {}

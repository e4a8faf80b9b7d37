//! The hashers that need no allocation: `Hasher`, `mitigate`, `plain`.

use core::fmt;

use crate::backend::Backend;
use crate::digest::{Collision, Digest};
use crate::engine::{Detection, Engine};

/// The methods that all three share; they differ in what a detection means.
macro_rules! hasher {
    ($name:ident, $result:ty, $detection:expr, $finish:expr) => {
        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &self.0.len).finish_non_exhaustive()
            }
        }

        impl $name {
            /// Creates a hasher.
            pub fn new() -> Self {
                Self(Engine::new(Backend::detect(), $detection))
            }

            /// Creates a hasher on a given backend, for tests and benches.
            #[doc(hidden)]
            pub fn on(backend: Backend) -> Self {
                Self(Engine::new(backend, $detection))
            }

            /// Feeds more of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                self.0.update(data, &mut |_| {});
            }

            /// Ends the message.
            pub fn finalize(mut self) -> $result {
                let (standard, safe) = self.0.finish(&mut |_| {});
                $finish(standard, safe, self.0.detected)
            }

            fn whole(data: &[u8]) -> $result {
                let backend = Backend::detect();
                if let Some(digest) = backend.digest_few(data, $detection) {
                    return $finish(digest, digest, false);
                }
                let mut engine = Engine::new(backend, $detection);
                let (standard, safe) = engine.whole(data, &mut |_| {});
                $finish(standard, safe, engine.detected)
            }

            /// Ends the message and makes ready for the next.
            pub fn finalize_reset(&mut self) -> $result {
                let (standard, safe) = self.0.finish(&mut |_| {});
                let result = $finish(standard, safe, self.0.detected);
                self.0.reset();
                result
            }

            /// Forgets the message so far.
            pub fn reset(&mut self) {
                self.0.reset();
            }
        }

        #[cfg(feature = "std")]
        impl std::io::Write for $name {
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                self.update(data);
                Ok(data.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    };
}

const DETECT: Detection = Detection::On { reduced_rounds: false, ubc: true };

/// SHA-1 that refuses an attacked message.
///
/// The digest is that of every other SHA-1. When the message holds a collision
/// attack, [`finalize`](Self::finalize) gives it as a [`Collision`] instead.
///
/// ```
/// let mut hasher = sha1dc_core::Hasher::new();
/// hasher.update(b"hello ");
/// hasher.update(b"world");
/// match hasher.finalize() {
///     Ok(digest) => println!("{digest}"),
///     Err(collision) => eprintln!("refused: {collision}"),
/// }
/// ```
#[derive(Clone)]
pub struct Hasher(Engine);

hasher!(Hasher, Result<Digest, Collision>, DETECT, |digest, _, detected| if detected {
    Err(Collision { digest })
} else {
    Ok(digest)
});

impl Hasher {
    /// Whether the message so far holds a collision attack. Complete blocks
    /// have been checked; the last one is when the message ends.
    pub const fn collision_detected(&self) -> bool {
        self.0.detected
    }
}

/// Hashes `data`, refusing it when it holds a collision attack.
///
/// ```
/// let digest = sha1dc_core::digest(b"hello world").expect("an honest message");
/// assert_eq!(digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// ```
pub fn digest(data: &[u8]) -> Result<Digest, Collision> {
    Hasher::whole(data)
}

pub mod mitigate {
    //! SHA-1 that gives an attacked message a digest of its own.
    //!
    //! Honest messages have the standard digest. In an attacked one, each
    //! attacked block is compressed two more times, as git's `sha1dc` and the
    //! reference's safe hash do, so that the two halves of a collision differ.

    use super::*;

    /// The digest of an attacked message: not its SHA-1.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Mitigated {
        digest: Digest,
    }

    impl Mitigated {
        /// The safe digest, which no other message shares.
        pub const fn digest(&self) -> Digest {
            self.digest
        }
    }

    impl fmt::Display for Mitigated {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "SHA-1 collision attack detected and mitigated: {}", self.digest)
        }
    }

    impl core::error::Error for Mitigated {}

    /// SHA-1 with the safe digest for attacked messages.
    ///
    /// ```
    /// let mut hasher = sha1dc_core::mitigate::Hasher::new();
    /// hasher.update(b"hello world");
    /// let digest = hasher.finalize().unwrap_or_else(|mitigated| mitigated.digest());
    /// assert_eq!(digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
    /// ```
    #[derive(Clone)]
    pub struct Hasher(Engine);

    hasher!(Hasher, Result<Digest, Mitigated>, DETECT, |standard, safe, detected| if detected {
        Err(Mitigated { digest: safe })
    } else {
        Ok(standard)
    });

    impl Hasher {
        /// Whether the message so far holds a collision attack.
        pub const fn collision_detected(&self) -> bool {
            self.0.detected
        }
    }

    /// Hashes `data`; an attacked message gives [`Mitigated`].
    pub fn digest(data: &[u8]) -> Result<Digest, Mitigated> {
        Hasher::whole(data)
    }
}

pub mod plain {
    //! SHA-1 without detection, for checksums that an attacker gains nothing
    //! from, such as the trailer of a git pack.

    use super::*;

    /// SHA-1 without detection.
    ///
    /// ```
    /// let mut hasher = sha1dc_core::plain::Hasher::new();
    /// hasher.update(b"hello world");
    /// assert_eq!(hasher.finalize().to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
    /// ```
    #[derive(Clone)]
    pub struct Hasher(Engine);

    hasher!(Hasher, Digest, Detection::Off, |standard, _, _| standard);

    /// Hashes `data` without detection.
    pub fn digest(data: &[u8]) -> Digest {
        Hasher::whole(data)
    }
}

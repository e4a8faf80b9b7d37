//! The hasher whose mode is chosen at run time, with everything it found.

use alloc::vec::Vec;
use core::fmt;

use crate::backend::Backend;
use crate::detect::vectors::DisturbanceVector;
use crate::digest::Digest;
use crate::engine::{Detection, Engine, Found};
use crate::schedule::{BLOCK_SIZE, bytes, words};

/// What a hasher does about a collision attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// The standard digest, or an error when an attack is detected.
    #[default]
    Detect,
    /// The standard digest, or the safe digest when an attack is detected.
    Mitigate,
    /// Always the standard digest; the collisions are listed.
    Report,
    /// No detection.
    Plain,
}

/// Settings of a [`Sha1`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What to do about an attack.
    pub mode: Mode,
    /// Also report what collides only in SHA-1 with fewer steps. Such blocks
    /// are no threat; the setting exists to test detection. Default: false.
    pub reduced_rounds: bool,
    /// Recompress only blocks that pass the unavoidable bit conditions. Off,
    /// every block is recompressed for all 32 vectors, which finds the same
    /// and is slow: a cross-check. Default: true.
    pub ubc: bool,
    /// The code that does it.
    pub backend: Backend,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: Mode::default(), reduced_rounds: false, ubc: true, backend: Backend::detect() }
    }
}

impl Options {
    pub(crate) fn detection(&self) -> Detection {
        match self.mode {
            Mode::Plain => Detection::Off,
            _ => Detection::On { reduced_rounds: self.reduced_rounds, ubc: self.ubc },
        }
    }
}

/// A block of the message that is one half of a near-collision pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollisionBlock {
    /// Where it starts in the padded message, in bytes.
    pub offset: u64,
    /// The disturbance vector that the attack followed.
    pub disturbance_vector: DisturbanceVector,
    /// Found only because `reduced_rounds` was on.
    pub reduced_round: bool,
    /// The block.
    pub block: [u8; BLOCK_SIZE],
}

impl CollisionBlock {
    /// The block of the other message: this one xor the vector's difference.
    pub fn partner(&self) -> [u8; BLOCK_SIZE] {
        let difference = self.disturbance_vector.difference();
        let words = words(&self.block);
        bytes(&core::array::from_fn(|t| words[t] ^ difference[t]))
    }
}

/// The result of hashing one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The standard digest.
    pub digest: Digest,
    /// The digest in which each attacked block is compressed two more times;
    /// equal to `digest` when there is none.
    pub safe_digest: Digest,
    /// The attacked blocks, by offset.
    pub collisions: Vec<CollisionBlock>,
}

impl Outcome {
    /// Whether an attack was detected.
    pub fn collision(&self) -> bool {
        !self.collisions.is_empty()
    }

    /// The digest that `mode` returns: the safe one for [`Mode::Mitigate`],
    /// the standard one otherwise.
    pub fn digest_for(&self, mode: Mode) -> Digest {
        match mode {
            Mode::Mitigate => self.safe_digest,
            _ => self.digest,
        }
    }
}

/// SHA-1 with its mode chosen at run time.
///
/// ```
/// use sha1dc_core::{Mode, Options, Sha1};
///
/// let mut hasher = Sha1::new(Options { mode: Mode::Report, ..Options::default() });
/// hasher.update(b"hello world");
/// let outcome = hasher.finish();
/// assert!(!outcome.collision());
/// assert_eq!(outcome.digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// ```
#[derive(Clone)]
pub struct Sha1 {
    pub(crate) engine: Engine,
    pub(crate) options: Options,
    pub(crate) collisions: Vec<CollisionBlock>,
}

impl fmt::Debug for Sha1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sha1")
            .field("options", &self.options)
            .field("bytes_hashed", &self.bytes_hashed())
            .field("collisions", &self.collisions.len())
            .finish_non_exhaustive()
    }
}

impl Sha1 {
    /// Creates a hasher.
    pub fn new(options: Options) -> Self {
        Self { engine: Engine::new(options.backend, options.detection()), options, collisions: Vec::new() }
    }

    /// Feeds more of the message. When it returns, every complete block has
    /// been checked.
    #[inline]
    pub fn update(&mut self, data: &[u8]) {
        let from = self.collisions.len();
        let collisions = &mut self.collisions;
        self.engine.update(data, &mut |found| collisions.push(found.into()));
        if self.collisions.len() > from {
            in_order(&mut self.collisions, from);
        }
    }

    /// Ends the message.
    pub fn finish(mut self) -> Outcome {
        let from = self.collisions.len();
        let collisions = &mut self.collisions;
        let (digest, safe_digest) = self.engine.finish(&mut |found| collisions.push(found.into()));
        in_order(&mut self.collisions, from);
        Outcome { digest, safe_digest, collisions: self.collisions }
    }

    /// Forgets the message so far.
    pub fn reset(&mut self) {
        self.engine.reset();
        self.collisions.clear();
    }

    /// The mode it was made with.
    pub fn mode(&self) -> Mode {
        self.options.mode
    }

    /// The options it was made with.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Length of the message so far, in bytes.
    pub fn bytes_hashed(&self) -> u64 {
        self.engine.len
    }

    /// Whether an attack has been detected so far.
    pub fn collision_detected(&self) -> bool {
        self.engine.detected
    }

    /// The attacked blocks so far, by offset.
    pub fn collisions(&self) -> &[CollisionBlock] {
        &self.collisions
    }
}

impl From<Found<'_>> for CollisionBlock {
    fn from(found: Found<'_>) -> Self {
        Self {
            offset: found.offset,
            disturbance_vector: found.vector,
            reduced_round: found.reduced_round,
            block: *found.block,
        }
    }
}

/// Puts the collisions that one call found in the order of the message. A
/// block counts once, for the first vector in the reference's order.
fn in_order(collisions: &mut Vec<CollisionBlock>, from: usize) {
    // There are few, and nearly in order. (The sort of the standard library
    // would be a tenth of the wasm module.)
    let key = |collision: &CollisionBlock| (collision.offset, collision.disturbance_vector);
    for mut i in from + 1..collisions.len() {
        while i > from && key(&collisions[i - 1]) > key(&collisions[i]) {
            collisions.swap(i - 1, i);
            i -= 1;
        }
    }
    collisions.dedup_by_key(|collision| collision.offset);
}

/// Hashes `data` and tells everything: both digests and every attacked block.
/// [`Mode::Plain`] counts as [`Mode::Report`] here.
///
/// ```
/// use sha1dc_core::{Options, inspect};
/// assert!(!inspect(b"hello world", Options::default()).collision());
/// ```
pub fn inspect(data: &[u8], options: Options) -> Outcome {
    let mode = if options.mode == Mode::Plain { Mode::Report } else { options.mode };
    hash(data, Options { mode, ..options })
}

/// Hashes `data` with its mode chosen at run time: as [`Sha1`] does, in one
/// call.
///
/// ```
/// let outcome = sha1dc_core::hash(b"hello world", sha1dc_core::Options::default());
/// assert_eq!(outcome.digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// ```
pub fn hash(data: &[u8], options: Options) -> Outcome {
    if let Some(digest) = options.backend.digest_few(data, options.detection()) {
        return Outcome { digest, safe_digest: digest, collisions: Vec::new() };
    }
    let mut engine = Engine::new(options.backend, options.detection());
    let mut collisions = Vec::new();
    let (digest, safe_digest) = engine.whole(data, &mut |found| collisions.push(found.into()));
    in_order(&mut collisions, 0);
    Outcome { digest, safe_digest, collisions }
}

/// The other message of an identical-prefix collision pair, or `None` if
/// `data` is not one half of such a pair.
///
/// Such an attack is two blocks: after the first the chaining values of the
/// two messages are close, after the second they are equal. Only the second is
/// a collision; the first is found because the values *before* it are equal,
/// which is what [`Options::reduced_rounds`] reports. The vector's difference
/// is xored to both, and the result kept only if it has the same SHA-1. A
/// chosen-prefix collision (as SHA-mbles) has no such twin: its two messages
/// differ before the attacked blocks too.
///
/// ```
/// assert_eq!(sha1dc_core::twin(b"hello world"), None);
/// ```
pub fn twin(data: &[u8]) -> Option<Vec<u8>> {
    let outcome = inspect(data, Options { reduced_rounds: true, ..Options::default() });
    if outcome.collisions.is_empty() {
        return None;
    }
    let mut other = data.to_vec();
    for collision in &outcome.collisions {
        // A block that holds padding is not the message's own to change.
        let start = usize::try_from(collision.offset).ok()?;
        other.get_mut(start..start + BLOCK_SIZE)?.copy_from_slice(&collision.partner());
    }
    (crate::plain::digest(&other) == outcome.digest).then_some(other)
}

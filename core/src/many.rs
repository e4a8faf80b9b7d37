//! Many messages at once.

use crate::digest::{Collision, Digest};
use crate::sha1::{Options, Outcome, Sha1};

/// One message of a batch, in two parts so that a header need not be copied
/// in front of its content.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// What comes first: at most 64 bytes, such as git's `blob 11\0`.
    pub head: &'a [u8],
    /// The rest.
    pub body: &'a [u8],
}

/// Hashes many messages, each as [`Sha1`] would. `out[i]` is the result of
/// `messages[i]`.
///
/// # Panics
///
/// When the two slices differ in length.
///
/// ```
/// use sha1dc_core::{Message, Options, Outcome, hash_many};
/// let messages = [Message { head: b"blob 5\0", body: b"hello" }, Message { head: b"", body: b"" }];
/// let mut out = [Outcome::default(), Outcome::default()];
/// hash_many(Options::default(), &messages, &mut out);
/// assert_eq!(out[0].digest.to_string(), "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0");
/// assert_eq!(out[1].digest.to_string(), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
/// ```
pub fn hash_many(options: Options, messages: &[Message<'_>], out: &mut [Outcome]) {
    assert_eq!(messages.len(), out.len(), "one result for each message");
    for (message, out) in messages.iter().zip(out) {
        let mut hasher = Sha1::new(options);
        hasher.update(message.head);
        hasher.update(message.body);
        *out = hasher.finish();
    }
}

/// Hashes many messages, refusing those that hold a collision attack.
///
/// # Panics
///
/// When the two slices differ in length.
///
/// ```
/// use sha1dc_core::{Digest, digest_many};
/// let mut out = [Ok(Digest::default()); 2];
/// digest_many(&[b"hello world", b""], &mut out);
/// assert_eq!(out[0].unwrap().to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
/// ```
pub fn digest_many(messages: &[&[u8]], out: &mut [Result<Digest, Collision>]) {
    assert_eq!(messages.len(), out.len(), "one result for each message");
    for (message, out) in messages.iter().zip(out) {
        *out = crate::digest(message);
    }
}

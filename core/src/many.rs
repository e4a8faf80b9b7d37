//! Many messages at once.

use alloc::vec;
use alloc::vec::Vec;

use crate::backend::Backend;
use crate::digest::{Collision, Digest};
use crate::engine::Detection;
use crate::sha1::{Options, Outcome, Sha1};
use crate::wide::{Message, Results};

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
    for message in messages {
        assert!(message.head.len() <= 64, "a head is at most 64 bytes");
    }
    let hash_one = |message: &Message<'_>| {
        let mut hasher = Sha1::new(options);
        hasher.update(message.head);
        hasher.update(message.body);
        hasher.finish()
    };
    let mut attacked = Vec::new();
    let wide = batch(options.backend, options.detection(), messages, &mut attacked, &mut |i, digest| {
        out[i] = Outcome { digest, safe_digest: digest, collisions: Vec::new() };
    });
    if wide {
        // Rare, so once more from the start, with all that is to be told.
        for i in attacked {
            out[i] = hash_one(&messages[i]);
        }
    } else {
        for (message, out) in messages.iter().zip(out) {
            *out = hash_one(message);
        }
    }
}

/// Hashes messages in lanes, if the backend has lanes for it. `attacked` gets
/// those that may hold an attack, some perhaps more than once.
fn batch(
    backend: Backend,
    detection: Detection,
    messages: &[Message<'_>],
    attacked: &mut Vec<usize>,
    done: &mut dyn FnMut(usize, Digest),
) -> bool {
    // Lanes number their messages with 32 bits.
    if messages.len() < 2 || u32::try_from(messages.len()).is_err() {
        return false;
    }
    // Longest first, so that all lanes come to their end at about one time.
    let order = longest_first(messages);
    backend.hash_wide(
        messages,
        &order,
        detection,
        Results {
            done: &mut |i, h| done(i, Digest::from_words(&h)),
            suspect: &mut |suspect| attacked.push(suspect.message),
        },
    )
}

/// The messages by length, longest first, to within an eighth: by counting,
/// which is quicker than comparing, and a fifth of the code in wasm.
fn longest_first(messages: &[Message<'_>]) -> Vec<usize> {
    const FIRST_BITS: u32 = 3;
    const CLASSES: usize = (usize::BITS as usize) << FIRST_BITS;
    // The number of bits, and the first few after the highest.
    let class = |message: &Message<'_>| {
        let len = (message.head.len() + message.body.len()) | 1 << FIRST_BITS;
        let bits = len.ilog2();
        CLASSES - 1 - ((bits as usize) << FIRST_BITS | len >> (bits - FIRST_BITS) & ((1 << FIRST_BITS) - 1))
    };
    // Where each class begins, and then, where its next message goes.
    let mut next = [0; CLASSES];
    for message in messages {
        next[class(message)] += 1;
    }
    let mut start = 0;
    for count in &mut next {
        start += core::mem::replace(count, start);
    }
    let mut order = vec![0; messages.len()];
    for (i, message) in messages.iter().enumerate() {
        let place = &mut next[class(message)];
        order[*place] = i;
        *place += 1;
    }
    order
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
    let parts: Vec<Message<'_>> = messages.iter().map(|body| Message { head: &[], body }).collect();
    let mut attacked = Vec::new();
    let detection = Options::default().detection();
    if batch(Backend::detect(), detection, &parts, &mut attacked, &mut |i, digest| out[i] = Ok(digest)) {
        for i in attacked {
            out[i] = crate::digest(messages[i]);
        }
    } else {
        for (message, out) in messages.iter().zip(out) {
            *out = crate::digest(message);
        }
    }
}

//! How an attacked message is described to JavaScript: bytes, little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | which message of a batch |
//! | 4 | number of attacked blocks |
//! | 20 | standard digest |
//! | 20 | safe digest |
//!
//! then for each attacked block:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | offset, as an f64 |
//! | 8 | disturbance vector, ASCII, filled up with zeros |
//! | 1 | whether it was found only because of reduced rounds |
//! | 64 | the partner block |

use alloc::vec::Vec;

use sha1dc_core::{CollisionBlock, Digest, Outcome};

/// Adds the description of one message of a batch to `out`.
pub(crate) fn write(out: &mut Vec<u8>, index: u32, outcome: &Outcome) {
    write_parts(out, index, &outcome.digest, &outcome.safe_digest, &outcome.collisions);
}

/// The description of a single message.
#[cold]
pub(crate) fn of(outcome: &Outcome) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out, 0, outcome);
    out
}

/// What has been found in a message that goes on: no digests yet.
pub(crate) fn so_far(collisions: &[CollisionBlock]) -> Vec<u8> {
    let mut out = Vec::new();
    write_parts(&mut out, 0, &Digest::default(), &Digest::default(), collisions);
    out
}

fn write_parts(out: &mut Vec<u8>, index: u32, digest: &Digest, safe: &Digest, collisions: &[CollisionBlock]) {
    out.extend_from_slice(&index.to_le_bytes());
    out.extend_from_slice(&(collisions.len() as u32).to_le_bytes());
    out.extend_from_slice(digest.as_bytes());
    out.extend_from_slice(safe.as_bytes());
    for collision in collisions {
        out.extend_from_slice(&(collision.offset as f64).to_le_bytes());
        let (name, mut padded) = (collision.disturbance_vector.name(), [0; 8]);
        padded[..name.len()].copy_from_slice(name.as_bytes());
        out.extend_from_slice(&padded);
        out.push(collision.reduced_round as u8);
        out.extend_from_slice(&collision.partner());
    }
}

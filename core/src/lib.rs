#![cfg_attr(not(feature = "std"), no_std)]
// Without tiers of lanes, or without batches, only part of what is written for
// them is used.
#![cfg_attr(
    not(all(any(target_arch = "x86_64", target_arch = "aarch64"), feature = "alloc")),
    allow(dead_code, unused_macros, unused_imports, unreachable_code, unreachable_pub, unused_variables)
)]

//! SHA-1 with detection of collision attacks.
//!
//! SHA-1 is broken: two messages with one digest can be made (SHAttered 2017,
//! SHA-mbles 2020). Git and others still name things by it, so they recognise
//! the attack: Marc Stevens' counter-cryptanalysis tells from *one* message
//! that a block of it is half of a near-collision pair, for each of the 32
//! disturbance vectors that feasible attacks can follow. An honest message is
//! flagged with probability below 2^-90.
//!
//! ```
//! let digest = sha1dc_core::digest(b"hello world").expect("an honest message");
//! assert_eq!(digest.to_string(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
//! ```
//!
//! Four ways to treat an attack: [`Hasher`] refuses the message, [`mitigate`]
//! gives it a safe digest, [`inspect`] reports every attacked block, [`plain`]
//! does not look. [`Sha1`] chooses among them at run time, and
//! [`digest_many`] and [`hash_many`] hash batches.
//!
//! Detection finds attacks that follow one of the 32 vectors, and nothing
//! else. It is a safeguard for what must keep SHA-1, no reason to choose it.
//!
//! # Features
//!
//! `std` (default): `io::Write`, run-time detection of CPU features. `alloc`:
//! what returns lists. Without either the crate is `no_std`, and the hashers
//! still work.

#[cfg(feature = "alloc")]
extern crate alloc;

mod ahead;
mod arch;
mod backend;
pub(crate) mod detect;
mod digest;
mod engine;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
mod group;
mod hasher;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub mod internals;
mod lanes;
#[cfg(feature = "alloc")]
mod many;
mod naive;
mod one;
#[cfg(all(target_arch = "x86_64", feature = "alloc"))]
mod packed;
#[cfg(target_arch = "x86_64")]
mod paired;
#[cfg(all(target_arch = "x86_64", feature = "alloc"))]
mod planar;
#[cfg(feature = "alloc")]
mod saved;
mod schedule;
#[cfg(feature = "alloc")]
mod sha1;
mod steps;
mod trail;
#[cfg(feature = "alloc")]
mod wide;

pub use backend::Backend;
pub use detect::vectors::DisturbanceVector;
pub use digest::{Collision, DIGEST_SIZE, Digest};
pub use hasher::{Hasher, digest, mitigate, plain};
#[cfg(feature = "alloc")]
pub use many::{digest_many, hash_many};
#[cfg(feature = "alloc")]
pub use saved::StateError;
#[cfg(feature = "alloc")]
pub use sha1::{CollisionBlock, Mode, Options, Outcome, Sha1, hash, inspect, twin};
#[cfg(feature = "alloc")]
pub use wide::Message;

//! Detection of collision attacks, by counter-cryptanalysis (Stevens 2013;
//! Stevens and Shumow 2017).
//!
//! A block that is one half of a near-collision pair for some disturbance
//! vector is recognised from this half alone: xor the vector's message
//! difference to it, take the working state of the step at which both
//! messages agree, and compute backwards and forwards from there. If the
//! other message's chaining value comes out equal, this is an attack.
//!
//! - [`conditions`]: which blocks can be that at all, by their bits: 1 in 20.
//! - [`vectors`]: the 32 vectors and their message differences.
//! - [`recompress`]: the proof, for what passes the conditions.

pub(crate) mod across;
pub(crate) mod conditions;
#[macro_use]
pub(crate) mod filter;
pub(crate) mod halves;
#[cfg(target_arch = "x86_64")]
pub(crate) mod picks;
#[cfg(target_arch = "x86_64")]
pub(crate) mod planes;
pub(crate) mod program;
pub(crate) mod queue;
pub(crate) mod recompress;
pub(crate) mod sieve;
pub(crate) mod vectors;

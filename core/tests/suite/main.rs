//! The tests of `sha1dc-core`, in one program so that it links once.
//!
//! Every test runs on each backend that the machine has, and what is expected
//! comes from other implementations, never from the crate itself.
//!
//! | variable | what |
//! |---|---|
//! | `SHA1DC_TEST_SEED` | the seed of a run that failed |
//! | `SHA1DC_TEST_LONG=1` | the long forms |
//! | `SHA1DC_TEST_SCALE=0.1` | so many times the random cases, for slow machines |
//! | `SHA1DC_TEST_BACKEND` | one backend, by name |

#![cfg(feature = "std")]

mod batches;
mod differential;
mod filter;
mod known_answers;
mod known_attacks;
mod lengths;
#[cfg(unix)]
mod page_end;
mod recompression;
mod saved;
mod slow_input;
mod small;
mod support;

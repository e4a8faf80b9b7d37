//! What the tests, the fuzz targets and the soak of `sha1dc-core` share.
//!
//! Nothing here knows the crate under test: it is what that crate is held
//! against.

// The reference, compiled from its own published files (see build.rs).
#[allow(warnings, clippy::all, clippy::pedantic, unsafe_op_in_unsafe_fn)]
mod published {
    include!(concat!(env!("OUT_DIR"), "/reference.rs"));
}
#[allow(unused_imports)]
use published::{sha1 as _, ubc_check};

pub mod conditions;
pub mod gf2;
pub mod reference;
pub mod rng;

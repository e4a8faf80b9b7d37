//! The flags of the wasm module, and above them the backend: its place in the list of `backends`.

use std::sync::LazyLock;

use sha1dc_core::{Backend, Options};

use crate::flags;

const BACKEND_SHIFT: u32 = 8;

/// What this machine has, fastest first.
pub(crate) static BACKENDS: LazyLock<Vec<Backend>> = LazyLock::new(|| Backend::available().collect());

pub(crate) fn of(flags: u32) -> Options {
    flags::options(flags, backend(flags))
}

/// The backend alone, for a restored state, which brings all the rest.
pub(crate) fn backend(flags: u32) -> Backend {
    BACKENDS.get((flags >> BACKEND_SHIFT) as usize).copied().unwrap_or_default()
}

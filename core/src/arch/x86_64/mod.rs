//! x86-64.

pub(crate) mod avx2;
pub(crate) mod avx512;
pub(crate) mod sha_ni;
pub(crate) mod sse2;
pub mod bench;

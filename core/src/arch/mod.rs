//! What differs by instruction set: one folder for each architecture, one file
//! for each set. The tree is the table of what there is.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
pub(crate) mod portable;
pub(crate) mod soft;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod tier;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
pub(crate) mod wasm32;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

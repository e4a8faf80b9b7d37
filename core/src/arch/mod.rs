//! One folder for each architecture, one file for each instruction set.

#[cfg(target_arch = "x86_64")]
pub mod x86_64;

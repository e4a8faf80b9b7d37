//! What differs by instruction set: one folder for each architecture, one file
//! for each set. The tree is the table of what there is.

pub(crate) mod portable;
pub(crate) mod soft;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

//! What this CPU has. NEON is part of every AArch64 target.

/// The SHA-1 instructions. Rust's name for them and those of SHA-256 is
/// `sha2`.
pub(crate) fn sha1() -> bool {
    #[cfg(feature = "std")]
    {
        std::arch::is_aarch64_feature_detected!("sha2")
    }
    // Only the operating system can tell, and without std nobody asks it.
    #[cfg(not(feature = "std"))]
    {
        cfg!(target_feature = "sha2")
    }
}

//! What this CPU has. Asks `cpuid` itself, because the standard library's
//! macro is not there in `no_std`.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// Leaf 7, sub-leaf 0: ebx.
fn extended() -> u32 {
    if __cpuid(0).eax < 7 { 0 } else { __cpuid_count(7, 0).ebx }
}

const fn bits<const N: usize>(list: [u32; N]) -> u32 {
    let (mut all, mut i) = (0, 0);
    while i < N {
        all |= 1 << list[i];
        i += 1;
    }
    all
}

fn has(value: u32, mask: u32) -> bool {
    value & mask == mask
}

/// SHA, with the SSSE3 and SSE4.1 that its code also uses.
pub(crate) fn sha_ni() -> bool {
    if cfg!(miri) {
        // It runs no `cpuid`, nor the assembly in this set's code.
        return false;
    }
    has(__cpuid(1).ecx, bits([9, 19])) && has(extended(), bits([29]))
}

/// Register state that the operating system saves: bits of XCR0.
fn saved() -> u64 {
    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        // SAFETY: register 0 is always there.
        unsafe { _xgetbv(0) }
    }
    // Bit 27: the system uses xsave.
    if has(__cpuid(1).ecx, bits([27, 28])) {
        // SAFETY: just asked.
        unsafe { xcr0() }
    } else {
        0
    }
}

/// AVX2, BMI1, BMI2, POPCNT.
pub(crate) fn avx2() -> bool {
    if cfg!(miri) {
        return cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "popcnt"
        ));
    }
    saved() & 0b110 == 0b110 && has(__cpuid(1).ecx, bits([23])) && has(extended(), bits([3, 5, 8]))
}

/// AVX-512 F, DQ, BW, VL.
pub(crate) fn avx512() -> bool {
    if cfg!(miri) {
        return false; // it knows few of the instructions
    }
    avx2() && saved() & 0b1110_0110 == 0b1110_0110 && has(extended(), bits([16, 17, 30, 31]))
}

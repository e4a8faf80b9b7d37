//! Which code compresses and checks blocks: listed, detected, forced.

#[cfg(target_arch = "aarch64")]
use crate::arch::aarch64::*;
use crate::arch::soft::Soft;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::detect::across;
use crate::digest::Digest;
use crate::engine::{Detection, Hit};
use crate::naive;
use crate::one;
use crate::schedule::BLOCK_SIZE;
#[cfg(feature = "alloc")]
use crate::wide::{Message, Results};

/// The code that compresses and checks blocks on this machine.
///
/// [`Backend::detect`] is what everything uses by default. Tests and benches
/// list and force the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backend(Kind);

/// A value exists only where the CPU has the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512ShaNi,
    #[cfg(target_arch = "x86_64")]
    Avx2ShaNi,
    #[cfg(target_arch = "x86_64")]
    Sse2ShaNi,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "aarch64")]
    NeonSha1,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
    Simd128,
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
    Portable,
}

/// All kinds, fastest first.
const KINDS: &[Kind] = &[
    #[cfg(target_arch = "x86_64")]
    Kind::Avx512ShaNi,
    #[cfg(target_arch = "x86_64")]
    Kind::Avx2ShaNi,
    #[cfg(target_arch = "x86_64")]
    Kind::Sse2ShaNi,
    #[cfg(target_arch = "x86_64")]
    Kind::Avx512,
    #[cfg(target_arch = "x86_64")]
    Kind::Avx2,
    #[cfg(target_arch = "x86_64")]
    Kind::Sse2,
    #[cfg(target_arch = "aarch64")]
    Kind::NeonSha1,
    #[cfg(target_arch = "aarch64")]
    Kind::Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
    Kind::Simd128,
    // An engine that took the module has the instructions: nothing else is
    // ever used, and it would be half the code.
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
    Kind::Portable,
];

impl Kind {
    /// Whether this CPU has it.
    fn available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use crate::arch::x86_64::features;
            let (sha, avx2, avx512) = (features::sha_ni(), features::avx2(), features::avx512());
            match self {
                Self::Avx512ShaNi => sha && avx512,
                Self::Avx2ShaNi => sha && avx2,
                Self::Sse2ShaNi => sha,
                Self::Avx512 => avx512,
                Self::Avx2 => avx2,
                Self::Sse2 | Self::Portable => true,
            }
        }
        #[cfg(target_arch = "aarch64")]
        {
            !matches!(self, Self::NeonSha1) || crate::arch::aarch64::features::sha1()
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            true
        }
    }
}

/// Bit i: this CPU has `KINDS[i]`.
///
/// Asked for by every hasher, so the answer is kept. `cpuid` takes tens of
/// microseconds in a virtual machine.
#[inline]
fn kinds() -> u32 {
    use core::sync::atomic::{AtomicU32, Ordering};
    static KNOWN: AtomicU32 = AtomicU32::new(0);
    match KNOWN.load(Ordering::Relaxed) {
        // Portable is always there, so no answer is 0.
        0 => {
            let kinds = KINDS.iter().enumerate().fold(0, |all, (i, kind)| all | u32::from(kind.available()) << i);
            KNOWN.store(kinds, Ordering::Relaxed);
            kinds
        }
        kinds => kinds,
    }
}

impl Backend {
    /// The fastest backend that this machine has.
    #[inline]
    pub fn detect() -> Self {
        Self(KINDS[kinds().trailing_zeros() as usize])
    }

    /// Every backend that this machine has, fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        let kinds = kinds();
        KINDS.iter().enumerate().filter(move |(i, _)| kinds >> i & 1 == 1).map(|(_, kind)| Self(*kind))
    }

    /// The backend of this name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// Target and instruction sets, such as `x86_64/avx512+sha-ni`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512ShaNi => "x86_64/avx512+sha-ni",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2ShaNi => "x86_64/avx2+sha-ni",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2ShaNi => "x86_64/sse2+sha-ni",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "x86_64/avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "x86_64/avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => "x86_64/sse2",
            #[cfg(target_arch = "aarch64")]
            Kind::NeonSha1 => "aarch64/neon+sha1",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "aarch64/neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
            Kind::Simd128 => "wasm32/simd128",
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
            Kind::Portable if cfg!(target_arch = "x86_64") => "x86_64/portable",
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
            Kind::Portable if cfg!(target_arch = "aarch64") => "aarch64/portable",
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
            Kind::Portable if cfg!(target_arch = "wasm32") => "wasm32/portable",
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
            Kind::Portable => "portable",
        }
    }

    /// Compresses `blocks` into `h`. Every attacked block has been reported
    /// when it returns, in any order; one that matches several vectors once
    /// for each.
    #[inline]
    pub(crate) fn scan(
        self,
        h: &mut [u32; 5],
        blocks: &[[u8; BLOCK_SIZE]],
        detection: Detection,
        hits: &mut dyn FnMut(Hit),
    ) {
        if let Detection::On { ubc: false, .. } = detection {
            return naive::scan(h, blocks, detection, hits);
        }
        macro_rules! tier {
            ($tier:ident, $few:ident) => {
                // SAFETY: a `Backend` of this kind exists only where the CPU
                // has its instructions.
                unsafe {
                    match detection {
                        Detection::Off => $tier::plain(h, blocks),
                        _ if blocks.len() < self.few() => $few::scan(h, blocks, detection, hits),
                        _ => $tier::scan(h, blocks, detection, hits),
                    }
                }
            };
            // Of the last group too few blocks each by itself.
            ($tier:ident, $few:ident, groups of $n:literal) => {{
                let rest = blocks.len() % $n;
                let (groups, few) = blocks.split_at(blocks.len() - if rest < self.few() { rest } else { 0 });
                // SAFETY: likewise.
                unsafe {
                    if let Detection::Off = detection {
                        return $tier::plain(h, blocks);
                    }
                    if !groups.is_empty() {
                        $tier::scan(h, groups, detection, hits);
                    }
                    if !few.is_empty() {
                        $few::scan(h, few, detection, &mut |hit| hits(Hit { index: groups.len() + hit.index, ..hit }));
                    }
                }
            }};
        }
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512ShaNi => tier!(avx512_sha_ni, avx512_sha_ni_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2ShaNi => tier!(avx2_sha_ni, avx2_sha_ni_few, groups of 16),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2ShaNi => tier!(sse2_sha_ni, sse2_sha_ni_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => tier!(avx512_soft, avx512_soft_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => tier!(avx2_soft, avx2_soft_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => tier!(sse2_soft, sse2_soft_few),
            #[cfg(target_arch = "aarch64")]
            Kind::NeonSha1 => tier!(neon_sha1, neon_sha1_few),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => tier!(neon_soft, neon_soft_few),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
            Kind::Simd128 => crate::arch::wasm32::scan(h, blocks, detection, hits),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc")))]
            Kind::Portable => match detection {
                // SAFETY: every CPU has the instructions.
                Detection::Off => unsafe { one::plain::<Soft>(h, blocks) },
                _ => one::scan_each::<Soft>(h, blocks, detection, hits),
            },
        }
    }
}

impl Backend {
    /// Blocks below which each is checked by itself.
    #[inline]
    const fn few(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512ShaNi | Kind::Avx2ShaNi => 64,
            _ => 16,
        }
    }

    /// The digest of a short message in one go. `None` if it is not short, is
    /// not to be checked, or holds an attack: then go the ordinary way.
    #[inline]
    pub(crate) fn digest_few(self, data: &[u8], detection: Detection) -> Option<Digest> {
        if data.len() >= self.few() * BLOCK_SIZE || !matches!(detection, Detection::On { ubc: true, .. }) {
            return None;
        }
        macro_rules! few {
            ($few:ident) => {
                // SAFETY: a `Backend` of this kind exists only where the CPU
                // has its instructions.
                unsafe { $few::digest(data, detection) }
            };
        }
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512ShaNi => few!(avx512_sha_ni_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2ShaNi => few!(avx2_sha_ni_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2ShaNi => few!(sse2_sha_ni_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => few!(avx512_soft_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => few!(avx2_soft_few),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => few!(sse2_soft_few),
            #[cfg(target_arch = "aarch64")]
            Kind::NeonSha1 => few!(neon_sha1_few),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => few!(neon_soft_few),
            #[allow(unreachable_patterns)] // where every kind is named
            _ => None,
        }
    }

    /// Pads what is left of a message after its whole blocks, `rest`; `len` is
    /// the length of the message in bytes.
    #[inline]
    pub(crate) fn pad<'a>(
        self,
        rest: &[u8],
        len: u64,
        tail: &'a mut MaybeUninit<across::Tail>,
    ) -> &'a [[u8; BLOCK_SIZE]] {
        #[cfg(target_arch = "x86_64")]
        if let Kind::Avx512ShaNi | Kind::Avx512 = self.0 {
            // SAFETY: a `Backend` of this kind exists only where the CPU has
            // its instructions.
            return unsafe { crate::arch::x86_64::avx512::pad(rest, len, tail) };
        }
        across::pad(rest, len, tail)
    }

    /// Hashes the messages of `order`, longest first, with a message in each
    /// lane where that is worth it. False if this backend has no such lanes;
    /// then nothing was done.
    #[cfg(feature = "alloc")]
    pub(crate) fn hash_wide(
        self,
        messages: &[Message<'_>],
        order: &[usize],
        detection: Detection,
        results: Results<'_>,
    ) -> bool {
        if let Detection::On { ubc: false, .. } = detection {
            return false;
        }
        macro_rules! wide {
            ($wide:ident, $worth:literal) => {
                // SAFETY: a `Backend` of this kind exists only where the CPU
                // has its instructions.
                unsafe { $wide::hash(self, messages, order, detection, $worth, results) }
            };
        }
        // The last number: how many messages it takes for lanes to be faster
        // than one message after the other.
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512ShaNi => wide!(avx512_wide, 7),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2ShaNi => wide!(avx2_wide, 5),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => wide!(avx512_wide, 3),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => wide!(avx2_wide, 3),
            #[cfg(target_arch = "x86_64")]
            Kind::Sse2 => wide!(sse2_wide, 3),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => wide!(neon_wide, 3),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "alloc"))]
            Kind::Simd128 => crate::arch::wasm32::hash(self, messages, order, detection, 3, results),
            #[allow(unreachable_patterns)]
            _ => return false,
        }
        true
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::detect()
    }
}

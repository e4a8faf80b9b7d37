//! The reference implementations, and all that they know of a message.
//!
//! `sha1collisiondetection` is the C library of Stevens and Shumow in Rust;
//! `sha1-checked` is an independent translation of it; `sha1` has no
//! detection.

use std::path::Path;

use sha1_checked::Digest as _;

use crate::published::checked_ubc_check;
use crate::published::sha1::SHA1_CTX;
use crate::published::ubc_check::{sha1_dvs, ubc_check};

/// SHA-1's initial chaining value (FIPS 180-4, 5.3.1).
pub const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// The files that the reference is tested with: `shattered-1.pdf` and so on.
pub fn file(name: &str) -> Vec<u8> {
    let path = Path::new(env!("REFERENCE_FILES")).join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The expanded message of a block.
pub fn expand(block: &[u8; 64]) -> [u32; 80] {
    let mut w = [0; 80];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
    }
    for t in 16..80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
    }
    w
}

/// The filter's mask of a block: bit d is set if it may be one half of a
/// near-collision for vector d. Both references are asked.
pub fn mask(w: &[u32; 80]) -> u32 {
    let mask = mask_of_c_port(w);
    assert_eq!(mask, checked_ubc_check::ubc_check(w), "the two references' masks");
    mask
}

/// The mask of the C port alone, where time counts.
pub fn mask_of_c_port(w: &[u32; 80]) -> u32 {
    let mut mask = 0;
    ubc_check(w, &mut mask);
    mask
}

/// The xor of the two expanded messages of vector `d`.
pub fn difference(d: usize) -> &'static [u32; 80] {
    let vector = &sha1_dvs[d];
    assert_eq!(vector.maskb as usize, d, "the reference lists the vectors in the order of its mask");
    &vector.dm
}

/// The step from which vector `d` is recompressed.
pub fn step(d: usize) -> usize {
    sha1_dvs[d].testt.step()
}

/// The other message's chaining values before and after `block`, as vector
/// `d` and the chaining value `before` imply.
pub fn recompress(before: &[u32; 5], block: &[u8; 64], d: usize) -> ([u32; 5], [u32; 5]) {
    let mut chain = Chain::at(*before, Flags::default());
    chain.block(block);
    let difference = difference(d);
    let w: [u32; 80] = std::array::from_fn(|t| chain.0.m1[t] ^ difference[t]);
    // The reference renames its five variables from step to step instead of
    // moving their values.
    let mut state = chain.0.states[step(d)];
    state.rotate_right(step(d) % 5);
    let first = (0..step(d)).rev().fold(state, |s, t| unstep(t, s, w[t]));
    let last = (step(d)..80).fold(state, |s, t| do_step(t, s, w[t]));
    (first, std::array::from_fn(|i| first[i].wrapping_add(last[i])))
}

/// How a message is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Also flag what collides only in fewer steps.
    pub reduced_rounds: bool,
    /// Recompress only what passes the filter.
    pub ubc: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self { reduced_rounds: false, ubc: true }
    }
}

impl Flags {
    /// Every combination.
    pub const ALL: [Self; 4] = [
        Self { reduced_rounds: false, ubc: true },
        Self { reduced_rounds: true, ubc: true },
        Self { reduced_rounds: false, ubc: false },
        Self { reduced_rounds: true, ubc: false },
    ];
}

/// An attacked block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where it starts in the padded message.
    pub offset: u64,
    /// Number of the vector.
    pub vector: usize,
    /// Not a collision of all 80 steps.
    pub reduced_round: bool,
    /// The block.
    pub block: [u8; 64],
    /// The block of the other message.
    pub partner: [u8; 64],
}

/// What the reference says of a message.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// SHA-1.
    pub digest: [u8; 20],
    /// SHA-1 with attacked blocks compressed three times.
    pub safe_digest: [u8; 20],
    /// On the chain of the standard digest.
    pub hits: Vec<Hit>,
}

/// The reference at work on one chain of blocks.
#[derive(Clone)]
pub struct Chain(SHA1_CTX);

impl Chain {
    /// From any chaining value.
    pub fn at(h: [u32; 5], flags: Flags) -> Self {
        let mut ctx = SHA1_CTX::default();
        ctx.ihv = h;
        ctx.safe_hash = false;
        ctx.ubc_check = flags.ubc;
        ctx.reduced_round_coll = flags.reduced_rounds;
        Self(ctx)
    }

    /// The chaining value.
    pub fn value(&self) -> [u32; 5] {
        self.0.ihv
    }

    /// The vector that the last block was recompressed for last, and the other
    /// message's chaining value before it, as the reference computed it.
    pub fn last_recompression(&self) -> Option<(usize, [u32; 5])> {
        let vector = (0..32).find(|d| (0..80).all(|t| self.0.m1[t] ^ self.0.m2[t] == difference(*d)[t]));
        vector.map(|vector| (vector, self.0.ihv2))
    }

    /// Compresses a block; tells the vector if it is attacked, and whether
    /// that is only in fewer steps.
    pub fn block(&mut self, block: &[u8; 64]) -> Option<(usize, bool)> {
        let ctx = &mut self.0;
        ctx.found_collision = false;
        ctx.update(block);
        if !ctx.found_collision {
            return None;
        }
        // The same again without reduced rounds is silent, if that is what it was.
        let mut full = Self::at(ctx.ihv1, Flags { reduced_rounds: false, ubc: ctx.ubc_check });
        full.0.update(block);
        // The search ended at the vector that matched.
        let (vector, _) = self.last_recompression().expect("m2 is m1 xor some vector's difference");
        Some((vector, !full.0.found_collision))
    }
}

/// The message with SHA-1's padding.
pub fn padded(message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let at = padded.len() - 8;
    padded[at..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    padded
}

/// Digest and verdict of the C port, as a caller of it gets them.
pub fn c_port(message: &[u8], flags: Flags, safe: bool) -> ([u8; 20], bool) {
    let mut ctx = SHA1_CTX::default();
    ctx.safe_hash = safe;
    ctx.ubc_check = flags.ubc;
    ctx.reduced_round_coll = flags.reduced_rounds;
    ctx.update(message);
    let mut digest = [0; 20];
    let found = ctx.finalize(&mut digest);
    (digest, found)
}

/// Digest and verdict of `sha1-checked`.
pub fn checked(message: &[u8], flags: Flags, safe: bool) -> ([u8; 20], bool) {
    let mut hasher = sha1_checked::Sha1::builder()
        .safe_hash(safe)
        .use_ubc(flags.ubc)
        .reduced_round_collision(flags.reduced_rounds)
        .build();
    hasher.update(message);
    let result = hasher.try_finalize();
    ((*result.hash()).into(), result.has_collision())
}

/// SHA-1 without detection, by the crate `sha1`.
pub fn plain(message: &[u8]) -> [u8; 20] {
    use sha1::Digest as _;
    sha1::Sha1::digest(message).into()
}

/// Everything about a message, all three references agreeing on it.
pub fn inspect(message: &[u8], flags: Flags) -> Report {
    let (digest, found) = c_port(message, flags, false);
    let (safe_digest, safe_found) = c_port(message, flags, true);
    assert_eq!(plain(message), digest, "sha1 and the C port");
    assert_eq!(checked(message, flags, true), (safe_digest, safe_found), "sha1-checked and the C port");
    assert_eq!(found, safe_found, "the first attacked block is the same with and without safe hash");
    let mut hits = Vec::new();
    if found {
        let mut chain = Chain::at(INITIAL, flags);
        for (i, block) in padded(message).as_chunks::<64>().0.iter().enumerate() {
            if let Some((vector, reduced_round)) = chain.block(block) {
                let partner = partner(block, vector);
                hits.push(Hit { offset: 64 * i as u64, vector, reduced_round, block: *block, partner });
            }
        }
        assert_eq!(bytes(&chain.value()), digest);
        assert!(!hits.is_empty());
    }
    Report { digest, safe_digest, hits }
}

/// The block of the other message.
pub fn partner(block: &[u8; 64], vector: usize) -> [u8; 64] {
    let mut partner = *block;
    for (bytes, word) in partner.as_chunks_mut::<4>().0.iter_mut().zip(difference(vector)) {
        *bytes = (u32::from_be_bytes(*bytes) ^ word).to_be_bytes();
    }
    partner
}

/// A chaining value as a digest.
pub fn bytes(h: &[u32; 5]) -> [u8; 20] {
    let mut bytes = [0; 20];
    for (bytes, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(h) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// f and K of step `t` (FIPS 180-4, 4.1.1 and 4.2.1).
fn round(t: usize, b: u32, c: u32, d: u32) -> u32 {
    match t / 20 {
        0 => ((b & c) | (!b & d)).wrapping_add(0x5a82_7999),
        1 => (b ^ c ^ d).wrapping_add(0x6ed9_eba1),
        2 => ((b & c) | (b & d) | (c & d)).wrapping_add(0x8f1b_bcdc),
        _ => (b ^ c ^ d).wrapping_add(0xca62_c1d6),
    }
}

fn do_step(t: usize, [a, b, c, d, e]: [u32; 5], w: u32) -> [u32; 5] {
    let next = a.rotate_left(5).wrapping_add(round(t, b, c, d)).wrapping_add(e).wrapping_add(w);
    [next, a, b.rotate_left(30), c, d]
}

fn unstep(t: usize, [next, a, b30, c, d]: [u32; 5], w: u32) -> [u32; 5] {
    let b = b30.rotate_left(2);
    let e = next.wrapping_sub(a.rotate_left(5)).wrapping_sub(round(t, b, c, d)).wrapping_sub(w);
    [a, b, c, d, e]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions;
    use crate::rng::Rng;

    #[test]
    fn twins_recompression_is_the_references() {
        let mut rng = Rng::of_test();
        let mut seen = 0u32;
        for d in 0..32 {
            let system = conditions::system(d);
            for _ in 0..1000 {
                let (before, block) = (rng.chain(), system.solution(&mut rng));
                let mut chain = Chain::at(before, Flags::default());
                assert_eq!(chain.block(&block), None);
                let (last, other_before) = chain.last_recompression().expect("it passes the filter");
                assert_eq!(last, mask(&expand(&block)).ilog2() as usize);
                assert_eq!(recompress(&before, &block, last).0, other_before, "vector {last}");
                seen |= 1 << last;
            }
        }
        assert_eq!(seen, !0, "every vector was the last one for some block");
    }
}

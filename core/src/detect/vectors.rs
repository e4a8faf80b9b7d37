//! The 32 disturbance vectors (DVs) and the message differences they imply.
//!
//! A collision attack on SHA-1 follows a disturbance vector: where in the 80
//! steps it starts a local collision. There are two families, I(K,b) and
//! II(K,b): K shifts the pattern in time, b rotates it. All that detection
//! needs of a vector is the xor difference of the two expanded messages, and
//! within a family that difference is one infinite sequence, cut at K and
//! rotated by b. The sequence obeys SHA-1's own message expansion, so sixteen
//! words of it are the whole table (Manuel 2011; Stevens and Shumow 2017,
//! section 3).

use core::fmt;

/// A disturbance vector, by its index in the reference's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DisturbanceVector(u8);

/// How many vectors are checked.
pub(crate) const COUNT: usize = 32;

/// Family (1 or 2), K, b; in the reference's order, which is that of its mask
/// and of the checks within a block.
#[rustfmt::skip]
pub(super) const PARAMETERS: [(u8, u8, u8); COUNT] = [
    (1, 43, 0), (1, 44, 0), (1, 45, 0), (1, 46, 0), (1, 46, 2), (1, 47, 0), (1, 47, 2), (1, 48, 0),
    (1, 48, 2), (1, 49, 0), (1, 49, 2), (1, 50, 0), (1, 50, 2), (1, 51, 0), (1, 51, 2), (1, 52, 0),
    (2, 45, 0), (2, 46, 0), (2, 46, 2), (2, 47, 0), (2, 48, 0), (2, 49, 0), (2, 49, 2), (2, 50, 0),
    (2, 50, 2), (2, 51, 0), (2, 51, 2), (2, 52, 0), (2, 53, 0), (2, 54, 0), (2, 55, 0), (2, 56, 0),
];

/// Words K..K+16 of the message difference of I(K,0) and of II(K,0).
const SEEDS: [[u32; 16]; 2] = [
    [0x10, 0xa000_0000, 0, 0x2000_0000, 0x2000_0000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    [0x2000_0000, 0x8000_0000, 0x10, 0, 0x2000_0010, 0xa000_0000, 0, 0x2000_0000, 0x2000_0000, 0, 0, 0, 0, 0, 0, 1],
];

/// The first sixteen words of a vector's message difference: all the others
/// follow by the message expansion, which is linear.
const fn difference(family: u8, k: u8, b: u8) -> [u32; 16] {
    let seed = SEEDS[family as usize - 1];
    // Run the expansion backwards from step K to step 0. `w` holds a window
    // of sixteen words as a ring: word t at t % 16.
    let k = k as usize;
    let mut w = [0; 16];
    let mut i = 0;
    while i < 16 {
        w[(k + i) % 16] = seed[i].rotate_left(b as u32);
        i += 1;
    }
    let mut t = k;
    while t > 0 {
        t -= 1;
        // W[t+16] = rotl1(W[t+13] ^ W[t+8] ^ W[t+2] ^ W[t]), solved for W[t].
        w[t % 16] = w[t % 16].rotate_right(1) ^ w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16];
    }
    w
}

/// Message difference of each vector: words 0 to 15.
pub(crate) const DIFFERENCES: [[u32; 16]; COUNT] = {
    let mut all = [[0; 16]; COUNT];
    let mut d = 0;
    while d < COUNT {
        let (family, k, b) = PARAMETERS[d];
        all[d] = difference(family, k, b);
        d += 1;
    }
    all
};

/// Likewise, as the bytes of a block.
pub(crate) const DIFFERENCE_BYTES: [[u8; 64]; COUNT] = {
    let mut all = [[0; 64]; COUNT];
    let mut i = 0;
    while i < COUNT * 64 {
        all[i / 64][i % 64] = DIFFERENCES[i / 64][i % 64 / 4].to_be_bytes()[i % 4];
        i += 1;
    }
    all
};

/// The vectors that are recompressed from step 58; the others from step 65.
///
/// At that step the two messages of an attack have the same working state.
/// The reference uses 58 for I(43..49) and II(45..49) and 65 for the rest.
pub(crate) const FROM_58: u32 = {
    let mut mask = 0;
    let mut d = 0;
    while d < COUNT {
        if PARAMETERS[d].1 < 50 {
            mask |= 1 << d;
        }
        d += 1;
    }
    mask
};

impl DisturbanceVector {
    pub(crate) const fn new(index: usize) -> Self {
        assert!(index < COUNT);
        Self(index as u8)
    }

    /// All vectors, in the reference's order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self::new)
    }

    /// Place in the reference's list, and bit in its mask: 0 to 31.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The step from which a block is recompressed: 58 or 65.
    pub(crate) const fn step(self) -> usize {
        if FROM_58 >> self.0 & 1 == 1 { 58 } else { 65 }
    }

    /// The xor of the two messages' blocks, as sixteen words.
    #[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
    pub fn difference(self) -> [u32; 16] {
        // Of the bytes, so that a wasm module has one table.
        let bytes = &DIFFERENCE_BYTES[self.index()];
        core::array::from_fn(|t| {
            u32::from_be_bytes([bytes[4 * t], bytes[4 * t + 1], bytes[4 * t + 2], bytes[4 * t + 3]])
        })
    }
}

/// Each vector's name, padded with zeros. Ready-made, so that a wasm module
/// that names vectors need not bring the formatting of numbers.
const NAMES: [[u8; 8]; COUNT] = {
    let mut names = [[0; 8]; COUNT];
    let mut d = 0;
    while d < COUNT {
        let (family, k, b) = PARAMETERS[d];
        let (k1, k2, b) = (b'0' + k / 10, b'0' + k % 10, b'0' + b);
        names[d] = match family {
            1 => [b'I', b'(', k1, k2, b',', b, b')', 0],
            _ => [b'I', b'I', b'(', k1, k2, b',', b, b')'],
        };
        d += 1;
    }
    names
};

impl DisturbanceVector {
    /// The name, such as `II(52,0)`: at most 8 bytes.
    pub fn name(self) -> &'static str {
        static NAMES: [[u8; 8]; COUNT] = self::NAMES;
        let name = &NAMES[self.index()];
        let len = if name[7] == 0 { 7 } else { 8 };
        // SAFETY: ASCII. (Checking it would take more code than all else.)
        unsafe { core::str::from_utf8_unchecked(&name[..len]) }
    }
}

impl fmt::Display for DisturbanceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for DisturbanceVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

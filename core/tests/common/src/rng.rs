//! Random input from a seed that is printed when a test fails.

use std::time::{SystemTime, UNIX_EPOCH};

/// The next value of a SplitMix64 sequence.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// xoshiro256**, seeded by SplitMix64.
pub struct Rng {
    state: [u64; 4],
    /// What to say when the test that owns it panics.
    told: Option<u64>,
}

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        let mut seed = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut seed)), told: None }
    }

    /// The generator of one test: another seed in every run, or the one in
    /// `SHA1DC_TEST_SEED`. A test that fails says which it was.
    pub fn of_test() -> Self {
        let seed = match std::env::var("SHA1DC_TEST_SEED") {
            Ok(text) => parse(&text).unwrap_or_else(|| panic!("SHA1DC_TEST_SEED={text} is no number")),
            Err(_) => fresh_seed(),
        };
        Self { told: Some(seed), ..Self::new(seed) }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let value = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        value
    }

    /// A number in `0..end`.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "nothing is below 0");
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the slice.
    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]);
        }
    }

    /// That many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.fill(&mut bytes);
        bytes
    }

    /// A random block.
    pub fn block(&mut self) -> [u8; 64] {
        let mut block = [0; 64];
        self.fill(&mut block);
        block
    }

    /// A random chaining value.
    pub fn chain(&mut self) -> [u32; 5] {
        std::array::from_fn(|_| self.bits() as u32)
    }

    /// Cuts `data` into pieces of random sizes, most of them small, some of
    /// them empty.
    pub fn cut<'a>(&mut self, mut data: &'a [u8]) -> Vec<&'a [u8]> {
        let mut pieces = Vec::new();
        while !data.is_empty() {
            let most = *self.choose(&[1, 8, 64, 130, 700, 1100, 5000, usize::MAX]);
            let (piece, rest) = data.split_at(self.below(most.min(data.len()) + 1));
            pieces.push(piece);
            data = rest;
        }
        pieces
    }
}

impl Drop for Rng {
    fn drop(&mut self) {
        if let Some(seed) = self.told.filter(|_| std::thread::panicking()) {
            eprintln!("the seed was {seed:#x}: run it again with SHA1DC_TEST_SEED={seed:#x}");
        }
    }
}

/// A number in decimal, or in hexadecimal after `0x`.
pub fn parse(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A seed that no other run had.
pub fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    // WebAssembly has no processes.
    let process = if cfg!(target_family = "wasm") { 0 } else { std::process::id() };
    split_mix(&mut (now ^ u64::from(process) << 32))
}

//! SHA-1 itself, one block at a time and nothing clever: constants, the
//! message expansion and the rounds (FIPS 180-4, sections 4.1.1, 4.2.1, 6.1).
//!
//! Every fast path is compared with this one, and the paths that only an
//! attacked message takes are built on it.

/// Size of a block in bytes.
pub(crate) const BLOCK_SIZE: usize = 64;

/// Initial chaining value.
pub(crate) const INITIAL_H: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

/// Round constants, one for each 20 steps.
pub(crate) const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// A block as the sixteen big-endian words it stands for.
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
pub(crate) fn words(block: &[u8; BLOCK_SIZE]) -> [u32; 16] {
    core::array::from_fn(|t| u32::from_be_bytes([block[4 * t], block[4 * t + 1], block[4 * t + 2], block[4 * t + 3]]))
}

/// The sixteen words as the block they came from.
#[cfg(feature = "alloc")]
pub(crate) fn bytes(words: &[u32; 16]) -> [u8; BLOCK_SIZE] {
    let mut block = [0; BLOCK_SIZE];
    for (chunk, word) in block.chunks_exact_mut(4).zip(words) {
        chunk.copy_from_slice(&word.to_be_bytes());
    }
    block
}

/// The expanded message: 80 words.
#[cfg_attr(not(target_arch = "wasm32"), inline)]
#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
pub(crate) const fn expand(m: &[u32; 16]) -> [u32; 80] {
    let mut w = [0; 80];
    let mut t = 0;
    while t < 16 {
        w[t] = m[t];
        t += 1;
    }
    while t < 80 {
        w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        t += 1;
    }
    w
}

/// The round function of step `t`.
#[inline(always)]
const fn f(t: usize, b: u32, c: u32, d: u32) -> u32 {
    match t / 20 {
        0 => d ^ (b & (c ^ d)),
        2 => (b & c) | (d & (b | c)),
        _ => b ^ c ^ d,
    }
}

/// Step `t`, forwards.
#[inline(always)]
pub(crate) const fn step(t: usize, s: [u32; 5], w: u32) -> [u32; 5] {
    let [a, b, c, d, e] = s;
    let next = a.rotate_left(5).wrapping_add(f(t, b, c, d)).wrapping_add(e).wrapping_add(K[t / 20]).wrapping_add(w);
    [next, a, b.rotate_left(30), c, d]
}

/// Step `t`, undone: the state before it from the state after it.
#[inline(always)]
pub(crate) const fn unstep(t: usize, s: [u32; 5], w: u32) -> [u32; 5] {
    let [next, a, b30, c, d] = s;
    let b = b30.rotate_right(30);
    let e = next.wrapping_sub(a.rotate_left(5)).wrapping_sub(f(t, b, c, d)).wrapping_sub(K[t / 20]).wrapping_sub(w);
    [a, b, c, d, e]
}

/// Adds two states word by word.
#[inline(always)]
pub(crate) const fn add(x: [u32; 5], y: [u32; 5]) -> [u32; 5] {
    [
        x[0].wrapping_add(y[0]),
        x[1].wrapping_add(y[1]),
        x[2].wrapping_add(y[2]),
        x[3].wrapping_add(y[3]),
        x[4].wrapping_add(y[4]),
    ]
}

/// Steps `from` to `to`, without `to`.
#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
pub(crate) fn steps(s: [u32; 5], w: &[u32; 80], from: usize, to: usize) -> [u32; 5] {
    (from..to).fold(s, |s, t| step(t, s, w[t]))
}

/// The state before step `from`, from the state before step `to`.
#[cfg_attr(target_arch = "wasm32", inline(never))] // once in the module
pub(crate) fn unsteps(s: [u32; 5], w: &[u32; 80], from: usize, to: usize) -> [u32; 5] {
    (from..to).rev().fold(s, |s, t| unstep(t, s, w[t]))
}

/// Subtracts a state from another word by word.
#[inline(always)]
pub(crate) const fn sub(x: [u32; 5], y: [u32; 5]) -> [u32; 5] {
    [
        x[0].wrapping_sub(y[0]),
        x[1].wrapping_sub(y[1]),
        x[2].wrapping_sub(y[2]),
        x[3].wrapping_sub(y[3]),
        x[4].wrapping_sub(y[4]),
    ]
}

/// Compresses one expanded block into the chaining value.
pub(crate) fn compress(h: &mut [u32; 5], w: &[u32; 80]) {
    *h = add(*h, steps(*h, w, 0, 80));
}

//! Linear algebra over GF(2) on the 512 bits of a block.
//!
//! SHA-1's message expansion is linear, so every condition "bit a of W[i] xor
//! bit b of W[j] = v" is one linear equation in the block's bits, and a block
//! that satisfies all conditions of a disturbance vector can simply be solved
//! for. A random block does so once in 2^6 to 2^18 times.

use crate::rng::Rng;

/// Bits of a block: bit `b` of word `t` is number `32 * t + b`.
pub type Row = [u64; 8];

/// The row of one block bit.
pub fn unit(bit: usize) -> Row {
    let mut row = [0; 8];
    row[bit / 64] = 1 << (bit % 64);
    row
}

/// The xor of two rows.
pub fn xor(x: Row, y: Row) -> Row {
    std::array::from_fn(|i| x[i] ^ y[i])
}

/// The number of the lowest bit that is set.
fn lowest(row: &Row) -> Option<usize> {
    row.iter().position(|word| *word != 0).map(|i| 64 * i + row[i].trailing_zeros() as usize)
}

fn bit(row: &Row, bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

/// Parity of the bits that both have.
fn dot(x: &Row, y: &Row) -> bool {
    (0..8).fold(0, |sum, i| sum ^ (x[i] & y[i])).count_ones() % 2 == 1
}

/// Which block bits make up each bit of the expanded message:
/// `expansion()[t][b]` for bit `b` of `W[t]`.
pub fn expansion() -> Vec<[Row; 32]> {
    let mut w: Vec<[Row; 32]> = (0..16).map(|t| std::array::from_fn(|b| unit(32 * t + b))).collect();
    for t in 16..80 {
        // Rotated left by one: bit b comes from bit b - 1.
        let next = std::array::from_fn(|b| {
            let b = (b + 31) % 32;
            [t - 8, t - 14, t - 16].iter().fold(w[t - 3][b], |row, from| xor(row, w[*from][b]))
        });
        w.push(next);
    }
    w
}

/// What an equation adds to a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    /// Half of the solutions are left.
    Independent,
    /// It followed from the others.
    Redundant,
    /// No solution is left; the system is as it was before.
    Contradiction,
}

/// Linear equations on the bits of a block, in reduced row echelon form.
#[derive(Clone, Default)]
pub struct System {
    /// Each with its pivot, which no other row has, and its right-hand side.
    rows: Vec<(usize, Row, bool)>,
}

impl System {
    /// Demands that the bits of `row` xor to `value`.
    pub fn add(&mut self, mut row: Row, mut value: bool) -> Added {
        for (pivot, other, other_value) in &self.rows {
            if bit(&row, *pivot) {
                row = xor(row, *other);
                value ^= other_value;
            }
        }
        let Some(pivot) = lowest(&row) else {
            return if value { Added::Contradiction } else { Added::Redundant };
        };
        for (_, other, other_value) in &mut self.rows {
            if bit(other, pivot) {
                *other = xor(*other, row);
                *other_value ^= value;
            }
        }
        self.rows.push((pivot, row, value));
        Added::Independent
    }

    /// Adds all, or none if that leaves no solution.
    pub fn add_all(&self, equations: impl IntoIterator<Item = (Row, bool)>) -> Option<Self> {
        let mut system = self.clone();
        equations.into_iter().all(|(row, value)| system.add(row, value) != Added::Contradiction).then_some(system)
    }

    /// How many independent equations it has.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Whether every solution satisfies the equation.
    pub fn implies(&self, row: Row, value: bool) -> bool {
        self.clone().add(row, value) == Added::Redundant
    }

    /// A random solution, each with the same probability.
    pub fn solution(&self, rng: &mut Rng) -> [u8; 64] {
        let mut x: Row = std::array::from_fn(|_| rng.bits());
        for (pivot, row, value) in &self.rows {
            if dot(row, &x) != *value {
                x[pivot / 64] ^= 1 << (pivot % 64);
            }
        }
        block(&x)
    }
}

/// The bytes of a block, given by its bits.
pub fn block(x: &Row) -> [u8; 64] {
    let mut block = [0; 64];
    for (t, chunk) in block.chunks_exact_mut(4).enumerate() {
        chunk.copy_from_slice(&((x[t / 2] >> (32 * (t % 2))) as u32).to_be_bytes());
    }
    block
}

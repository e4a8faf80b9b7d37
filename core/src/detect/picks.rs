//! The conditions of one block, for instruction sets that can bring any words
//! into any lanes: see [`super::across`].

use crate::detect::conditions::{CONDITIONS, Condition};

/// Conditions that are not tested by [`Pick`]s, by their place in
/// [`CONDITIONS`]: without these 28, 1 block in 19 passes instead of 1 in 20.2,
/// which costs 0.2 ns a block, and three rows of sixteen less save 1 ns. What
/// passes and proves to be an attack has all its conditions tested. Zeros do
/// not pass, nor blocks of padding alone, which every message of whole blocks
/// ends with. `cargo run --release -p conditions picks` chooses and writes them.
const RARE: [usize; 28] =
    [2, 6, 7, 11, 12, 13, 21, 22, 31, 32, 42, 43, 50, 51, 52, 56, 57, 62, 63, 69, 70, 77, 78, 116, 134, 136, 137, 153];

/// The others.
const TESTED: [Condition; CONDITIONS.len() - RARE.len()] = {
    let mut tested = [CONDITIONS[0]; CONDITIONS.len() - RARE.len()];
    let (mut c, mut rare) = (0, 0);
    while c < CONDITIONS.len() {
        if rare < RARE.len() && c == RARE[rare] {
            rare += 1;
        } else {
            tested[c - rare] = CONDITIONS[c];
        }
        c += 1;
    }
    tested
};

/// A row of conditions of any words: for instruction sets that can bring any
/// words into any lanes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Pick<const L: usize> {
    /// Places of the two words.
    pub x: [u32; L],
    pub y: [u32; L],
    /// How far the second word is rotated, to bring its bit to the first's.
    pub turn: [u32; L],
    /// The bit that is tested, and again where the two must differ.
    pub bit: [u32; L],
    pub differ: [u32; L],
    /// The vectors whose condition it is.
    pub vectors: [u32; L],
}

/// Where the word of a step stands: in order from step 36 on, with step 35 in
/// the place of step 67, which no condition has; `reversed`: the last of each
/// quad first.
const fn place(step: u8, reversed: bool) -> u32 {
    let place = if step == 35 { 31 } else { step as u32 - 36 };
    if reversed { place ^ 3 } else { place }
}

/// The [`TESTED`] conditions, in `R` rows, of words that stand as
/// [`place`] says.
pub(crate) const fn picks<const L: usize, const R: usize>(reversed: bool) -> [Pick<L>; R] {
    let none = Pick { x: [0; L], y: [0; L], turn: [0; L], bit: [0; L], differ: [0; L], vectors: [0; L] };
    let mut rows = [none; R];
    const { assert!(TESTED.len() > L * (R - 1), "a row without conditions") };
    let mut n = 0;
    while n < TESTED.len() {
        let condition = TESTED[n];
        let (row, lane) = (&mut rows[n / L], n % L);
        row.x[lane] = place(condition.i, reversed);
        row.y[lane] = place(condition.j, reversed);
        row.turn[lane] = (32 + condition.a as u32 - condition.b as u32) % 32;
        row.bit[lane] = 1 << condition.a;
        row.differ[lane] = (condition.v as u32) << condition.a;
        row.vectors[lane] = condition.vectors;
        n += 1;
    }
    rows
}

/// A row of eight conditions of words in two of four registers: for where a
/// permutation reaches over one register.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Pair {
    /// Places of the two words in their registers.
    pub x: [u32; 8],
    pub y: [u32; 8],
    /// How far each is moved to bring its bit to the top.
    pub left_x: [u32; 8],
    pub left_y: [u32; 8],
    /// The vectors that it violates if the bits are the same, or differ.
    pub same: [u32; 8],
    pub differ: [u32; 8],
    /// The two registers.
    pub from: [usize; 2],
}

/// Rows of pairs.
pub(crate) const PAIRS: usize = 20;

/// The [`TESTED`] conditions, in rows, of words that stand as
/// [`place`] says.
pub(crate) const fn pairs(reversed: bool) -> [Pair; PAIRS] {
    let zero = [0; 8];
    let none = Pair { x: zero, y: zero, left_x: zero, left_y: zero, same: zero, differ: zero, from: [0; 2] };
    let mut rows = [none; PAIRS];
    let mut used = [0; PAIRS];
    let (mut c, mut count) = (0, 0);
    while c < TESTED.len() {
        let condition = TESTED[c];
        c += 1;
        let (x, y) = (place(condition.i, reversed), place(condition.j, reversed));
        let from = [x as usize / 8, y as usize / 8];
        let mut r = 0;
        while r < count && !(rows[r].from[0] == from[0] && rows[r].from[1] == from[1] && used[r] < 8) {
            r += 1;
        }
        if r == count {
            rows[r].from = from;
            count += 1;
        }
        let (row, lane) = (&mut rows[r], used[r]);
        used[r] += 1;
        row.x[lane] = x % 8;
        row.y[lane] = y % 8;
        row.left_x[lane] = 31 - condition.a as u32;
        row.left_y[lane] = 31 - condition.b as u32;
        let violated = if condition.v == 1 { &mut row.same } else { &mut row.differ };
        violated[lane] = condition.vectors;
    }
    assert!(count == PAIRS, "rows without conditions");
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::expand;
    use std::vec::Vec;

    /// How many random blocks pass for some vector, nearly: for each vector
    /// 2^-rank. A condition joins two bits, so the rank is that of a graph.
    fn rate(conditions: &[Condition]) -> f64 {
        let rate = |vector: u32| {
            let mut parent: Vec<usize> = (0..80 * 32).collect();
            let find = |parent: &[usize], mut x: usize| {
                while parent[x] != x {
                    x = parent[x];
                }
                x
            };
            let mut rank = 0;
            for c in conditions.iter().filter(|c| c.vectors >> vector & 1 == 1) {
                let x = find(&parent, usize::from(c.i) * 32 + usize::from(c.a));
                let y = find(&parent, usize::from(c.j) * 32 + usize::from(c.b));
                if x != y {
                    parent[x] = y;
                    rank += 1;
                }
            }
            0.5_f64.powi(rank)
        };
        (0..32).map(rate).sum()
    }

    #[test]
    fn rates() {
        let (all, tested) = (1.0 / rate(&CONDITIONS), 1.0 / rate(&TESTED));
        assert!((20.1..20.3).contains(&all), "1 block in {all} passes all conditions");
        assert!((19.0..19.1).contains(&tested), "1 block in {tested} passes those that are tested");
    }

    /// Every message of whole blocks ends with such a block; would it pass, each
    /// would be recompressed.
    #[test]
    fn padding_and_zeros_do_not_pass() {
        for n in 0..4096 {
            let mut after_whole_blocks = [0; 16];
            (after_whole_blocks[0], after_whole_blocks[15]) = (0x8000_0000, n * 512);
            let mut length_alone = [0; 16];
            length_alone[15] = n * 512 + 480;
            for words in [after_whole_blocks, length_alone, [0; 16]] {
                let w = expand(&words);
                let mask = TESTED.iter().fold(!0, |mask, c| if c.holds(&w) { mask } else { mask & !c.vectors });
                assert_eq!(mask, 0, "{words:x?}");
            }
        }
    }
}

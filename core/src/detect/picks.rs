//! The conditions of one block, for instruction sets that can bring any words
//! into any lanes: see [`super::across`].

use crate::detect::conditions::CONDITIONS;

/// Conditions that are not tested by [`Pick`]s, by their place in
/// [`CONDITIONS`]: without these 28, 1 block in 19 passes instead of 1 in 20.2,
/// which costs 0.2 ns a block, and three rows of sixteen less save 1 ns. What
/// passes and proves to be an attack has all its conditions tested. Blocks of
/// padding alone, which every message of whole blocks ends with, do not pass.
const RARE: [usize; 28] =
    [2, 6, 7, 11, 12, 13, 21, 22, 31, 32, 42, 43, 50, 51, 52, 56, 57, 62, 63, 69, 70, 77, 78, 116, 134, 137, 140, 153];

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

/// All conditions but the [`RARE`] ones, in `R` rows. Words stand in order from
/// step 36 on, with step 35 in the place of step 67, which no condition has;
/// `reversed`: the last of each quad first.
pub(crate) const fn picks<const L: usize, const R: usize>(reversed: bool) -> [Pick<L>; R] {
    const fn place(step: u8, reversed: bool) -> u32 {
        let place = if step == 35 { 31 } else { step as u32 - 36 };
        if reversed { place ^ 3 } else { place }
    }
    let none = Pick { x: [0; L], y: [0; L], turn: [0; L], bit: [0; L], differ: [0; L], vectors: [0; L] };
    let mut rows = [none; R];
    let (mut c, mut rare, mut n) = (0, 0, 0);
    while c < CONDITIONS.len() {
        if rare < RARE.len() && c == RARE[rare] {
            rare += 1;
            c += 1;
            continue;
        }
        let condition = CONDITIONS[c];
        let (row, lane) = (&mut rows[n / L], n % L);
        row.x[lane] = place(condition.i, reversed);
        row.y[lane] = place(condition.j, reversed);
        row.turn[lane] = (32 + condition.a as u32 - condition.b as u32) % 32;
        row.bit[lane] = 1 << condition.a;
        row.differ[lane] = (condition.v as u32) << condition.a;
        row.vectors[lane] = condition.vectors;
        n += 1;
        c += 1;
    }
    assert!(n > L * (R - 1), "a row without conditions");
    rows
}

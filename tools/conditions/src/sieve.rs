//! The sieve for lanes of messages: which ties of two or three bits pay.
//!
//! A line of the sieve is the comparison of two or three words, the test of
//! one bit, and the removal of vectors. It may remove every vector whose
//! conditions tie its bits, so there is nothing to choose but the lines, and a
//! line is worth the recompressions that it saves: for each vector, 1 block in
//! 2^rank is a candidate, and the rank is that of its lines. The search is
//! annealing over sets of lines, then greedy: no line is left that costs more
//! than it saves, none left out that would save more than it costs, and none
//! of which another in its place would be cheaper.

use std::collections::HashMap;
use std::fmt::Write;

use crate::catalogue::{Operand, Tie, pick, tie};
use crate::classes::{Class, classes};
use crate::conditions::CONDITIONS;
use crate::random::Random;
use crate::search::exp_minus;
use crate::vectors;

/// What a block that passes for a vector costs, in ns: its recompression, and
/// what goes before it. Chosen by what batches of 16 KiB took, in ns a block:
///
/// | sieve for | AVX-512 | AVX2 | SSE2 |
/// |---|---|---|---|
/// | 22 | 15.9 | 24.5 | 50.8 |
/// | 30 | 15.9 | 24.1 | 50.9 |
/// | 40 | 16.0 | 24.1 | 50.7 |
/// | 62 | 16.2 | 24.3 | 50.5 |
/// | 100 | 16.4 | 24.4 | 50.2 |
pub(crate) const CANDIDATE: i64 = 30;

/// What an instruction costs, in fs a block. A line is the comparison, less if
/// another line makes the same, and two more; a word that is moved is one,
/// whoever needs it. A comparison of three words counts as two: it is one with
/// AVX-512, three or four elsewhere. Counted as one it gave sieves that were no
/// faster with AVX-512 and 2 % slower with AVX2 and SSE2.
const INSTRUCTION: i64 = 13_000;

/// Moves of the search, and from how many seeds; of these the best costs 1 %
/// less than the worst.
const MOVES: u32 = 3_000_000;
const SEEDS: std::ops::Range<u64> = 0..4;

/// A line that can be chosen.
struct Line {
    operands: Tie,
    bit: i32,
    /// Whether it asks two bits to differ.
    differing: bool,
    /// The vectors whose conditions tie its bits, with the members of each.
    members: Vec<(usize, u32)>,
    /// Which comparison, and which moved words.
    comparison: usize,
    moved: Vec<usize>,
}

impl Line {
    /// The instructions of its comparison.
    fn compare(&self) -> i64 {
        self.operands.len() as i64 - 1
    }
}

/// Every line that there can be.
pub(crate) struct Lines {
    lines: Vec<Line>,
    comparisons: usize,
    words: usize,
    /// For each vector its lines.
    of_vector: Vec<Vec<usize>>,
}

/// The sieve's ring holds the last words only.
const RING: i32 = 16;

impl Lines {
    pub(crate) fn new() -> Self {
        let mut ties: HashMap<(Tie, i32), Vec<(usize, u32)>> = HashMap::new();
        for vector in 0..vectors::COUNT {
            let mut first = 0;
            for class in classes(&CONDITIONS, vector) {
                for members in (0..1_u32 << class.len()).filter(|m| matches!(m.count_ones(), 2 | 3)) {
                    let bits: Class = pick(&class, members);
                    if bits[bits.len() - 1].step - bits[0].step >= RING {
                        continue;
                    }
                    // With the result at the place of a member, which then need not be moved.
                    let mut places: Vec<i32> = bits.iter().map(|bit| bit.place).collect();
                    places.sort_unstable();
                    places.dedup();
                    for place in places {
                        ties.entry((tie(&bits, place), place)).or_default().push((vector, members << first));
                    }
                }
                first += class.len();
            }
        }
        let mut ties: Vec<_> = ties.into_iter().collect();
        ties.sort_unstable();
        let (mut comparisons, mut words) = (HashMap::new(), HashMap::new());
        let mut of_vector = vec![Vec::new(); vectors::COUNT];
        let mut lines = Vec::new();
        for ((operands, bit), members) in ties {
            for (vector, _) in &members {
                of_vector[*vector].push(lines.len());
            }
            let mut compared = operands.clone();
            if let [_, other] = &mut compared[..] {
                // The same xor; only the test differs.
                other.inverted = false;
            }
            let next = comparisons.len();
            let comparison = *comparisons.entry(compared).or_insert(next);
            let mut moved = Vec::new();
            for operand in operands.iter().filter(|operand| operand.left != 0) {
                let next = words.len();
                moved.push(*words.entry((operand.step, operand.left)).or_insert(next));
            }
            let differing = operands.iter().any(|operand| operand.inverted);
            lines.push(Line { operands, bit, differing, members, comparison, moved });
        }
        Self { lines, comparisons: comparisons.len(), words: words.len(), of_vector }
    }
}

/// Some of the lines, and what they cost, counted as they change.
struct State<'a> {
    all: &'a Lines,
    /// In fs.
    candidate: i64,
    chosen: Vec<usize>,
    /// The place of a line among the chosen.
    place: Vec<Option<usize>>,
    /// How many of the chosen need each.
    comparisons: Vec<u32>,
    words: Vec<u32>,
    /// For each vector its chosen lines and their members.
    of_vector: Vec<Vec<(usize, u32)>>,
    ranks: Vec<u32>,
    /// For each vector how many of its chosen lines ask two bits to differ.
    differing: Vec<u32>,
    instructions: i64,
}

/// How many equations these ties come to.
fn rank(ties: &[(usize, u32)]) -> u32 {
    let mut sets = [0_u32; 16];
    let mut count = 0;
    for (_, members) in ties {
        let mut joined = *members;
        let mut n = 0;
        while n < count {
            if sets[n] & joined == 0 {
                n += 1;
            } else {
                joined |= sets[n];
                count -= 1;
                sets[n] = sets[count];
            }
        }
        sets[count] = joined;
        count += 1;
    }
    sets[..count].iter().map(|set| set.count_ones() - 1).sum()
}

impl<'a> State<'a> {
    fn new(all: &'a Lines, candidate: i64) -> Self {
        Self {
            all,
            candidate: candidate * 1_000_000,
            chosen: Vec::new(),
            place: vec![None; all.lines.len()],
            comparisons: vec![0; all.comparisons],
            words: vec![0; all.words],
            of_vector: vec![Vec::new(); vectors::COUNT],
            ranks: vec![0; vectors::COUNT],
            differing: vec![0; vectors::COUNT],
            instructions: 0,
        }
    }

    fn cost(&self) -> i64 {
        let candidates = self.ranks.iter().map(|rank| self.candidate >> rank);
        // Zeros are what images of disks and of memory are full of: they shall pass for no vector, which is as if
        // 1 block in 64 were of zeros.
        let zeros = self.differing.iter().filter(|lines| **lines == 0).map(|_| self.candidate >> 6);
        self.instructions * INSTRUCTION + candidates.chain(zeros).sum::<i64>()
    }

    fn add(&mut self, line: usize) {
        let all = self.all;
        self.place[line] = Some(self.chosen.len());
        self.chosen.push(line);
        let line_data = &all.lines[line];
        self.instructions += 2 + line_data.compare() * one_more(&mut self.comparisons[line_data.comparison]);
        for word in &line_data.moved {
            self.instructions += one_more(&mut self.words[*word]);
        }
        for (vector, members) in &line_data.members {
            self.of_vector[*vector].push((line, *members));
            self.ranks[*vector] = rank(&self.of_vector[*vector]);
            self.differing[*vector] += u32::from(line_data.differing);
        }
    }

    fn remove(&mut self, line: usize) {
        let all = self.all;
        let place = self.place[line].take().expect("it is chosen");
        self.chosen.swap_remove(place);
        if let Some(moved) = self.chosen.get(place) {
            self.place[*moved] = Some(place);
        }
        let line_data = &all.lines[line];
        self.instructions -= 2 + line_data.compare() * one_less(&mut self.comparisons[line_data.comparison]);
        for word in &line_data.moved {
            self.instructions -= one_less(&mut self.words[*word]);
        }
        for (vector, _) in &line_data.members {
            let lines = &mut self.of_vector[*vector];
            let at = lines.iter().position(|(other, _)| *other == line).expect("each of its vectors has it");
            lines.swap_remove(at);
            self.ranks[*vector] = rank(lines);
            self.differing[*vector] -= u32::from(line_data.differing);
        }
    }

    /// Adds the lines that are not chosen, removes those that are.
    fn toggle(&mut self, lines: &[usize]) {
        for line in lines {
            match self.place[*line] {
                None => self.add(*line),
                Some(_) => self.remove(*line),
            }
        }
    }

    /// The change if these lines are toggled; it is undone.
    fn change(&mut self, lines: &[usize]) -> i64 {
        let before = self.cost();
        self.toggle(lines);
        let change = self.cost() - before;
        self.toggle(lines);
        change
    }

    /// A chosen line of this vector that is none of those.
    fn chosen_of(&self, vector: usize, none_of: &[usize], random: &mut Random) -> Option<usize> {
        let lines = &self.of_vector[vector];
        let line = lines.get(random.below(lines.len().max(1)))?.0;
        (!none_of.contains(&line)).then_some(line)
    }

    fn anneal(&mut self, moves: u32, random: &mut Random) {
        for n in 0..moves {
            let left = 1.0 - f64::from(n) / f64::from(moves);
            let temperature = INSTRUCTION as f64 * (COLD + (HOT - COLD) * left * left);
            let vector = random.below(vectors::COUNT);
            let line = self.all.of_vector[vector][random.below(self.all.of_vector[vector].len())];
            let mut toggled = vec![line];
            for _ in 0..random.below(3) {
                // Mostly what may have become worth less.
                let members = &self.all.lines[line].members;
                let vector = members[random.below(members.len())].0;
                match self.chosen_of(vector, &toggled, random) {
                    Some(other) => toggled.push(other),
                    None => {
                        let lines = &self.all.of_vector[vector];
                        let other = lines[random.below(lines.len())];
                        if !toggled.contains(&other) {
                            toggled.push(other);
                        }
                    }
                }
            }
            let before = self.cost();
            self.toggle(&toggled);
            let worse = (self.cost() - before) as f64;
            if worse > 0.0 && random.unit() >= exp_minus(worse / temperature) {
                self.toggle(&toggled);
            }
        }
    }

    /// Until no line pays by coming, going, or in place of another.
    fn settle(&mut self) {
        loop {
            let mut best: (i64, Vec<usize>) = (0, Vec::new());
            let mut look = |state: &mut Self, toggled: Vec<usize>| {
                let change = state.change(&toggled);
                if change < best.0 {
                    best = (change, toggled);
                }
            };
            for line in 0..self.all.lines.len() {
                look(self, vec![line]);
                if self.place[line].is_some() {
                    continue;
                }
                for other in self.chosen.clone() {
                    let related = |(vector, _): &(usize, u32)| {
                        self.all.lines[line].members.iter().any(|(other, _)| other == vector)
                    };
                    if self.all.lines[other].members.iter().any(related) {
                        look(self, vec![line, other]);
                    }
                }
            }
            if best.1.is_empty() {
                return;
            }
            self.toggle(&best.1);
        }
    }
}

/// 1 if there was none before.
fn one_more(count: &mut u32) -> i64 {
    *count += 1;
    i64::from(*count == 1)
}

/// 1 if there is none any more.
fn one_less(count: &mut u32) -> i64 {
    *count -= 1;
    i64::from(*count == 0)
}

/// What is accepted as worse, in instructions: at the start, and at the end.
const HOT: f64 = 3.0;
const COLD: f64 = 0.1;

/// A sieve.
pub(crate) struct Sieve<'a> {
    all: &'a Lines,
    chosen: Vec<usize>,
    instructions: i64,
    /// How many vectors a block is left with.
    candidates: f64,
    /// In fs a block.
    cost: i64,
}

impl<'a> Sieve<'a> {
    /// The cheapest that the search finds, if a candidate costs so many ns.
    pub(crate) fn best(all: &'a Lines, candidate: i64) -> Self {
        let one = |seed| {
            let mut state = State::new(all, candidate);
            state.anneal(MOVES, &mut Random::new(seed));
            state.settle();
            state.chosen.sort_unstable();
            Self {
                all,
                instructions: state.instructions,
                candidates: state.ranks.iter().map(|rank| 1.0 / f64::from(1 << rank)).sum(),
                cost: state.cost(),
                chosen: state.chosen,
            }
        };
        SEEDS.map(one).min_by_key(|sieve| sieve.cost).expect("a seed")
    }

    pub(crate) fn summary(&self) -> String {
        format!(
            "{} lines, {} instructions; {:.4} candidates a block, 1 in {:.1}; {:.2} ns a block",
            self.chosen.len(),
            self.instructions,
            self.candidates,
            1.0 / self.candidates,
            self.cost as f64 / 1e6
        )
    }

    /// The body of `sieve! { ... }`.
    pub(crate) fn text(&self) -> String {
        let mut lines: Vec<&Line> = self.chosen.iter().map(|line| &self.all.lines[*line]).collect();
        lines.sort_by_key(|line| (step(line), &line.operands, line.bit));
        let mut text = format!("    candidates {:.0} in 1000000 blocks;\n", self.candidates * 1e6);
        let mut last = None;
        for line in lines {
            if last != Some(step(line)) {
                let _ = writeln!(text, "{}    step {} {{", if last.is_some() { "    }\n" } else { "" }, step(line));
                last = Some(step(line));
            }
            let operands: Vec<String> = line.operands.iter().map(written).collect();
            let vectors = line.members.iter().fold(0_u32, |mask, (vector, _)| mask | 1 << vector);
            let (count, operands) = (operands.len(), operands.join(", "));
            let _ = writeln!(text, "        same{count}({operands}) bit {} of 0x{vectors:08x};", line.bit);
        }
        text.push_str("    }");
        text
    }
}

/// An operand as the macro reads it.
fn written(operand: &Operand) -> String {
    let sign = if operand.inverted { '-' } else { '+' };
    match operand.left {
        0 => format!("{sign} {}", operand.step),
        left if left > 0 => format!("{sign} {} shl {left}", operand.step),
        left => format!("{sign} {} shr {}", operand.step, -left),
    }
}

/// The step whose word is the last that the line needs.
fn step(line: &Line) -> i32 {
    line.operands.iter().map(|operand| operand.step).max().expect("operands")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state with these lines, counted anew.
    fn of<'a>(all: &'a Lines, candidate: i64, lines: &[usize]) -> State<'a> {
        let mut state = State::new(all, candidate);
        state.toggle(lines);
        state
    }

    #[test]
    fn every_line_pays_and_no_other_would() {
        let all = Lines::new();
        for candidate in [5, 50] {
            let mut state = State::new(&all, candidate);
            state.anneal(20_000, &mut Random::new(7));
            state.settle();
            let cost = of(&all, candidate, &state.chosen).cost();
            assert_eq!(state.cost(), cost, "what is counted as it changes is what it is");
            for line in 0..all.lines.len() {
                let mut other = state.chosen.clone();
                match other.iter().position(|chosen| *chosen == line) {
                    Some(at) => {
                        other.swap_remove(at);
                    }
                    None => other.push(line),
                }
                assert!(of(&all, candidate, &other).cost() >= cost, "line {line}");
            }
        }
    }

    #[test]
    fn ranks() {
        assert_eq!(rank(&[]), 0);
        assert_eq!(rank(&[(0, 0b11), (0, 0b111)]), 2);
        assert_eq!(rank(&[(0, 0b11), (0, 0b1100)]), 2);
        assert_eq!(rank(&[(0, 0b11), (0, 0b1100), (0, 0b0110), (0, 0b1001)]), 3);
        assert_eq!(rank(&[(0, 0b0111), (0, 0b111_0000), (0, 0b1_1000)]), 5);
    }
}

//! Everything that the search may choose from.
//!
//! A *tie* says that some bits are all the same. Between two or three bits it
//! is one operation; between more it is the conjunction of smaller ties that
//! overlap, and worth a name if several vectors need it. A tie acts on whole
//! words, so one value serves every class that has the same pattern at any
//! place: a *use* is a tie, and how far its value is moved from there.

use std::collections::HashMap;

use crate::classes::{Class, Member};

/// A word moved left (right if negative) so that the bit that counts comes to
/// where the tie's result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Operand {
    pub(crate) step: i32,
    pub(crate) left: i32,
    pub(crate) inverted: bool,
}

/// Bits to be all the same. Sorted; the first is not inverted.
pub(crate) type Tie = Vec<Operand>;

/// A tie's value, moved left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Use {
    pub(crate) tie: usize,
    pub(crate) left: i32,
}

/// A use that connects some members of a goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Index into [`Catalogue::uses`].
    pub(crate) usage: usize,
    /// The members, as bits.
    pub(crate) members: u32,
}

/// Bits to be tied together by choices that cover them and overlap.
#[derive(Debug)]
pub(crate) struct Goal {
    /// How many bits.
    pub(crate) size: u32,
    /// The vector that it is a class of; none for a tie of more than three.
    pub(crate) vector: Option<usize>,
    /// What there is to choose from.
    pub(crate) choices: Vec<Choice>,
}

/// All ties, uses and goals.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) ties: Vec<Tie>,
    pub(crate) uses: Vec<Use>,
    /// First the classes of all vectors.
    pub(crate) goals: Vec<Goal>,
    /// For each tie of more than three bits its goal.
    pub(crate) goal_of: Vec<Option<usize>>,
    tie_index: HashMap<Tie, usize>,
    use_index: HashMap<Use, usize>,
}

/// Ties up to this size are one operation.
pub(crate) const DIRECT: usize = 3;

impl Catalogue {
    /// `classes`: each with its vector and the place of that vector's result.
    pub(crate) fn new(classes: &[(usize, i32, Class)]) -> Self {
        let mut all = Self::default();
        let shared = shared_ties(classes);
        for tie in &shared {
            all.tie(tie.clone());
        }
        for (vector, at, class) in classes {
            let mut choices = all.direct(class, *at, &[0, 25, -25, 5, -5], 0..32);
            choices.extend(all.wide(class, *at, &shared, true));
            all.goals.push(Goal { size: class.len() as u32, vector: Some(*vector), choices });
        }
        for tie in &shared {
            // Seen from its result, at place 0. Any place of a member is a place in every class that has the
            // tie; others may not be.
            let class: Class =
                tie.iter().map(|o| Member { step: o.step, place: -o.left, inverted: o.inverted }).collect();
            let mut choices = all.direct(&class, 0, &[0], -31..32);
            let smaller: Vec<Tie> = shared.iter().filter(|other| other.len() < tie.len()).cloned().collect();
            choices.extend(all.wide(&class, 0, &smaller, false));
            let index = all.tie_index[tie];
            all.goal_of[index] = Some(all.goals.len());
            all.goals.push(Goal { size: class.len() as u32, vector: None, choices });
        }
        all
    }

    fn tie(&mut self, tie: Tie) -> usize {
        *self.tie_index.entry(tie).or_insert_with_key(|tie| {
            self.ties.push(tie.clone());
            self.goal_of.push(None);
            self.ties.len() - 1
        })
    }

    fn choice(&mut self, tie: Tie, left: i32, members: u32) -> Choice {
        let usage = Use { tie: self.tie(tie), left };
        let usage = *self.use_index.entry(usage).or_insert_with(|| {
            self.uses.push(usage);
            self.uses.len() - 1
        });
        Choice { usage, members }
    }

    /// Ties of two or three members, with the result at the place of a member or of the goal, or that far from it.
    fn direct(&mut self, class: &Class, at: i32, around: &[i32], places: std::ops::Range<i32>) -> Vec<Choice> {
        let mut choices = Vec::new();
        for members in (0..1_u32 << class.len()).filter(|m| (2..=DIRECT as u32).contains(&m.count_ones())) {
            let chosen = pick(class, members);
            let mut results = vec![at];
            for member in &chosen {
                results.extend(around.iter().map(|by| member.place + by).filter(|place| places.contains(place)));
            }
            results.sort_unstable();
            results.dedup();
            choices.extend(results.iter().map(|result| self.choice(tie(&chosen, *result), at - result, members)));
        }
        choices
    }

    /// Ties of more members, of those in `shared`.
    fn wide(&mut self, class: &Class, at: i32, shared: &[Tie], absolute: bool) -> Vec<Choice> {
        let mut choices = Vec::new();
        for wide in shared.iter().filter(|tie| tie.len() <= class.len()) {
            let places: Vec<i32> = class.iter().filter(|m| m.step == wide[0].step).map(|m| m.place).collect();
            for result in places.iter().map(|place| place + wide[0].left) {
                let members = class.iter().enumerate().filter(|(_, member)| {
                    wide.iter().any(|o| (o.step, o.left) == (member.step, result - member.place))
                });
                let members = members.fold(0, |members, (n, _)| members | 1 << n);
                let is_place = if absolute {
                    (0..32).contains(&result)
                } else {
                    class.iter().any(|m| m.place == result) || result == at
                };
                if is_place && tie(&pick(class, members), result) == *wide {
                    choices.push(self.choice(wide.clone(), at - result, members));
                }
            }
        }
        choices
    }
}

pub(crate) fn pick(class: &Class, members: u32) -> Class {
    class.iter().enumerate().filter(|(n, _)| members >> n & 1 == 1).map(|(_, member)| *member).collect()
}

/// The tie of these bits whose result is at `result`.
pub(crate) fn tie(bits: &[Member], result: i32) -> Tie {
    let mut tie: Tie =
        bits.iter().map(|bit| Operand { step: bit.step, left: result - bit.place, inverted: bit.inverted }).collect();
    tie.sort_unstable();
    if tie.first().is_some_and(|first| first.inverted) {
        tie.iter_mut().for_each(|operand| operand.inverted ^= true);
    }
    tie
}

/// What two classes have in common, and its parts: ties of more than three
/// bits that can be worth a name.
fn shared_ties(classes: &[(usize, i32, Class)]) -> Vec<Tie> {
    let mut shared = Vec::new();
    for (n, (_, at, one)) in classes.iter().enumerate() {
        for (_, _, other) in classes.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, class)| class) {
            let moves = one.iter().flat_map(|a| {
                other.iter().filter(|b| b.step == a.step).map(|b| (b.place - a.place, a.inverted != b.inverted))
            });
            let mut moves: Vec<(i32, bool)> = moves.collect();
            moves.sort_unstable();
            moves.dedup();
            for (by, inverted) in moves {
                let common = |a: &Member| {
                    let moved = Member { step: a.step, place: a.place + by, inverted: a.inverted ^ inverted };
                    other.contains(&moved)
                };
                let common: Class = one.iter().filter(|a| common(a)).copied().collect();
                for members in (0..1_u32 << common.len()).filter(|m| m.count_ones() > DIRECT as u32) {
                    shared.push(tie(&pick(&common, members), *at));
                }
            }
        }
    }
    // Small ones first.
    shared.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    shared.dedup();
    shared
}

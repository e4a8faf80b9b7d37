//! From the choices to a list of operations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::catalogue::Catalogue;
use crate::costs::Costs;
use crate::state::Solution;

/// What an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A word of the expanded message.
    Word(i32),
    /// The result of an earlier line.
    Line(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Moves left, or right if negative.
    Shift(i32),
    /// Ones where all are the same; the flags invert.
    Same,
    /// The conjunction.
    All,
}

/// One operation.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) operation: Operation,
    pub(crate) arguments: Vec<(bool, Value)>,
    /// The vector whose result it is.
    pub(crate) vector: Option<usize>,
}

impl Line {
    pub(crate) fn cost(&self, costs: Costs) -> i64 {
        match self.operation {
            Operation::Shift(_) => costs.one(),
            Operation::Same => costs.same(self.arguments.len()),
            Operation::All => costs.all(self.arguments.len()),
        }
    }
}

/// What a conjunction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Part {
    Use(usize),
    /// A part of several conjunctions.
    Shared(usize),
}

/// What needs to be all true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Whole {
    Vector(usize),
    Tie(usize),
    Shared(usize),
}

type Conjunctions = BTreeMap<Whole, BTreeSet<Part>>;

/// A solution whose conjunctions share what they have in common.
pub(crate) struct Plan<'a> {
    all: &'a Catalogue,
    conjunctions: Conjunctions,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(all: &'a Catalogue, solution: &Solution, costs: Costs) -> Self {
        let mut plan = Self { all, conjunctions: BTreeMap::new() };
        for (goal, choices) in all.goals.iter().zip(solution) {
            if let Some(vector) = goal.vector {
                let parts = plan.conjunctions.entry(Whole::Vector(vector)).or_default();
                parts.extend(choices.iter().map(|choice| Part::Use(choice.usage)));
            }
        }
        // The wide ties that they need, and those that these need.
        let mut needed: Vec<usize> = plan.conjunctions.values().flatten().filter_map(|part| plan.wide(*part)).collect();
        while let Some(tie) = needed.pop() {
            let goal = all.goal_of[tie].expect("a wide tie");
            let parts: BTreeSet<Part> = solution[goal].iter().map(|choice| Part::Use(choice.usage)).collect();
            needed.extend(parts.iter().filter_map(|part| plan.wide(*part)));
            plan.conjunctions.insert(Whole::Tie(tie), parts);
        }
        while plan.share(costs) {}
        while plan.inline() {}
        plan
    }

    fn wide(&self, part: Part) -> Option<usize> {
        let Part::Use(usage) = part else { return None };
        let tie = self.all.uses[usage].tie;
        self.all.goal_of[tie].map(|_| tie)
    }

    /// Computes the part once that it pays most to compute once.
    fn share(&mut self, costs: Costs) -> bool {
        let mut gains: BTreeMap<Vec<Part>, i64> = BTreeMap::new();
        for parts in self.conjunctions.values() {
            let parts: Vec<Part> = parts.iter().copied().collect();
            for members in (0..1_u64 << parts.len()).filter(|m| (2..=4).contains(&m.count_ones())) {
                let some: Vec<Part> =
                    parts.iter().enumerate().filter(|(n, _)| members >> n & 1 == 1).map(|(_, part)| *part).collect();
                let gain = costs.all(parts.len()) - costs.all(parts.len() + 1 - some.len());
                let price = -costs.all(some.len());
                *gains.entry(some).or_insert(price) += gain;
            }
        }
        let best = gains.into_iter().filter(|(_, gain)| *gain > 0).max_by_key(|(_, gain)| *gain);
        let Some((some, _)) = best else { return false };
        let some: BTreeSet<Part> = some.into_iter().collect();
        let name = self.conjunctions.keys().filter(|whole| matches!(whole, Whole::Shared(_))).count();
        for parts in self.conjunctions.values_mut().filter(|parts| some.is_subset(parts)) {
            parts.retain(|part| !some.contains(part));
            parts.insert(Part::Shared(name));
        }
        self.conjunctions.insert(Whole::Shared(name), some);
        true
    }

    /// Writes out one conjunction that a single other one needs, as it is.
    fn inline(&mut self) -> bool {
        for (whole, parts) in &self.conjunctions {
            let needs = |part: &Part| match (whole, *part) {
                (Whole::Shared(n), Part::Shared(m)) => *n == m,
                (Whole::Tie(tie), Part::Use(usage)) => *tie == self.all.uses[usage].tie,
                _ => false,
            };
            let users: Vec<(Whole, Part)> = self
                .conjunctions
                .iter()
                .flat_map(|(user, parts)| parts.iter().filter(|part| needs(part)).map(|part| (*user, *part)))
                .collect();
            let [(user, part)] = users[..] else { continue };
            if matches!(part, Part::Use(usage) if self.all.uses[usage].left != 0) {
                continue;
            }
            let (whole, parts) = (*whole, parts.clone());
            self.conjunctions.remove(&whole);
            let into = self.conjunctions.get_mut(&user).expect("it is one of them");
            into.remove(&part);
            into.extend(parts);
            return true;
        }
        false
    }

    /// The operations, the vectors' results in the given order.
    pub(crate) fn lines(&self, order: &[usize]) -> Vec<Line> {
        let mut writer = Writer { plan: self, lines: Vec::new(), known: HashMap::new() };
        for vector in order {
            writer.whole(Whole::Vector(*vector), Some(*vector));
        }
        writer.lines
    }
}

/// What a line is the value of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Word(i32, i32),
    Tie(usize),
    Use(usize),
    Shared(usize),
}

struct Writer<'a> {
    plan: &'a Plan<'a>,
    lines: Vec<Line>,
    known: HashMap<Name, Value>,
}

impl Writer<'_> {
    fn line(&mut self, operation: Operation, arguments: Vec<(bool, Value)>, vector: Option<usize>) -> Value {
        self.lines.push(Line { operation, arguments, vector });
        Value::Line(self.lines.len() - 1)
    }

    fn once(&mut self, name: Name, write: impl FnOnce(&mut Self) -> Value) -> Value {
        if let Some(value) = self.known.get(&name) {
            return *value;
        }
        let value = write(self);
        self.known.insert(name, value);
        value
    }

    fn whole(&mut self, whole: Whole, vector: Option<usize>) -> Value {
        let parts = &self.plan.conjunctions[&whole];
        let arguments: Vec<(bool, Value)> = parts.iter().map(|part| (false, self.part(*part))).collect();
        self.line(Operation::All, arguments, vector)
    }

    fn part(&mut self, part: Part) -> Value {
        match part {
            Part::Shared(n) => self.once(Name::Shared(n), |this| this.whole(Whole::Shared(n), None)),
            Part::Use(usage) => self.once(Name::Use(usage), |this| {
                let of = this.plan.all.uses[usage];
                let tie = this.tie(of.tie);
                if of.left == 0 { tie } else { this.line(Operation::Shift(of.left), vec![(false, tie)], None) }
            }),
        }
    }

    fn tie(&mut self, tie: usize) -> Value {
        self.once(Name::Tie(tie), |this| {
            let all = this.plan.all;
            if all.goal_of[tie].is_some() {
                return this.whole(Whole::Tie(tie), None);
            }
            let arguments = all.ties[tie].iter().map(|o| (o.inverted, this.word(o.step, o.left))).collect::<Vec<_>>();
            this.line(Operation::Same, arguments, None)
        })
    }

    fn word(&mut self, step: i32, left: i32) -> Value {
        if left == 0 {
            return Value::Word(step);
        }
        self.once(Name::Word(step, left), |this| {
            this.line(Operation::Shift(left), vec![(false, Value::Word(step))], None)
        })
    }
}

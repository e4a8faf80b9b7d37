//! A solution, and what it costs, counted as it changes.

use crate::catalogue::{Catalogue, Choice};
use crate::costs::Costs;
use crate::random::Random;

/// For each goal its choices.
pub(crate) type Solution = Vec<Vec<Choice>>;

/// Each operation has the number of those that need it, and is paid for once.
pub(crate) struct State<'a> {
    all: &'a Catalogue,
    costs: Costs,
    /// How many need each tie, each use, each moved word.
    ties: Vec<u32>,
    uses: Vec<u32>,
    words: Vec<u32>,
    /// How many choices the classes of each vector have.
    vectors: [usize; 32],
    solution: Solution,
    /// The goals of wide ties that somebody needs.
    needed: Vec<usize>,
    cost: i64,
}

fn word(step: i32, left: i32) -> usize {
    (step * 64 + left + 32) as usize
}

impl<'a> State<'a> {
    /// A solution that takes what is cheap at the moment.
    pub(crate) fn new(all: &'a Catalogue, costs: Costs, random: &mut Random) -> Self {
        let mut state = Self {
            all,
            costs,
            ties: vec![0; all.ties.len()],
            uses: vec![0; all.uses.len()],
            words: vec![0; word(80, 0)],
            vectors: [0; 32],
            solution: vec![Vec::new(); all.goals.len()],
            needed: Vec::new(),
            cost: 0,
        };
        // Wide ties first, so that they are whole when a class takes them.
        for goal in (0..all.goals.len()).rev() {
            state.complete(goal, 8, costs.one() as f64, random);
        }
        state
    }

    pub(crate) fn cost(&self) -> i64 {
        self.cost
    }

    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }

    pub(crate) fn needed(&self) -> &[usize] {
        &self.needed
    }

    /// Whether somebody needs the goal.
    pub(crate) fn needs(&self, goal: usize) -> bool {
        self.all.goals[goal].vector.is_some() || self.needed.contains(&goal)
    }

    fn need_use(&mut self, usage: usize) {
        self.uses[usage] += 1;
        if self.uses[usage] > 1 {
            return;
        }
        let all = self.all;
        let (tie, left) = (all.uses[usage].tie, all.uses[usage].left);
        self.cost += if left == 0 { 0 } else { self.costs.one() };
        self.ties[tie] += 1;
        if self.ties[tie] > 1 {
            return;
        }
        if let Some(goal) = all.goal_of[tie] {
            self.needed.push(goal);
            self.cost += self.costs.all(self.solution[goal].len());
            for n in 0..self.solution[goal].len() {
                self.need_use(self.solution[goal][n].usage);
            }
            return;
        }
        self.cost += self.costs.same(all.ties[tie].len());
        for operand in all.ties[tie].iter().filter(|operand| operand.left != 0) {
            let word = &mut self.words[word(operand.step, operand.left)];
            self.cost += if *word == 0 { self.costs.one() } else { 0 };
            *word += 1;
        }
    }

    fn drop_use(&mut self, usage: usize) {
        self.uses[usage] -= 1;
        if self.uses[usage] > 0 {
            return;
        }
        let all = self.all;
        let (tie, left) = (all.uses[usage].tie, all.uses[usage].left);
        self.cost -= if left == 0 { 0 } else { self.costs.one() };
        self.ties[tie] -= 1;
        if self.ties[tie] > 0 {
            return;
        }
        if let Some(goal) = all.goal_of[tie] {
            self.needed.retain(|needed| *needed != goal);
            self.cost -= self.costs.all(self.solution[goal].len());
            for n in 0..self.solution[goal].len() {
                self.drop_use(self.solution[goal][n].usage);
            }
            return;
        }
        self.cost -= self.costs.same(all.ties[tie].len());
        for operand in all.ties[tie].iter().filter(|operand| operand.left != 0) {
            let word = &mut self.words[word(operand.step, operand.left)];
            *word -= 1;
            self.cost -= if *word == 0 { self.costs.one() } else { 0 };
        }
    }

    /// What a use would cost on top of what there is.
    fn price(&self, usage: usize) -> i64 {
        if self.uses[usage] > 0 {
            return 0;
        }
        let (tie, left) = (self.all.uses[usage].tie, self.all.uses[usage].left);
        let shift = if left == 0 { 0 } else { self.costs.one() };
        if self.ties[tie] > 0 {
            return shift;
        }
        if let Some(goal) = self.all.goal_of[tie] {
            let choices = &self.solution[goal];
            let prices = choices.iter().map(|choice| self.price(choice.usage));
            return shift + self.costs.all(choices.len()) + prices.sum::<i64>();
        }
        let operands = &self.all.ties[tie];
        let moved = operands.iter().filter(|o| o.left != 0 && self.words[word(o.step, o.left)] == 0).count();
        shift + self.costs.same(operands.len()) + moved as i64 * self.costs.one()
    }

    /// The cost of the conjunction that the goal's choices are part of.
    fn conjunction(&self, goal: usize) -> i64 {
        self.costs.all(match self.all.goals[goal].vector {
            Some(d) => self.vectors[d],
            None => self.solution[goal].len(),
        })
    }

    pub(crate) fn add(&mut self, goal: usize, choice: Choice) {
        let needed = self.needs(goal);
        self.cost -= if needed { self.conjunction(goal) } else { 0 };
        self.solution[goal].push(choice);
        if let Some(d) = self.all.goals[goal].vector {
            self.vectors[d] += 1;
        }
        if needed {
            self.cost += self.conjunction(goal);
            self.need_use(choice.usage);
        }
    }

    /// Takes away the goal's `n`-th choice.
    pub(crate) fn remove(&mut self, goal: usize, n: usize) {
        let needed = self.needs(goal);
        self.cost -= if needed { self.conjunction(goal) } else { 0 };
        let choice = self.solution[goal].swap_remove(n);
        if let Some(d) = self.all.goals[goal].vector {
            self.vectors[d] -= 1;
        }
        if needed {
            self.cost += self.conjunction(goal);
            self.drop_use(choice.usage);
        }
    }

    /// Takes away `n` random choices, or all that there are.
    pub(crate) fn remove_some(&mut self, goal: usize, n: usize, random: &mut Random) {
        for _ in 0..n.min(self.solution[goal].len()) {
            self.remove(goal, random.below(self.solution[goal].len()));
        }
    }

    /// Replaces the goal's choices.
    pub(crate) fn replace(&mut self, goal: usize, choices: &[Choice]) {
        while !self.solution[goal].is_empty() {
            self.remove(goal, 0);
        }
        for choice in choices {
            self.add(goal, *choice);
        }
    }

    /// Adds choices until the goal is tied together: each time, of so many
    /// random ones, the one that is cheapest for what it joins, up to noise.
    pub(crate) fn complete(&mut self, goal: usize, tries: usize, noise: f64, random: &mut Random) {
        let goal_data = &self.all.goals[goal];
        // Sets of members that are tied together so far.
        let mut sets: Vec<u32> = (0..goal_data.size).map(|n| 1 << n).collect();
        for choice in &self.solution[goal] {
            join(&mut sets, choice.members);
        }
        while sets.len() > 1 {
            let mut best: Option<(f64, Choice)> = None;
            let mut left = tries;
            while left > 0 {
                let choice = goal_data.choices[random.below(goal_data.choices.len())];
                let joined = sets.iter().filter(|set| **set & choice.members != 0).count();
                if joined < 2 {
                    continue;
                }
                left -= 1;
                // To join two more sets costs about one operation and a half.
                let gain = 1.5 * (self.costs.one() * (joined as i64 - 1)) as f64;
                let score = gain - self.price(choice.usage) as f64 + noise * random.unit();
                if best.is_none_or(|(other, _)| score > other) {
                    best = Some((score, choice));
                }
            }
            let (_, choice) = best.expect("at least one try");
            join(&mut sets, choice.members);
            self.add(goal, choice);
        }
    }
}

fn join(sets: &mut Vec<u32>, members: u32) {
    let joined = sets.iter().filter(|set| **set & members != 0).fold(members, |all, set| all | set);
    sets.retain(|set| set & members == 0);
    sets.push(joined);
}

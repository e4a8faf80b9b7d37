//! The search: simulated annealing over the ways to tie the classes together.
//!
//! The same on every machine: a fixed number of moves, and arithmetic that
//! IEEE 754 defines to the last bit.

use crate::catalogue::Catalogue;
use crate::costs::Costs;
use crate::random::Random;
use crate::state::{Solution, State};

/// What is accepted as worse, in operations: at the start, and at the end.
const HOT: f64 = 0.84;
const COLD: f64 = 0.04;

/// The best solution of `moves` moves, and its cost.
pub(crate) fn search(all: &Catalogue, costs: Costs, moves: u32, random: &mut Random) -> (Solution, i64) {
    let mut state = State::new(all, costs, random);
    let classes = all.goals.iter().filter(|goal| goal.vector.is_some()).count();
    let mut best = (state.solution().clone(), state.cost());
    for n in 0..moves {
        let left = 1.0 - f64::from(n) / f64::from(moves);
        let temperature = costs.one() as f64 * (COLD + (HOT - COLD) * left * left);
        let before = state.cost();

        // Mostly a class, sometimes a wide tie.
        let goal = match state.needed() {
            wide if !wide.is_empty() && random.below(8) == 0 => wide[random.below(wide.len())],
            _ => random.below(classes),
        };
        let mut old = vec![(goal, state.solution()[goal].clone())];
        let choices = &all.goals[goal].choices;
        let choice = choices[random.below(choices.len())];
        let wide = all.goal_of[all.uses[choice.usage].tie].filter(|wide| !state.needs(*wide));
        if let Some(wide) = wide {
            // Begin anew with a wide tie that nobody has yet; it may be thought over first.
            state.replace(wide, &[]);
            state.complete(wide, 16, temperature, random);
            state.replace(goal, &[choice]);
        } else if random.below(10) == 0 {
            // Do without a use wherever it is.
            let usage = old[0].1[random.below(old[0].1.len())].usage;
            for other in 0..classes {
                let choices = &state.solution()[other];
                let Some(at) = choices.iter().position(|choice| choice.usage == usage) else { continue };
                if other != goal {
                    old.push((other, choices.clone()));
                }
                state.remove(other, at);
                state.remove_some(other, random.below(2), random);
            }
        } else {
            let most = 1 + random.below(3);
            state.remove_some(goal, most, random);
        }
        let tries = [1, 4, 16, 64][random.below(4)];
        for (goal, _) in &old {
            state.complete(*goal, tries, temperature, random);
        }

        let worse = (state.cost() - before) as f64;
        if worse <= 0.0 || random.unit() < exp_minus(worse / temperature) {
            if state.cost() < best.1 {
                best = (state.solution().clone(), state.cost());
            }
        } else {
            for (goal, choices) in old {
                state.replace(goal, &choices);
            }
        }
    }
    best
}

/// About exp(-x).
pub(crate) fn exp_minus(x: f64) -> f64 {
    let y = 1.0 / (1.0 + x / 16.0);
    let y = y * y * (y * y);
    y * y * (y * y)
}

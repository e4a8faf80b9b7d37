//! Programs of short searches, run on words that satisfy a vector's conditions
//! and on words that violate one.

use crate::catalogue::Catalogue;
use crate::classes::{Class, classes};
use crate::conditions::CONDITIONS;
use crate::emit::Cut;
use crate::program::{Line, Operation, Plan, Value};
use crate::random::Random;
use crate::{COSTS, PIECES, place, search, vectors};

/// Whether each vector's result has its bit set.
fn run(lines: &[Line], w: &[u32; 80]) -> u32 {
    let mut values: Vec<u32> = Vec::new();
    let mut mask = 0;
    for line in lines {
        let arguments: Vec<u32> = line
            .arguments
            .iter()
            .map(|(inverted, value)| {
                let value = match value {
                    Value::Word(step) => w[*step as usize],
                    Value::Line(line) => values[*line],
                };
                if *inverted { !value } else { value }
            })
            .collect();
        let all = arguments.iter().fold(!0, |all, value| all & value);
        let value = match line.operation {
            Operation::Shift(left) if left > 0 => arguments[0] << left,
            Operation::Shift(left) => arguments[0] >> -left,
            Operation::Same => all | !arguments.iter().fold(0, |any, value| any | value),
            Operation::All => all,
        };
        values.push(value);
        if let Some(vector) = line.vector {
            mask |= (value >> place(vector) & 1) << vector;
        }
    }
    mask
}

fn expected(w: &[u32; 80]) -> u32 {
    CONDITIONS.iter().fold(!0, |mask, condition| if condition.holds(w) { mask } else { mask & !condition.vectors })
}

#[test]
fn programs_ask_what_the_conditions_ask() {
    let of_vector: Vec<Vec<Class>> = (0..vectors::COUNT).map(|vector| classes(&CONDITIONS, vector)).collect();
    let all: Vec<_> = of_vector
        .iter()
        .enumerate()
        .flat_map(|(vector, classes)| classes.iter().map(move |class| (vector, place(vector), class.clone())))
        .collect();
    let catalogue = Catalogue::new(&all);
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let (solution, _) = search::search(&catalogue, COSTS, 2_000, &mut random);
        let cut = Cut::best(&Plan::new(&catalogue, &solution, COSTS), PIECES, COSTS, 2, &mut random);
        for _ in 0..20 {
            for (vector, classes) in of_vector.iter().enumerate() {
                let mut w: [u32; 80] = std::array::from_fn(|_| random.below(1 << 32) as u32);
                for class in classes {
                    let value = random.below(2) == 1;
                    for member in class {
                        let word = &mut w[member.step as usize];
                        *word &= !(1 << member.place);
                        *word |= u32::from(value ^ member.inverted) << member.place;
                    }
                }
                let mask = run(&cut.lines, &w);
                assert_eq!(mask, expected(&w));
                assert_eq!(mask >> vector & 1, 1);
                for member in classes.iter().flatten() {
                    let mut wrong = w;
                    wrong[member.step as usize] ^= 1 << member.place;
                    let mask = run(&cut.lines, &wrong);
                    assert_eq!(mask, expected(&wrong));
                    assert_eq!(mask >> vector & 1, 0);
                }
            }
        }
    }
}

#[test]
fn classes_are_what_the_conditions_tie() {
    let of = |vector| classes(&CONDITIONS, vector);
    let ties: usize = (0..vectors::COUNT).flat_map(of).map(|class| class.len() - 1).sum();
    let conditions: u32 = CONDITIONS.iter().map(|condition| condition.vectors.count_ones()).sum();
    assert_eq!((ties, conditions), (373, 373), "no vector's conditions follow from each other");
    assert!((0..vectors::COUNT).flat_map(of).flatten().all(|member| (35..=64).contains(&member.step)));
}

//! What the tests see of the inside. No part of the public interface.
#![allow(missing_docs)]

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

pub use crate::detect::conditions::Condition;

use crate::backend::Backend;
use crate::detect::conditions::{self, CONDITIONS};
use crate::detect::program::LINES;
use crate::detect::sieve;
use crate::engine::Detection;
use crate::wide::{Message, Results, Suspect};

/// The published conditions.
pub fn conditions() -> &'static [Condition] {
    &CONDITIONS
}

/// The reference's mask, computed condition by condition.
pub fn naive_mask(w: &[u32; 80]) -> u32 {
    conditions::mask(w)
}

/// Each block's mask, as the lanes of `backend` make it.
pub fn filter_masks(backend: Backend, blocks: &[[u8; 64]], out: &mut [u32]) {
    assert_eq!(blocks.len(), out.len());
    out.fill(0);
    let mut h = [0; 5];
    backend.scan(&mut h, blocks, Detection::Observe, &mut |hit| out[hit.index] |= 1 << hit.vector.index());
}

/// Runs the real scan and tells of every recompression: block, vector, and
/// the other message's chaining value before and after the block.
pub fn recompressions(
    backend: Backend,
    h: &mut [u32; 5],
    blocks: &[[u8; 64]],
    seen: &mut dyn FnMut(usize, usize, [u32; 5], [u32; 5]),
) {
    backend.scan(h, blocks, Detection::Observe, &mut |hit| {
        seen(hit.index, hit.vector.index(), hit.other.before, hit.other.after);
    });
}

/// Runs the real batch and tells of every recompression: message, vector, and
/// the other message's chaining value before and after the block. False if the
/// backend has no lanes for messages; then nothing was done.
pub fn recompressions_many(
    backend: Backend,
    messages: &[Message<'_>],
    seen: &mut dyn FnMut(usize, usize, [u32; 5], [u32; 5]),
) -> bool {
    let order: Vec<usize> = (0..messages.len()).collect();
    let mut suspect = |s: Suspect| seen(s.message, s.vector.index(), s.other.before, s.other.after);
    let results = Results { done: &mut |_, _| {}, suspect: &mut suspect };
    backend.hash_wide(messages, &order, Detection::Observe, results)
}

/// The equations that the program of the lanes checks for a vector: each a
/// list of (step, bit), and what they xor to. Read off the program's text.
pub fn program_span(vector: usize) -> Vec<(Vec<(usize, u32)>, bool)> {
    // A value is, for each bit, a set of equations that hold where it is one;
    // or a word, moved.
    #[derive(Clone)]
    enum Value {
        Word {
            step: usize,
            left: i32,
        },
        /// Sums that are zero, as (step, left) moves and a constant.
        Holds(Vec<(Vec<(usize, i32)>, bool)>),
    }
    let mut values: Vec<(String, Value)> = Vec::new();
    let wanted = format!("vector {vector}");
    for (kind, name, op, args) in LINES {
        let parsed: Vec<&str> = args.split(',').map(str::trim).collect();
        let get = |arg: &str| -> (bool, Value) {
            let (inverted, rest) = (arg.starts_with('-'), arg[1..].trim());
            let (kind, name) = rest.split_once(char::is_whitespace).expect("a kind and a name");
            let name = name.trim();
            let value = match kind {
                "w" => Value::Word { step: name.parse().expect("a step"), left: 0 },
                _ => {
                    let key = if kind == "t" { format!("keep {name}") } else { format!("local {name}") };
                    values.iter().rev().find(|(known, _)| *known == key).expect("an earlier line").1.clone()
                }
            };
            (inverted, value)
        };
        let moved = |value: Value, by: i32| match value {
            Value::Word { step, left } => Value::Word { step, left: left + by },
            Value::Holds(sums) => Value::Holds(
                sums.into_iter()
                    .map(|(terms, v)| (terms.into_iter().map(|(step, left)| (step, left + by)).collect(), v))
                    .collect(),
            ),
        };
        let value = match *op {
            "shl" => moved(get(parsed[0]).1, parsed[1].parse().expect("a count")),
            "shr" => moved(get(parsed[0]).1, -parsed[1].parse::<i32>().expect("a count")),
            "same2" | "same3" => {
                let words: Vec<(bool, usize, i32)> = parsed
                    .iter()
                    .map(|arg| match get(arg) {
                        (inverted, Value::Word { step, left }) => (inverted, step, left),
                        _ => panic!("same of something else than words"),
                    })
                    .collect();
                let (_, first, left) = words[0];
                Value::Holds(words[1..].iter().map(|(inv, s, l)| (vec![(first, left), (*s, *l)], *inv)).collect())
            }
            "all" => Value::Holds(
                parsed
                    .iter()
                    .flat_map(|arg| match get(arg) {
                        (false, Value::Holds(sums)) => sums,
                        _ => panic!("all of something else than conditions"),
                    })
                    .collect(),
            ),
            _ => panic!("unknown operation {op}"),
        };
        let key = format!("{kind} {name}");
        if key == wanted {
            let Value::Holds(sums) = value else { panic!("a vector is conditions") };
            let bit = crate::detect::filter::result_bit(vector);
            return sums
                .into_iter()
                .map(|(terms, v)| {
                    let bits = terms.into_iter().map(|(step, left)| (step, u32::try_from(bit - left).expect("a bit")));
                    (bits.inspect(|(_, bit)| assert!(*bit < 32)).collect(), v)
                })
                .collect();
        }
        values.push((key.to_string(), value));
    }
    Vec::new()
}

/// The equations that the sieve of the lanes of messages checks for a vector,
/// in the same form. Read off its text.
pub fn sieve_span(vector: usize) -> Vec<(Vec<(usize, u32)>, bool)> {
    let mut equations = Vec::new();
    for (operands, bit, _) in sieve::LINES.iter().filter(|(_, _, vectors)| vectors >> vector & 1 == 1) {
        let parsed: Vec<(bool, (usize, u32))> = operands
            .split(',')
            .map(|operand| {
                let parts: Vec<&str> = operand.split_whitespace().collect();
                let (sign, step, left) = match parts[..] {
                    [sign, step] => (sign, step, 0),
                    [sign, step, "shl", by] => (sign, step, by.parse::<i32>().expect("a count")),
                    [sign, step, "shr", by] => (sign, step, -by.parse::<i32>().expect("a count")),
                    _ => panic!("unknown operand {operand}"),
                };
                let place = u32::try_from(*bit as i32 - left).expect("a bit");
                assert!(place < 32, "{operand}: bit {bit} is none of the word's");
                (sign == "-", (step.parse().expect("a step"), place))
            })
            .collect();
        let (inverted, first) = parsed[0];
        assert!(!inverted, "{operands}");
        equations.extend(parsed[1..].iter().map(|(inverted, other)| (vec![first, *other], *inverted)));
    }
    equations
}

//! What a vector's conditions come to: classes of bits that must be equal.

use crate::conditions::Condition;

/// A bit of the expanded message, as part of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Member {
    /// Word of the expanded message.
    pub(crate) step: i32,
    /// Bit of the word.
    pub(crate) place: i32,
    /// It is the opposite of the class's first bit.
    pub(crate) inverted: bool,
}

/// Bits that must all be the same, up to inversion.
pub(crate) type Class = Vec<Member>;

/// The classes into which the conditions of vector `d` tie the bits.
pub(crate) fn classes(conditions: &[Condition], d: usize) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    // Takes out the class of a bit, turned so that the bit is not inverted.
    let take = |classes: &mut Vec<Class>, step: u8, place: u8| {
        let (step, place) = (i32::from(step), i32::from(place));
        let find = |class: &Class| class.iter().find(|m| (m.step, m.place) == (step, place)).map(|m| m.inverted);
        match classes.iter().enumerate().find_map(|(at, class)| Some((at, find(class)?))) {
            Some((at, inverted)) => inverted_if(inverted, classes.remove(at)),
            None => vec![Member { step, place, inverted: false }],
        }
    };
    for condition in conditions.iter().filter(|condition| condition.vectors >> d & 1 == 1) {
        let mut first = take(&mut classes, condition.i, condition.a);
        if !first.iter().any(|m| (m.step, m.place) == (condition.j.into(), condition.b.into())) {
            let second = take(&mut classes, condition.j, condition.b);
            first.extend(inverted_if(condition.v == 1, second));
        }
        classes.push(first);
    }
    for class in &mut classes {
        class.sort_unstable();
        *class = inverted_if(class[0].inverted, std::mem::take(class));
    }
    classes.sort_unstable();
    classes
}

fn inverted_if(all: bool, class: Class) -> Class {
    class.into_iter().map(|member| Member { inverted: member.inverted ^ all, ..member }).collect()
}

//! Many messages in lanes, where there is neither three-input logic nor room
//! for the words in registers: expanded and filtered as in [`crate::ahead`],
//! then the rounds.
//!
//! [`crate::wide`] has no place for [`Halves`]: it tests the conditions between
//! the rounds.

use core::mem::MaybeUninit;

use crate::ahead::{Words, filter, load};
use crate::detect::halves::{Halves, Results};
use crate::detect::queue::Recompressor;
use crate::lanes::Lanes;
use crate::schedule::K;
use crate::wide::{At, Step, Steps};

/// The words of two steps, and what their filter finds.
pub(crate) struct Group<V> {
    words: [Words<V>; 2],
    halves: Halves<V>,
    results: Results<V>,
}

impl<V: Lanes> Group<V> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { words: [Words::new(), Words::new()], halves: Halves::new(), results: Results::new() }
    }
}

impl<V: Lanes, const N: usize> Steps<V, N> for Group<V> {
    /// With all conditions.
    #[inline(always)]
    unsafe fn steps(
        &mut self,
        at: &mut At<N>,
        h: &mut [[u32; N]; 5],
        steps: &mut [MaybeUninit<Step<N>>],
        detect: bool,
        recompressor: &mut Recompressor<V, N>,
    ) -> u64 {
        let (mut candidates, mut place) = (0, 0);
        for pair in steps.chunks_mut(2) {
            // SAFETY: the caller's promise; steps are memory for steps.
            unsafe {
                for (step, words) in pair.iter_mut().zip(&mut self.words) {
                    load::<V, N>(words, at.at);
                    at.leave(step.as_mut_ptr());
                    rounds(h, words, step.as_mut_ptr());
                }
                if detect {
                    let second = &self.words[pair.len() - 1];
                    let found = filter(&mut self.halves, &self.words[0], second, &mut self.results);
                    for (group, (step, lanes)) in pair.iter_mut().zip(found).enumerate() {
                        candidates |= u64::from(lanes) << place;
                        place += N;
                        let (step, mut lanes) = (step.as_mut_ptr(), lanes);
                        while lanes != 0 {
                            let lane = lanes.trailing_zeros() as usize;
                            lanes &= lanes - 1;
                            (&raw mut (*step).masks).cast::<u32>().add(lane).write(self.results.mask(group, lane));
                        }
                        recompressor.between();
                    }
                }
            }
        }
        candidates
    }
}

/// The rounds of a message in each lane, and its expansion: both together take
/// 33 ns a block in V8 (Node 20), one after the other 41. The rounds wait for
/// themselves, the expansion does not.
///
/// # Safety
///
/// The CPU has the instruction set of `V`, the first words are there, and
/// `step` is memory for a step.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))] // see `filter`
unsafe fn rounds<V: Lanes, const N: usize>(h: &mut [[u32; N]; 5], words: &mut Words<V>, step: *mut Step<N>) {
    // SAFETY: the caller's promise; all states are N words. The last word made
    // is the one after `w`, where `k` is not needed.
    unsafe {
        let before: [V; 5] = core::array::from_fn(|i| V::load(h[i].as_ptr()));
        let [mut a, mut b, mut c, mut d, mut e] = before;
        let mut at = (&raw mut *words).cast::<V>();
        // From loop to loop, so that the compiler adds it before what the step
        // waits for. It adds in the order in which it comes to know values, and
        // constants last: so K is not known to it.
        let mut first = at.read();
        // Loops of five steps: they take as long as straight lines, and leave
        // room for the code of the filter.
        macro_rules! steps {
            ($times:literal of $f:ident, $k:literal, $expand:literal: $($t:literal)*) => {
                let k = V::splat(core::hint::black_box(K[$k]));
                let mut i = 0;
                while i < $times {
                    let words = [at.add(1).read(), at.add(2).read(), at.add(3).read(), at.add(4).read(), at.add(5).read()];
                    $(
                        let word = if $t == 0 { first } else { words[($t + 4) % 5] };
                        if $expand {
                            let x = at.add($t + 13).read().xor3(at.add($t + 8).read(), at.add($t + 2).read());
                            at.add($t + 16).write(x.xor(word).rotl::<1, 31>());
                        }
                        let sum = a.rotl::<5, 27>().add(b.$f(c, d)).add(e.add(word.add(k)));
                        (a, b, c, d, e) = (sum, a, b.rotl::<30, 2>(), c, d);
                    )*
                    at = at.add(5);
                    first = words[4];
                    i += 1;
                }
            };
        }
        steps!(4 of choose, 0, true: 0 1 2 3 4);
        steps!(4 of xor3, 1, true: 0 1 2 3 4);
        steps!(4 of majority, 2, true: 0 1 2 3 4);
        for (i, word) in [a, b, c, d].into_iter().enumerate() {
            word.store((&raw mut (*step).state_60[i]).cast());
        }
        // What e was when it was a.
        e.rotl::<2, 30>().store((&raw mut (*step).a_56).cast());
        steps!(1 of xor3, 3, true: 0 1 2 3 4);
        steps!(3 of xor3, 3, false: 0 1 2 3 4);
        for (i, word) in [a, b, c, d, e].into_iter().enumerate() {
            before[i].store((&raw mut (*step).before[i]).cast());
            let after = before[i].add(word);
            after.store((&raw mut (*step).after[i]).cast());
            after.store(h[i].as_mut_ptr());
        }
    }
}

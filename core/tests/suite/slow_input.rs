//! Input that is made to be slow: blocks that pass the filter for as many
//! vectors as linear algebra allows, and so are recompressed again and again.
//! The verdicts are right all the same.

use sha1dc_core::{Message, Mode, Options, Outcome, hash_many};
use sha1dc_test_common::conditions;
use sha1dc_test_common::gf2::System;
use sha1dc_test_common::reference;
use sha1dc_test_common::rng::Rng;

use crate::support::{ATTACKS, Expected, all_of, backends, cases, check_hashers, check_pieces};

/// Long enough for every queue to fill and empty many times.
const BLOCKS: usize = 300;

/// Checks a message in one call, in random cuts, and as a batch of its parts.
fn check(message: &[u8], rng: &mut Rng) {
    let expected = Expected::of(message);
    let pieces = rng.cut(message);
    let parts: Vec<&[u8]> = message.chunks(64 * (1 + rng.below(40))).collect();
    let parts_expected: Vec<Expected> = parts.iter().map(|part| Expected::of(part)).collect();
    let parts: Vec<_> = parts.iter().map(|body| Message { head: b"", body }).collect();
    for backend in backends() {
        check_hashers(backend, &[message], &expected);
        check_hashers(backend, &pieces, &expected);
        for reduced_rounds in [false, true] {
            let options = Options { mode: Mode::Report, reduced_rounds, ubc: true, backend };
            check_pieces(options, &pieces, &expected);
            let mut out = vec![Outcome::default(); parts.len()];
            hash_many(options, &parts, &mut out);
            for (out, expected) in out.iter().zip(&parts_expected) {
                assert_eq!(*out, expected.with(options), "{options:?}");
            }
        }
    }
}

/// A message of solutions, each another one.
fn solutions(system: &System, blocks: usize, rng: &mut Rng) -> Vec<u8> {
    (0..blocks).flat_map(|_| system.solution(rng)).collect()
}

#[test]
fn blocks_that_pass_for_each_vector() {
    let mut rng = Rng::of_test();
    for d in all_of((0..32).collect(), &mut rng) {
        let message = solutions(&conditions::system(d), BLOCKS, &mut rng);
        check(&message, &mut rng);
    }
}

#[test]
fn blocks_that_pass_for_most_vectors() {
    let mut rng = Rng::of_test();
    let (set, most) = conditions::most_at_once();
    assert_eq!(set.count_ones(), 12);
    check(&solutions(most, cases(3000, 100_000), &mut rng), &mut rng);
    for d in all_of((0..32).collect(), &mut rng) {
        let (_, many) = conditions::many_at_once(d, &mut rng);
        let message = solutions(&many, BLOCKS, &mut rng);
        check(&message, &mut rng);
    }
}

#[test]
fn repeated_blocks() {
    let mut rng = Rng::of_test();
    let (_, most) = conditions::most_at_once();
    let blocks = [[0; 64], [0xff; 64], [0x80; 64], most.solution(&mut rng), rng.block()];
    let counts = [1, 2, 3, 15, 16, 17, BLOCKS];
    let pairs = blocks.into_iter().flat_map(|block| counts.map(|count| (block, count))).collect();
    for (block, count) in all_of(pairs, &mut rng) {
        check(&block.repeat(count), &mut rng);
    }
}

/// Blocks that pass beside blocks that do not, in every rhythm up to the
/// widest lanes.
#[test]
fn passing_blocks_in_every_place_of_a_group() {
    let mut rng = Rng::of_test();
    let (_, most) = conditions::most_at_once();
    let places = (1..=17).flat_map(|period| (0..period).map(move |place| (period, place))).collect();
    for (period, place) in all_of(places, &mut rng) {
        let message: Vec<u8> = (0..4 * period)
            .flat_map(|i| if i % period == place { most.solution(&mut rng) } else { rng.block() })
            .collect();
        check(&message, &mut rng);
    }
}

/// An attack, and then nothing but candidates.
#[test]
fn attacks_before_slow_input() {
    let mut rng = Rng::of_test();
    let (_, most) = conditions::most_at_once();
    for _ in 0..cases(20, 500) {
        let message = [*rng.choose(&ATTACKS), &solutions(most, 40, &mut rng)].concat();
        check(&message, &mut rng);
    }
}

/// Bits flipped one after another in a block that passes: each is a message
/// that looks like an attack to more or fewer conditions.
#[test]
fn every_bit_flipped_in_passing_blocks() {
    let mut rng = Rng::of_test();
    for d in all_of((0..32).collect(), &mut rng) {
        let block = conditions::system(d).solution(&mut rng);
        let message: Vec<u8> = (0..512)
            .flat_map(|bit| {
                let mut flipped = block;
                flipped[bit / 8] ^= 1 << (bit % 8);
                flipped
            })
            .collect();
        assert!(!reference::inspect(&message, Default::default()).hits.iter().any(|_| true));
        check(&message, &mut rng);
    }
}

//! Random messages, against the reference crates.

use sha1dc_core::{Options, inspect, twin};
use sha1dc_test_common::reference::{self, Flags};
use sha1dc_test_common::rng::Rng;

use crate::support::{
    ATTACKS, Expected, all_options, backends, cases, check_hashers, check_message, check_pieces, length, material,
    outcome, vector,
};

#[test]
fn messages_of_all_kinds_in_all_modes() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(700, 200_000) {
        let len = length(&mut rng);
        let message = material(&mut rng, len);
        let expected = Expected::of(&message);
        let pieces = rng.cut(&message);
        for backend in backends() {
            check_message(backend, &message, &expected);
            check_hashers(backend, &pieces, &expected);
            for options in all_options(backend) {
                check_pieces(options, &pieces, &expected);
            }
        }
    }
}

/// Without the filter every block is recompressed for all vectors: the
/// verdicts are the same, and those of the references without it.
#[test]
fn without_the_filter() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(150, 10_000) {
        let len = rng.below(1500);
        let message = material(&mut rng, len);
        let expected = Expected::of(&message);
        for reduced_rounds in [false, true] {
            let flags = Flags { reduced_rounds, ubc: false };
            let unfiltered = outcome(&reference::inspect(&message, flags));
            for backend in backends() {
                let options = Options { reduced_rounds, ubc: false, backend, ..Options::default() };
                assert_eq!(inspect(&message, options), unfiltered, "{options:?}");
                check_pieces(options, &[&message], &expected);
            }
        }
    }
}

/// A bit flipped anywhere in an attack: as the references say, which is
/// nearly always that it is none any more.
#[test]
fn attacks_with_one_bit_flipped() {
    let mut rng = Rng::of_test();
    for data in ATTACKS {
        let all: Vec<usize> = (0..8 * data.len()).collect();
        let some: Vec<usize> = all.iter().copied().filter(|_| cases(1, 1000) > 1 || rng.one_in(4)).collect();
        for bit in some {
            let mut message = data.to_vec();
            message[bit / 8] ^= 1 << (bit % 8);
            let expected = Expected::of(&message);
            for backend in backends() {
                check_hashers(backend, &[&message], &expected);
                check_pieces(Options { reduced_rounds: true, backend, ..Options::default() }, &[&message], &expected);
            }
        }
    }
}

/// The vectors are the reference's: order, names, all 80 words.
#[test]
fn vectors_are_the_references() {
    let names: Vec<String> = sha1dc_core::DisturbanceVector::all().map(|vector| vector.to_string()).collect();
    assert_eq!(names.len(), 32);
    for (d, name) in names.iter().enumerate() {
        assert_eq!(vector(d).index(), d);
        let block: Vec<u8> = vector(d).difference().iter().flat_map(|word| word.to_be_bytes()).collect();
        let block: [u8; 64] = block.try_into().unwrap();
        assert_eq!(reference::expand(&block), *reference::difference(d), "{name}");
        // I(K,b) with K below 50 are recompressed from step 58.
        let k: usize = name.split_once('(').unwrap().1.split_once(',').unwrap().0.parse().unwrap();
        assert_eq!(reference::step(d), if k < 50 { 58 } else { 65 }, "{name}");
    }
    let (first, last) = (&names[..16], &names[16..]);
    assert!(first.iter().all(|name| name.starts_with("I(")) && last.iter().all(|name| name.starts_with("II(")));
}

/// Honest messages have no twin.
#[test]
fn no_twin_without_an_attack() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(300, 10_000) {
        let len = length(&mut rng);
        let message = material(&mut rng, len);
        let reduced = Expected::of(&message).with(Options { reduced_rounds: true, ..Options::default() });
        match twin(&message) {
            None => {}
            Some(other) => {
                assert!(reduced.collision());
                assert_ne!(other, message);
                assert_eq!(reference::plain(&other), reference::plain(&message));
            }
        }
        if message.starts_with(ATTACKS[2]) || message.starts_with(ATTACKS[3]) {
            assert!(twin(&message).is_some());
        }
    }
}

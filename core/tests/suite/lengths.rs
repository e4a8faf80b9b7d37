//! Every length, every cut, every alignment.

use std::io::Write;

use sha1dc_core::{Hasher, Mode, Options, Sha1, mitigate, plain};
use sha1dc_test_common::rng::Rng;

use crate::support::{Expected, backends, cases, check_hashers, check_message, check_pieces, length, material};

/// Past 16 blocks, the widest group, and the padding after it.
const LONGEST: usize = 1025;

#[test]
fn every_length_in_one_call() {
    let mut rng = Rng::of_test();
    let bytes = rng.bytes(LONGEST);
    for len in 0..=LONGEST {
        for message in [&bytes[..len], &vec![0; len]] {
            let expected = Expected::of(message);
            for backend in backends() {
                check_message(backend, message, &expected);
            }
        }
    }
}

#[test]
fn every_length_byte_by_byte() {
    let mut rng = Rng::of_test();
    let bytes = rng.bytes(LONGEST);
    for len in 0..=LONGEST {
        let expected = Expected::of(&bytes[..len]);
        let pieces: Vec<_> = bytes[..len].chunks(1).collect();
        for backend in backends() {
            check_hashers(backend, &pieces, &expected);
        }
    }
}

#[test]
fn every_length_in_random_cuts() {
    let mut rng = Rng::of_test();
    let bytes = rng.bytes(LONGEST);
    for len in 0..=LONGEST {
        let expected = Expected::of(&bytes[..len]);
        let pieces = rng.cut(&bytes[..len]);
        for backend in backends() {
            check_hashers(backend, &pieces, &expected);
            check_pieces(Options { backend, ..Options::default() }, &pieces, &expected);
        }
    }
}

/// Two cuts, at and beside every block's end, so that a call begins and ends
/// with every number of buffered bytes that matters and every group size.
#[test]
fn every_pair_of_cuts_around_blocks() {
    let mut rng = Rng::of_test();
    let message = rng.bytes(LONGEST + 64);
    let expected = Expected::of(&message);
    let near: Vec<usize> = (0..=17).flat_map(|block| [64 * block, 64 * block + 1, 64 * block + 63]).collect();
    for first in &near {
        for second in near.iter().filter(|second| *second >= first && **second <= message.len()) {
            let pieces = [&message[..*first], &message[*first..*second], &message[*second..]];
            for backend in backends() {
                check_hashers(backend, &pieces, &expected);
            }
        }
    }
}

#[test]
fn every_alignment() {
    let mut rng = Rng::of_test();
    let bytes = rng.bytes(4096);
    let start = bytes.as_ptr().align_offset(64);
    for offset in 0..64 {
        for len in [1, 63, 64, 65, 300, 1024, 2000] {
            let message = &bytes[start + offset..][..len];
            let expected = Expected::of(message);
            for backend in backends() {
                check_hashers(backend, &[message], &expected);
            }
        }
    }
}

#[test]
fn long_messages_in_random_cuts() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(30, 2000) {
        let len = rng.below(300_000);
        let message = material(&mut rng, len);
        let expected = Expected::of(&message);
        let pieces = rng.cut(&message);
        for backend in backends() {
            check_hashers(backend, &pieces, &expected);
            check_pieces(Options { mode: Mode::Report, backend, ..Options::default() }, &pieces, &expected);
        }
    }
}

#[test]
fn written_to_as_to_any_writer() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(200, 2000) {
        let len = length(&mut rng);
        let message = rng.bytes(len);
        let digest = Expected::of(&message).with(Options::default()).digest;
        for backend in backends() {
            let (mut hasher, mut safe, mut bare) =
                (Hasher::on(backend), mitigate::Hasher::on(backend), plain::Hasher::on(backend));
            for piece in rng.cut(&message) {
                assert_eq!(hasher.write(piece).unwrap(), piece.len());
                safe.write_all(piece).unwrap();
                bare.write_all(piece).unwrap();
            }
            hasher.flush().unwrap();
            assert_eq!(hasher.finalize(), Ok(digest));
            assert_eq!(safe.finalize(), Ok(digest));
            assert_eq!(bare.finalize(), digest);
            let mut copied = Hasher::on(backend);
            assert_eq!(std::io::copy(&mut &message[..], &mut copied).unwrap(), len as u64);
            assert_eq!(copied.finalize(), Ok(digest));
        }
    }
}

/// A hasher that was reset, or cloned, owes nothing to what came before.
#[test]
fn used_again_and_cloned() {
    let mut rng = Rng::of_test();
    for backend in backends() {
        let (mut hasher, mut safe, mut bare) =
            (Hasher::on(backend), mitigate::Hasher::on(backend), plain::Hasher::on(backend));
        let mut chosen = Sha1::new(Options { backend, ..Options::default() });
        for _ in 0..cases(200, 5000) {
            let [noise, message, more] = std::array::from_fn(|_| {
                let len = length(&mut rng);
                material(&mut rng, len)
            });
            let expected = Expected::of(&message).with(Options::default());
            let both = Expected::of(&[&message[..], &more].concat()).with(Options::default());

            hasher.update(&noise);
            hasher.reset();
            assert!(!hasher.collision_detected());
            hasher.update(&message);
            let mut copy = hasher.clone();
            copy.update(&more);
            let digest = |result: Result<_, sha1dc_core::Collision>| result.map_err(|collision| collision.digest());
            let expect = |outcome: &sha1dc_core::Outcome| match outcome.collision() {
                false => Ok(outcome.digest),
                true => Err(outcome.digest),
            };
            assert_eq!(digest(hasher.finalize_reset()), expect(&expected));
            assert_eq!(digest(copy.finalize()), expect(&both));

            safe.update(&noise);
            safe.reset();
            safe.update(&message);
            let result = safe.finalize_reset();
            assert_eq!(result.is_err(), expected.collision());
            assert_eq!(result.unwrap_or_else(|mitigated| mitigated.digest()), expected.safe_digest);

            bare.update(&noise);
            bare.reset();
            bare.update(&message);
            assert_eq!(bare.finalize_reset(), expected.digest);

            chosen.update(&noise);
            chosen.reset();
            chosen.update(&message);
            let mut copy = chosen.clone();
            copy.update(&more);
            assert_eq!(chosen.clone().finish(), expected);
            assert_eq!(copy.finish(), both);
        }
    }
}

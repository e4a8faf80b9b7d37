//! The published collisions, in every mode. Golden values are those of the C
//! library; everything else is the references' word.

use sha1dc_core::{Backend, Hasher, Mode, Options, Outcome, digest, inspect, mitigate, plain, twin};
use sha1dc_test_common::reference;
use sha1dc_test_common::rng::Rng;

use crate::support::{
    ATTACKS, Expected, REDUCED, SHAMBLES, SHATTERED, all_of, all_options, backends, cases, check_hashers,
    check_message, check_pieces, hex, material,
};

fn report(data: &[u8], backend: Backend, reduced_rounds: bool) -> Outcome {
    inspect(data, Options { reduced_rounds, backend, ..Options::default() })
}

#[test]
fn shambles_is_detected_with_the_safe_digests_of_the_reference() {
    let safe = ["4f3d9be4a472c4dae83c6314aa6c36a064c1fd14", "9ed5d77a4f48be1dbf3e9e15650733eb850897f2"];
    for (data, safe) in SHAMBLES.into_iter().zip(safe.map(hex)) {
        for backend in backends() {
            let outcome = report(data, backend, false);
            assert!(outcome.collision());
            assert_eq!(outcome.digest, hex("8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"));
            assert_eq!(outcome.safe_digest, safe);
        }
        assert_eq!(digest(data).unwrap_err().digest(), hex("8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"));
        assert_eq!(mitigate::digest(data).unwrap_err().digest(), safe);
        assert_eq!(plain::digest(data), hex("8ac60ba76f1999a1ab70223f225aefdc78d4ddc0"));
        // A chosen-prefix collision: the other message is not made by flipping.
        assert_eq!(twin(data), None);
    }
}

#[test]
fn shattered_blocks_and_twin() {
    for (data, other) in [(SHATTERED[0], SHATTERED[1]), (SHATTERED[1], SHATTERED[0])] {
        // The second block collides; the first only has equal chaining values
        // before it, which reduced_rounds reports.
        for (reduced_rounds, offsets) in [(false, &[256][..]), (true, &[192, 256])] {
            for backend in backends() {
                let outcome = report(data, backend, reduced_rounds);
                assert_eq!(outcome.digest, hex("f92d74e3874587aaf443d1db961d4e26dde13e9c"));
                assert_eq!(outcome.collisions.iter().map(|c| c.offset).collect::<Vec<_>>(), offsets);
                for collision in &outcome.collisions {
                    let at = collision.offset as usize;
                    assert_eq!(collision.disturbance_vector.to_string(), "II(52,0)");
                    assert_eq!(collision.reduced_round, at == 192);
                    assert_eq!(collision.block, data[at..at + 64]);
                    assert_eq!(collision.partner(), other[at..at + 64]);
                }
            }
        }
        assert_eq!(twin(data).as_deref(), Some(other));
    }
}

#[test]
fn shattered_whole_files() {
    let golden = [
        ("shattered-1.pdf", "16e96b70000dd1e7c85b8368ee197754400e58ec", "d3a1d09969c3b57113fd17b23e01dd3de74a99bb"),
        ("shattered-2.pdf", "e1761773e6a35916d99f891b77663e6405313587", "92246b0b718f4c704d37bb025717cbc66babf102"),
    ];
    for (name, safe, safe_reduced) in golden {
        let file = reference::file(name);
        for (reduced_rounds, safe) in [(false, safe), (true, safe_reduced)] {
            for backend in backends() {
                let outcome = report(&file, backend, reduced_rounds);
                assert_eq!(outcome.digest, hex("38762cf7f55934b34d179ae6a4c80cadccbb7f0a"));
                assert_eq!(outcome.safe_digest, hex(safe), "{}", backend.name());
            }
        }
        // As a git blob the file is clean: the header shifts the blocks.
        let blob = [format!("blob {}\0", file.len()).as_bytes(), &file].concat();
        assert!(digest(&blob).is_ok());
    }
    assert_eq!(twin(&reference::file("shattered-1.pdf")), Some(reference::file("shattered-2.pdf")));
}

#[test]
fn reduced_rounds_only_when_asked_for() {
    for backend in backends() {
        let outcome = report(REDUCED, backend, false);
        assert!(!outcome.collision());
        assert_eq!(outcome.digest, hex("a56374e1cf4c3746499bc7c0acb39498ad2ee185"));
        assert_eq!(outcome.safe_digest, outcome.digest);
        let outcome = report(REDUCED, backend, true);
        assert!(outcome.collision() && outcome.collisions.iter().all(|c| c.reduced_round));
        assert_eq!(outcome.digest, hex("a56374e1cf4c3746499bc7c0acb39498ad2ee185"));
        assert_eq!(outcome.safe_digest, hex("dd39885a2a5d8f59030b451e00cb45da9f9d3828"));
    }
}

#[test]
fn every_attack_in_every_mode_as_the_references_say() {
    for data in ATTACKS {
        let expected = Expected::of(data);
        for backend in backends() {
            check_message(backend, data, &expected);
            for options in all_options(backend) {
                check_pieces(Options { ubc: false, ..options }, &[data], &expected);
            }
        }
    }
}

/// What follows the attack does not undo it, whatever its length.
#[test]
fn every_suffix_length() {
    let mut rng = Rng::of_test();
    let suffix = rng.bytes(300);
    for data in ATTACKS {
        let message = [data, &suffix].concat();
        for len in data.len()..=message.len() {
            let message = &message[..len];
            let expected = Expected::of(message);
            for backend in backends() {
                check_hashers(backend, &[message], &expected);
                for reduced_rounds in [false, true] {
                    check_pieces(Options { reduced_rounds, backend, ..Options::default() }, &[message], &expected);
                }
            }
        }
    }
}

/// A message that ends within the attack is honest.
#[test]
fn every_part_of_an_attack() {
    for data in ATTACKS {
        for len in 0..=data.len() {
            let expected = Expected::of(&data[..len]);
            for backend in backends() {
                check_hashers(backend, &[&data[..len]], &expected);
                check_pieces(
                    Options { reduced_rounds: true, backend, ..Options::default() },
                    &[&data[..len]],
                    &expected,
                );
            }
        }
    }
}

/// At every place in memory.
#[test]
fn every_alignment() {
    let mut rng = Rng::of_test();
    for data in ATTACKS {
        let message = [data, &rng.bytes(500)].concat();
        let expected = Expected::of(&message);
        let mut room = vec![0; message.len() + 128];
        let start = room.as_ptr().align_offset(64);
        for offset in 0..64 {
            let place = &mut room[start + offset..][..message.len()];
            place.copy_from_slice(&message);
            for backend in backends() {
                check_hashers(backend, &[place], &expected);
            }
        }
    }
}

/// Cut in two at every byte: the attacked block is then complete in the
/// buffer, or the first, or the last of a group of any size.
#[test]
fn every_cut() {
    let mut rng = Rng::of_test();
    for data in ATTACKS {
        let message = [data, &rng.bytes(1100)].concat();
        let expected = Expected::of(&message);
        for cut in all_of((0..=message.len()).collect(), &mut rng) {
            let (head, tail) = message.split_at(cut);
            for backend in backends() {
                check_hashers(backend, &[head, tail], &expected);
                check_pieces(Options { reduced_rounds: true, backend, ..Options::default() }, &[head, tail], &expected);
            }
        }
    }
}

/// Cut in three at and beside the ends of blocks, so that the call that holds
/// the attack begins and ends anywhere around it.
#[test]
fn every_pair_of_cuts_around_blocks() {
    let mut rng = Rng::of_test();
    for data in [SHAMBLES[0], SHATTERED[1], REDUCED] {
        let message = [data, &rng.bytes(1100)].concat();
        let expected = Expected::of(&message);
        let ends = |blocks| (0..=blocks).flat_map(|block| [64 * block, 64 * block + 1, 64 * block + 63]);
        for first in ends(data.len() / 64) {
            for second in ends(message.len() / 64).filter(|second| (first..=message.len()).contains(second)) {
                let pieces = [&message[..first], &message[first..second], &message[second..]];
                for backend in backends() {
                    let mut hasher = Hasher::on(backend);
                    pieces.iter().for_each(|piece| hasher.update(piece));
                    let outcome = expected.with(Options::default());
                    let digest = outcome.digest;
                    match hasher.finalize() {
                        Ok(got) => assert!(!outcome.collision() && got == digest, "{first} {second}"),
                        Err(got) => assert!(outcome.collision() && got.digest() == digest, "{first} {second}"),
                    }
                    let options = Options { mode: Mode::Mitigate, reduced_rounds: true, ubc: true, backend };
                    check_pieces(options, &pieces, &expected);
                }
            }
        }
    }
}

/// In front of messages of all kinds, in random cuts.
#[test]
fn attacks_that_go_on() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(80, 5000) {
        let len = rng.below(20_000);
        let message = [*rng.choose(&ATTACKS), &material(&mut rng, len)].concat();
        let expected = Expected::of(&message);
        let pieces = rng.cut(&message);
        for backend in backends() {
            check_hashers(backend, &pieces, &expected);
            for options in all_options(backend) {
                check_pieces(options, &pieces, &expected);
            }
        }
    }
}

/// Behind anything else an attack does not work, nor is it one.
#[test]
fn attacks_that_come_too_late() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(150, 5000) {
        let blocks = 1 + rng.below(20);
        let message = [&rng.bytes(64 * blocks), *rng.choose(&ATTACKS), &rng.bytes(200)].concat();
        let expected = Expected::of(&message);
        assert!(!expected.with(Options::default()).collision());
        for backend in backends() {
            check_message(backend, &message, &expected);
        }
    }
}

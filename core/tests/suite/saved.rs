//! Saved states: go on as if nothing had been, or be refused.

use sha1dc_core::{Backend, Mode, Options, Outcome, Sha1, StateError};
use sha1dc_test_common::reference::{self, Chain, Flags};
use sha1dc_test_common::rng::Rng;

use crate::support::{
    ATTACKS, Expected, MODES, SHAMBLES, SHATTERED, all_options, backends, cases, check_so_far, length, material,
};

/// As the module `saved` of the crate documents it.
const FLAGS: usize = 5;
const LENGTH: usize = 6;
const CHECKSUM: usize = 8;

/// Gives a state its checksum.
fn sign(mut body: Vec<u8>) -> Vec<u8> {
    let digest = reference::plain(&body);
    body.extend(&digest[..CHECKSUM]);
    body
}

/// Everything but the checksum.
fn body(state: &[u8]) -> Vec<u8> {
    state[..state.len() - CHECKSUM].to_vec()
}

fn fed(options: Options, data: &[u8]) -> Sha1 {
    let mut hasher = Sha1::new(options);
    hasher.update(data);
    hasher
}

/// Goes on with `rest` on another backend, and compares.
fn go_on(state: &[u8], backend: Backend, rest: &[u8], options: Options, expected: &Outcome, done: usize) {
    let mut hasher = Sha1::restore_on(state, backend).expect("a saved state");
    assert_eq!(hasher.save(), state, "what is restored is what was saved");
    assert_eq!(hasher.options(), Options { backend, ..options });
    assert_eq!(hasher.mode(), options.mode);
    check_so_far(&hasher, done as u64, expected);
    hasher.update(rest);
    assert_eq!(hasher.finish(), *expected, "{options:?}, then {}", backend.name());
}

#[test]
fn at_every_position_of_every_attack_in_every_mode() {
    let mut rng = Rng::of_test();
    let backends = backends();
    for attack in ATTACKS {
        let message = [attack, &rng.bytes(150)].concat();
        let expected = Expected::of(&message);
        for at in 0..=message.len() {
            let (head, tail) = message.split_at(at);
            for (i, backend) in backends.iter().enumerate() {
                for options in all_options(*backend) {
                    let state = fed(options, head).save();
                    // From each backend to the next: a state knows none.
                    let next = backends[(i + 1) % backends.len()];
                    go_on(&state, next, tail, options, &expected.with(options), at);
                }
            }
        }
    }
}

/// The state is a function of the message, not of its pieces or of the code
/// that hashed it.
#[test]
fn one_state_for_one_message() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(200, 10_000) {
        let len = length(&mut rng);
        let message = material(&mut rng, len);
        let pieces = rng.cut(&message);
        for mode in MODES {
            let reduced_rounds = rng.one_in(2);
            let options = |backend| Options { mode, reduced_rounds, ubc: true, backend };
            let state = fed(options(Backend::detect()), &message).save();
            for backend in backends() {
                let mut hasher = Sha1::new(options(backend));
                pieces.iter().for_each(|piece| hasher.update(piece));
                assert_eq!(hasher.save(), state, "{:?}", hasher.options());
            }
        }
    }
}

#[test]
fn after_every_piece() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(100, 10_000) {
        let len = length(&mut rng);
        let message = material(&mut rng, len);
        let expected = Expected::of(&message);
        let pieces = rng.cut(&message);
        for first in backends() {
            let mode = *rng.choose(&MODES);
            let options = Options { mode, reduced_rounds: rng.one_in(2), ubc: rng.one_in(2), backend: first };
            let mut hasher = Sha1::new(options);
            // Without the filter long messages take too long.
            let pieces = if options.ubc { &pieces[..] } else { &[] };
            for piece in pieces {
                hasher.update(piece);
                let backend = *rng.choose(&backends());
                hasher = Sha1::restore_on(&hasher.save(), backend).unwrap();
                assert_eq!((hasher.options().mode, hasher.options().ubc), (mode, options.ubc));
            }
            if options.ubc {
                assert_eq!(hasher.finish(), expected.with(options), "{options:?}");
            }
        }
    }
}

#[test]
fn the_public_restore_is_on_the_detected_backend() {
    for options in all_options(Backend::detect()) {
        let hasher = Sha1::restore(&fed(options, SHATTERED[0]).save()).unwrap();
        assert_eq!(hasher.options(), options);
        assert_eq!(hasher.finish(), Expected::of(SHATTERED[0]).with(options));
    }
}

/// States with every part filled and with none.
fn states() -> Vec<Vec<u8>> {
    let options = |mode, reduced_rounds| Options { mode, reduced_rounds, ..Options::default() };
    vec![
        Sha1::new(Options::default()).save(),
        fed(options(Mode::Plain, false), &[7; 100]).save(),
        fed(options(Mode::Mitigate, false), SHAMBLES[0]).save(),
        fed(options(Mode::Report, true), &[SHATTERED[0], &[1; 63]].concat()).save(),
        fed(Options { ubc: false, ..options(Mode::Detect, true) }, SHATTERED[1]).save(),
    ]
}

#[test]
fn every_bit_flipped_is_refused() {
    for state in states() {
        for bit in 0..8 * state.len() {
            let mut changed = state.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(Sha1::restore(&changed).is_err(), "bit {bit} of {}", state.len());
        }
    }
}

#[test]
fn every_byte_set_to_every_value_is_refused() {
    for state in states() {
        for at in 0..state.len() {
            for value in (0..=255).filter(|value| *value != state[at]) {
                let mut changed = state.clone();
                changed[at] = value;
                assert!(Sha1::restore(&changed).is_err(), "{value} at {at} of {}", state.len());
            }
        }
    }
}

#[test]
fn every_truncation_and_extension_is_refused() {
    let mut rng = Rng::of_test();
    for state in states() {
        for len in 0..state.len() {
            assert!(Sha1::restore(&state[..len]).is_err(), "{len} bytes of {}", state.len());
        }
        // The same with a checksum that is right.
        for len in 0..state.len() - CHECKSUM {
            assert!(Sha1::restore(&sign(state[..len].to_vec())).is_err(), "{len} bytes of {}, signed", state.len());
        }
        for more in 1..=100 {
            let tail = rng.bytes(more);
            assert!(Sha1::restore(&[&state[..], &tail].concat()).is_err(), "{more} more");
            assert!(Sha1::restore(&[&tail, &state[..]].concat()).is_err(), "{more} before");
            assert!(Sha1::restore(&sign([body(&state), tail].concat())).is_err(), "{more} more, signed");
        }
    }
}

#[test]
fn what_is_no_state_is_refused() {
    let mut rng = Rng::of_test();
    assert_eq!(Sha1::restore(&[]).unwrap_err(), StateError::Malformed);
    for len in 0..400 {
        for bytes in [rng.bytes(len), vec![0; len], vec![0xff; len]] {
            assert_eq!(Sha1::restore(&bytes).unwrap_err(), StateError::Malformed);
        }
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let state = states().swap_remove(2);
    let error = |state: &[u8]| Sha1::restore(state).unwrap_err();
    let mut changed = state.clone();
    changed[0] ^= 1;
    assert_eq!(error(&changed), StateError::Malformed);
    for version in [0, 2, 255] {
        let mut changed = body(&state);
        changed[4] = version;
        assert_eq!(error(&sign(changed)), StateError::Version(version));
    }
    for at in FLAGS..state.len() {
        let mut changed = state.clone();
        changed[at] ^= 0x80;
        assert_eq!(error(&changed), StateError::Corrupt, "byte {at}");
    }
    assert_eq!(error(&state[..3]), StateError::Malformed);
    for error in [StateError::Malformed, StateError::Version(9), StateError::Corrupt] {
        assert!(error.to_string().contains("SHA-1"), "{error}");
    }
}

/// A state that someone made, with a right checksum: refused, or what `save`
/// could have written, and then usable whatever it says.
fn hostile(state: Vec<u8>, rng: &mut Rng) -> bool {
    let backend = *rng.choose(&backends());
    let Ok(mut hasher) = Sha1::restore_on(&state, backend) else {
        return false;
    };
    assert_eq!(hasher.save(), state, "accepted, so it is as save writes it");
    let before = hasher.collisions().to_vec();
    assert_eq!(hasher.collision_detected(), !before.is_empty());
    for collision in &before {
        assert!(!collision.disturbance_vector.to_string().is_empty());
        assert_ne!(collision.partner(), collision.block);
    }
    hasher.update(&rng.bytes(200));
    assert_eq!(hasher.collisions(), before);
    let again = Sha1::restore(&hasher.save());
    let outcome = hasher.finish();
    assert!(outcome.collisions.starts_with(&before));
    // A length that goes past 2^64 bytes is the only thing that spoils it.
    match again {
        Ok(again) => assert_eq!(again.finish(), outcome),
        Err(error) => assert_eq!(error, StateError::Malformed),
    }
    true
}

/// All of the list in the long form, `some` of it otherwise.
fn all_or<T>(some: usize, mut list: Vec<T>, rng: &mut Rng) -> Vec<T> {
    let keep = cases(some, usize::MAX);
    while list.len() > keep {
        let i = rng.below(list.len());
        list.swap_remove(i);
    }
    list
}

#[test]
fn hostile_states_with_a_right_checksum() {
    let mut rng = Rng::of_test();
    let mut accepted = 0;
    for state in states() {
        let body = body(&state);
        for at in 0..body.len() {
            for value in all_or(32, (0..=255).collect(), &mut rng) {
                let mut changed = body.clone();
                changed[at] = value;
                accepted += usize::from(hostile(sign(changed), &mut rng));
            }
        }
    }
    // Chaining values, buffered bytes and blocks may be anything.
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn hostile_numbers() {
    let mut rng = Rng::of_test();
    let numbers: Vec<u64> = (0..64)
        .flat_map(|bit| [(1u64 << bit).wrapping_sub(64), (1 << bit) - 1, 1 << bit, (1 << bit) + 1])
        .chain([0, u64::MAX, u64::MAX - 63, u64::MAX - 64])
        .collect();
    for state in states() {
        let body = body(&state);
        // At every place: it is the length at one, a count or an offset at others.
        for at in 0..body.len() - 8 {
            // All of them for the length, some elsewhere.
            let some = if at == LENGTH { numbers.len() } else { 12 };
            for number in all_or(some, numbers.clone(), &mut rng) {
                let mut changed = body.clone();
                changed[at..at + 8].copy_from_slice(&number.to_be_bytes());
                hostile(sign(changed), &mut rng);
                let mut changed = body.clone();
                changed[at..at + 4].copy_from_slice(&(number as u32).to_be_bytes());
                hostile(sign(changed), &mut rng);
            }
        }
    }
}

#[test]
fn hostile_mixtures() {
    let mut rng = Rng::of_test();
    let states = states();
    for _ in 0..cases(20_000, 2_000_000) {
        let mut changed = body(&states[rng.below(states.len())]);
        for _ in 0..=rng.below(4) {
            let at = rng.below(changed.len());
            match rng.below(5) {
                0 => changed[at] = rng.bits() as u8,
                1 => changed.truncate(at.max(1)),
                2 => changed.extend(rng.bytes(74)),
                3 => {
                    // A part of another state, or of this one, in its place.
                    let other = body(&states[rng.below(states.len())]);
                    let from = rng.below(other.len());
                    let len = rng.below(80).min(other.len() - from).min(changed.len() - at);
                    changed[at..at + len].copy_from_slice(&other[from..from + len]);
                }
                _ => {
                    let end = (at + 74).min(changed.len());
                    changed.extend_from_within(at..end);
                }
            }
        }
        hostile(sign(changed), &mut rng);
    }
}

/// Lengths that no test could feed: the state of a long message is made, and
/// what follows is compared with the reference's chain and a padding by hand.
#[test]
fn lengths_beyond_every_word_size() {
    let mut rng = Rng::of_test();
    for bit in (20..61).chain([61, 62, 63]) {
        for before in [0u64, 1, 64, 200] {
            let len = (1u64 << bit).wrapping_sub(64 * (before / 64));
            for backend in backends() {
                let options = Options { mode: Mode::Report, backend, ..Options::default() };
                let mut state = body(&fed(options, &rng.bytes(64)).save());
                state[LENGTH..LENGTH + 8].copy_from_slice(&len.to_be_bytes());
                let h = rng.chain();
                for (i, word) in h.iter().enumerate() {
                    state[LENGTH + 8 + 4 * i..][..4].copy_from_slice(&word.to_be_bytes());
                }
                let mut hasher = Sha1::restore_on(&sign(state), backend).unwrap();
                let tail = rng.bytes(before as usize + 77);
                rng.cut(&tail).iter().for_each(|piece| hasher.update(piece));
                let all = len + tail.len() as u64;
                assert_eq!(hasher.bytes_hashed(), all);

                let mut padded = reference::padded(&tail);
                let at = padded.len() - 8;
                padded[at..].copy_from_slice(&all.wrapping_mul(8).to_be_bytes());
                let mut chain = Chain::at(h, Flags::default());
                padded.as_chunks::<64>().0.iter().for_each(|block| assert_eq!(chain.block(block), None));
                assert_eq!(hasher.finish().digest, reference::bytes(&chain.value()), "{all} bytes");
            }
        }
    }
}

/// An attack deep in a message: the state that the attack needs, but far from
/// the start. Offsets are then beyond 32 bits.
#[test]
fn attacks_at_offsets_beyond_32_bits() {
    let mut rng = Rng::of_test();
    for (attack, before) in [(SHATTERED[0], 256), (SHATTERED[1], 192), (SHAMBLES[0], 512), (SHAMBLES[1], 0)] {
        let expected = Expected::of(attack).with(Options::default());
        for backend in backends() {
            let options = Options { mode: Mode::Report, backend, ..Options::default() };
            let shift = 64 * (rng.bits() >> 20);
            let mut state = body(&fed(options, &attack[..before]).save());
            state[LENGTH..LENGTH + 8].copy_from_slice(&(shift + before as u64).to_be_bytes());
            let mut hasher = Sha1::restore_on(&sign(state), backend).unwrap();
            hasher.update(&attack[before..]);
            let offsets = |collisions: &[sha1dc_core::CollisionBlock]| -> Vec<u64> {
                collisions.iter().map(|collision| collision.offset).collect()
            };
            let shifted: Vec<u64> = offsets(&expected.collisions).iter().map(|offset| offset + shift).collect();
            assert_eq!(offsets(hasher.collisions()), shifted, "{}", backend.name());
        }
    }
}

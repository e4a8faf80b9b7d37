//! Every kind of call on few bytes: for interpreters and checkers (Miri,
//! valgrind), in which the other tests would take hours. `cargo xtask memory`
//! runs these there.

use sha1dc_core::{Hasher, Message, Mode, Options, Outcome, Sha1, digest_many, inspect, twin};
use sha1dc_test_common::reference::{self, Flags, mask};
use sha1dc_test_common::rng::Rng;

use crate::support::{ATTACKS, Expected, REDUCED, SHAMBLES, SHATTERED};
use crate::support::{all_options, backends, check_hashers, check_pieces, hex, passing_blocks};
use crate::{batches, recompression};

/// Blocks that pass the filter, some for each vector: solving for them takes
/// an interpreter too long.
const PASSING: &[u8] = include_bytes!("../data/passing-blocks.bin");

/// All of a list, or half of it in an interpreter.
fn few<T: Copy>(list: &[T]) -> impl Iterator<Item = T> {
    let count = if cfg!(miri) { list.len().div_ceil(2) } else { list.len() };
    list[..count].iter().copied()
}

fn passing() -> &'static [[u8; 64]] {
    PASSING.as_chunks().0
}

/// `count` blocks, most of them from [`PASSING`], beginning anywhere in it.
fn blocks(rng: &mut Rng, count: usize) -> Vec<[u8; 64]> {
    // In front, every other one is for one vector; the rest take a dozen
    // recompressions each, of every reference too.
    let list: Vec<_> =
        if cfg!(miri) { passing()[..64].iter().step_by(2).collect() } else { passing().iter().collect() };
    let first = rng.below(list.len());
    let of_list = list.into_iter().cycle().skip(first);
    of_list.take(count).map(|block| if rng.one_in(4) { rng.block() } else { *block }).collect()
}

fn message(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut message = blocks(rng, len.div_ceil(64)).into_flattened();
    message.truncate(len);
    message
}

#[test]
#[cfg_attr(miri, ignore)] // it takes minutes to solve for them
fn the_list_is_what_the_suite_solves_for() {
    let list: Vec<[u8; 64]> = passing_blocks().iter().step_by(4).copied().collect();
    if std::env::var_os("SHA1DC_TEST_WRITE").is_some() {
        std::fs::write("tests/data/passing-blocks.bin", list.as_flattened()).expect("core/tests/data");
        return;
    }
    assert!(list == passing(), "SHA1DC_TEST_WRITE=1 writes it again");
    let every = list.iter().fold(0, |all, block| all | mask(&reference::expand(block)));
    assert_eq!(every, !0, "every vector has a block");
}

#[test]
fn messages() {
    let mut rng = Rng::of_test();
    for len in few(&[0, 55, 56, 200, 1, 63, 64, 65, 64 * 17 + 9]) {
        let message = message(&mut rng, len);
        let expected = Expected::of(&message);
        for backend in backends() {
            check_hashers(backend, &[&message], &expected);
            check_hashers(backend, &rng.cut(&message), &expected);
            check_pieces(Options { backend, ..Options::default() }, &rng.cut(&message), &expected);
        }
    }
}

/// As many blocks as make every batch and queue of the scan come to its end.
#[test]
fn a_longer_message() {
    let mut rng = Rng::of_test();
    let count = if cfg!(miri) { 20 } else { 100 };
    let message = [SHAMBLES[0], &message(&mut rng, 64 * count)].concat();
    let expected = Expected::of(&message);
    for backend in backends() {
        let (head, tail) = message.split_at(message.len() - 64 * 5 - 3);
        check_pieces(Options { backend, ..Options::default() }, &[head, tail], &expected);
    }
}

#[test]
fn attacks_in_every_mode() {
    let mut rng = Rng::of_test();
    for attack in few(&[REDUCED, SHATTERED[0], SHAMBLES[0], SHATTERED[1], SHAMBLES[1]]) {
        let expected = Expected::of(attack);
        for backend in backends() {
            check_hashers(backend, &[attack], &expected);
            all_options(backend).for_each(|options| check_pieces(options, &rng.cut(attack), &expected));
        }
    }
}

#[test]
fn without_the_filter() {
    let report = reference::inspect(REDUCED, Flags { reduced_rounds: true, ubc: false });
    for backend in backends() {
        let options = Options { mode: Mode::Mitigate, reduced_rounds: true, ubc: false, backend };
        assert_eq!(inspect(REDUCED, options), crate::support::outcome(&report));
    }
}

#[test]
fn saved_and_cloned() {
    let mut rng = Rng::of_test();
    for attack in few(&[SHATTERED[0], SHAMBLES[1]]) {
        let message = [attack, b"and more"].concat();
        let expected = Expected::of(&message);
        for backend in backends() {
            for mode in [Mode::Detect, Mode::Plain] {
                let options = Options { mode, backend, ..Options::default() };
                let (head, tail) = message.split_at(rng.below(message.len()));
                let mut hasher = Sha1::new(options);
                hasher.update(head);
                let mut state = hasher.save();
                let mut restored = Sha1::restore_on(&state, backend).expect("it was just saved").clone();
                restored.update(tail);
                assert_eq!(restored.finish(), expected.with(options));
                let at = rng.below(state.len());
                state[at] ^= 1;
                assert!(Sha1::restore(&state).is_err());
                assert!(Sha1::restore(&state[..at]).is_err());
            }
        }
    }
}

/// Fewer and more messages than lanes, short and long ones, attacks among them.
#[test]
fn batches() {
    let mut rng = Rng::of_test();
    let lens: [&[usize]; 4] =
        [&[70, 3], &[300, 0, 64, 55, 120, 248, 1, 9], &[64; 21], &[0, 300, 200, 250, 1, 90, 247, 248, 500]];
    for lens in few(&lens) {
        let mut messages: Vec<Vec<u8>> = lens.iter().map(|len| message(&mut rng, *len)).collect();
        let place = rng.below(messages.len());
        messages[place] = rng.choose(&ATTACKS[..4]).to_vec();
        let batch: Vec<_> = messages.iter().cloned().map(batches::Case::of).collect();
        for backend in backends() {
            batches::check(Options { backend, ..Options::default() }, &batch, &mut rng);
        }
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let mut out = vec![Ok(Default::default()); slices.len()];
        digest_many(&slices, &mut out);
        for (i, out) in out.iter().enumerate() {
            assert_eq!(out.is_err(), i == place);
        }
    }
}

#[test]
fn recompressions() {
    let mut rng = Rng::of_test();
    for count in few(&[3, 20, 40]) {
        let blocks = blocks(&mut rng, count);
        recompression::check(rng.chain(), &blocks);
    }
    let batch: Vec<_> = few(&[300, 0, 64, 55, 90, 248, 1, 250, 30, 64, 64])
        .map(|len| recompression::Batched::new(message(&mut rng, len)))
        .collect();
    recompression::check_batch(&batch, &mut rng);
}

#[test]
fn what_else_there_is() {
    let twin = twin(SHATTERED[0]).expect("half of a collision");
    assert_eq!(twin, SHATTERED[1]);
    let mut hasher = Hasher::new();
    std::io::Write::write_all(&mut hasher, b"abc").expect("it takes everything");
    let digest = hasher.finalize_reset().expect("no attack");
    assert_eq!(digest, hex("a9993e364706816aba3e25717850c26c9cd0d89d"));
    assert_eq!(hasher.finalize().expect("no attack"), hex("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    let mut out = [Outcome::default()];
    sha1dc_core::hash_many(Options::default(), &[Message { head: b"a", body: b"bc" }], &mut out);
    assert_eq!(out[0].digest, digest);
}

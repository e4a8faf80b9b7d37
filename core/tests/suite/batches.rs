//! Batches: equal to one by one, whatever their sizes and their order.

use sha1dc_core::{Backend, Digest, Message, Mode, Options, Outcome, digest_many, hash_many};
use sha1dc_test_common::rng::Rng;

use crate::support::{ATTACKS, Expected, MODES, SHATTERED, all_of, all_options, backends, cases, long, material};

/// A message and what it must give.
pub(crate) struct Case {
    message: Vec<u8>,
    expected: Expected,
}

impl Case {
    pub(crate) fn of(message: Vec<u8>) -> Self {
        Self { expected: Expected::of(&message), message }
    }
}

/// Hashes a batch with heads of random lengths and compares.
pub(crate) fn check(options: Options, batch: &[Case], rng: &mut Rng) {
    let messages: Vec<Message<'_>> = batch
        .iter()
        .map(|case| {
            let most = case.message.len().min(64);
            let len = if rng.one_in(2) { 0 } else { rng.below(most + 1) };
            split(&case.message, len)
        })
        .collect();
    check_messages(options, batch, &messages);
}

fn split(message: &[u8], head: usize) -> Message<'_> {
    let (head, body) = message.split_at(head);
    Message { head, body }
}

fn check_messages(options: Options, batch: &[Case], messages: &[Message<'_>]) {
    let mut out = vec![Outcome::default(); batch.len()];
    hash_many(options, messages, &mut out);
    for (i, (case, out)) in batch.iter().zip(&out).enumerate() {
        let expected = case.expected.with(options);
        let sizes = || messages.iter().map(|m| (m.head.len(), m.body.len())).collect::<Vec<_>>();
        assert!(*out == expected, "{options:?}: message {i} of {:?}: {out:?} for {expected:?}", sizes());
    }
}

/// Which sizes a batch has.
fn sizes(rng: &mut Rng, count: usize) -> Vec<usize> {
    let kind = rng.below(7);
    let same = rng.below(2000);
    (0..count)
        .map(|i| match kind {
            0 => rng.below(70 << 10),
            1 => rng.below(300),
            // As git's objects: every magnitude is as frequent.
            2 => {
                let magnitude = rng.below(17);
                rng.below(1 << magnitude)
            }
            3 => same,
            // Blocks of equal number, other paddings.
            4 => 64 * (same / 64) + rng.below(64),
            // A long one that goes on when all others have ended.
            5 if i == count / 2 => 70 << 10,
            5 => rng.below(200),
            // Descending and ascending: lanes end one after another.
            _ if same.is_multiple_of(2) => 64 * i + rng.below(3),
            _ => 64 * (count - i) + rng.below(3),
        })
        .collect()
}

#[test]
fn random_batches_are_as_one_by_one() {
    let mut rng = Rng::of_test();
    for round in 0..cases(40, 2000) {
        let count = if round < 20 { round } else { rng.below(201) };
        let sizes = sizes(&mut rng, count);
        let batch: Vec<_> = sizes.into_iter().map(|size| Case::of(material(&mut rng, size))).collect();
        for backend in backends() {
            let mode = *rng.choose(&MODES);
            let reduced_rounds = rng.one_in(2);
            check(Options { mode, reduced_rounds, ubc: true, backend }, &batch, &mut rng);
            check(Options { backend, ..Options::default() }, &batch, &mut rng);
        }
    }
}

/// Every count up to more than two sets of the widest lanes, an attack in
/// each place in turn: the last lane, the first one that is refilled, the
/// tail that does not fill the lanes.
#[test]
fn an_attack_in_every_place() {
    let mut rng = Rng::of_test();
    for count in 1..=36 {
        let len = *rng.choose(&[0, 55, 64, 320, 640, 1000]);
        let honest: Vec<Vec<u8>> = (0..count).map(|_| rng.bytes(len)).collect();
        let honest: Vec<Case> = honest.into_iter().map(Case::of).collect();
        let attack = [*rng.choose(&ATTACKS[..4]), &rng.bytes(100)].concat();
        let attack = Case::of(attack);
        assert!(attack.expected.with(Options::default()).collision());
        for place in 0..count {
            let batch: Vec<&Case> = (0..count).map(|i| if i == place { &attack } else { &honest[i] }).collect();
            let messages: Vec<_> = batch.iter().map(|case| split(&case.message, 0)).collect();
            for backend in backends() {
                let options = Options { backend, ..Options::default() };
                let mut out = vec![Outcome::default(); count];
                hash_many(options, &messages, &mut out);
                for (i, (case, out)) in batch.iter().zip(&out).enumerate() {
                    assert_eq!(*out, case.expected.with(options), "{}, {i}, {place} of {count}", backend.name());
                }
            }
        }
    }
}

/// All lanes attacked, in the same block and in different ones.
#[test]
fn nothing_but_attacks() {
    let mut rng = Rng::of_test();
    for count in all_of(vec![1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64], &mut rng) {
        let batch: Vec<_> = (0..count)
            .map(|i| {
                let len = rng.below(500);
                let attack = if count % 2 == 0 { ATTACKS[i % 5] } else { SHATTERED[i % 2] };
                Case::of([attack, &material(&mut rng, len)].concat())
            })
            .collect();
        for backend in backends() {
            for options in all_options(backend) {
                check(options, &batch, &mut rng);
            }
        }
    }
}

/// A head of every length that is allowed, and bodies that make it end before,
/// at and after a block's end.
#[test]
fn every_head_length() {
    let mut rng = Rng::of_test();
    for body in all_of(vec![0, 1, 55, 56, 63, 64, 65, 128, 1000], &mut rng) {
        let batch: Vec<_> = (0..=64).map(|head| Case::of(material(&mut rng, head + body))).collect();
        let messages: Vec<_> = batch.iter().enumerate().map(|(head, case)| split(&case.message, head)).collect();
        for backend in backends() {
            for options in all_options(backend) {
                check_messages(options, &batch, &messages);
            }
        }
    }
}

/// Messages of every length that a lane treats in its own way: one buffer,
/// more than one, whole blocks from the message itself, every padding.
#[test]
fn every_length_in_lanes() {
    let mut rng = Rng::of_test();
    let bytes = rng.bytes(5000);
    for from in all_of(vec![0, 128, 256, 384, 1000, 4096], &mut rng) {
        let batch: Vec<_> = (from..from + 130).map(|len| Case::of(bytes[..len].to_vec())).collect();
        for head in [0, 1, 30, 63, 64] {
            let messages: Vec<_> =
                batch.iter().map(|case| split(&case.message, head.min(case.message.len()))).collect();
            for backend in backends() {
                check_messages(Options { backend, ..Options::default() }, &batch, &messages);
                check_messages(Options { mode: Mode::Plain, backend, ..Options::default() }, &batch, &messages);
            }
        }
    }
}

/// Messages of more than 2^32 bits in lanes: in the long form, because each
/// backend then hashes 4.5 GB. The normal form runs the same code on less.
#[test]
fn more_bits_than_a_word_counts() {
    let len = if long() { (1 << 29) + 100 } else { 1 << 16 };
    let zeros = vec![0; len];
    let batch: Vec<Case> = [len, len - 64, len - 99].map(|len| Case::of(zeros[..len].to_vec())).into();
    // Enough for every kind of lanes, with few different messages.
    let messages: Vec<_> = batch.iter().cycle().take(9).map(|case| split(&case.message, 7)).collect();
    for backend in backends() {
        let options = Options { mode: Mode::Plain, backend, ..Options::default() };
        let mut out = vec![Outcome::default(); messages.len()];
        hash_many(options, &messages, &mut out);
        for (out, case) in out.iter().zip(batch.iter().cycle()) {
            assert_eq!(*out, case.expected.with(options), "{}", backend.name());
        }
    }
}

/// An attack cut into head and body at every place, which is also every place
/// at which a head can end within the attacked message.
#[test]
fn attacks_with_heads() {
    for attack in ATTACKS {
        let case = Case::of(attack.to_vec());
        let messages: Vec<_> = (0..=64).map(|head| split(attack, head)).collect();
        for backend in backends() {
            for reduced_rounds in [false, true] {
                let options = Options { reduced_rounds, backend, ..Options::default() };
                let mut out = vec![Outcome::default(); messages.len()];
                hash_many(options, &messages, &mut out);
                assert!(out.iter().all(|out| *out == case.expected.with(options)), "{options:?}");
            }
        }
    }
}

/// A small part of the batch has the filter off.
#[test]
fn without_the_filter() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(5, 500) {
        let count = rng.below(40);
        let batch: Vec<_> = (0..count)
            .map(|_| {
                let len = rng.below(400);
                Case::of(material(&mut rng, len))
            })
            .collect();
        for backend in backends() {
            let reduced_rounds = rng.one_in(2);
            check(Options { ubc: false, reduced_rounds, backend, ..Options::default() }, &batch, &mut rng);
        }
    }
}

/// What was in `out` before does not matter.
#[test]
fn results_are_overwritten() {
    let attack = inspected(SHATTERED[0]);
    for backend in backends() {
        for count in [1, 5, 40] {
            let mut out = vec![attack.clone(); count];
            let messages = vec![Message { head: b"", body: b"abc" }; count];
            hash_many(Options { backend, ..Options::default() }, &messages, &mut out);
            assert!(out.iter().all(|out| *out == inspected(b"abc")));
        }
    }
}

fn inspected(message: &[u8]) -> Outcome {
    Expected::of(message).with(Options::default())
}

#[test]
fn digest_many_is_digest_of_each() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(30, 2000) {
        let count = rng.below(201);
        let batch: Vec<Case> =
            sizes(&mut rng, count).into_iter().map(|size| Case::of(material(&mut rng, size.min(4000)))).collect();
        let messages: Vec<&[u8]> = batch.iter().map(|case| &case.message[..]).collect();
        let mut out = vec![Ok(Digest::default()); count];
        digest_many(&messages, &mut out);
        for (case, out) in batch.iter().zip(out) {
            let expected = case.expected.with(Options::default());
            match out {
                Ok(digest) => assert!(!expected.collision() && digest == expected.digest),
                Err(collision) => assert!(expected.collision() && collision.digest() == expected.digest),
            }
        }
    }
}

#[test]
fn the_longest_message_alone_in_the_end() {
    let mut rng = Rng::of_test();
    // One lane goes on for a thousand blocks after the others have ended.
    for at in all_of(vec![0, 7, 15, 16], &mut rng) {
        let batch: Vec<_> = (0..17).map(|i| Case::of(material(&mut rng, if i == at { 64_000 } else { 100 }))).collect();
        for backend in backends() {
            check(Options { mode: Mode::Report, backend, ..Options::default() }, &batch, &mut rng);
        }
    }
}

#[test]
#[cfg(panic = "unwind")]
fn one_result_for_each_message() {
    let backend = Backend::detect();
    let messages = [Message { head: b"", body: b"" }; 3];
    for count in [0, 2, 4] {
        let result = std::panic::catch_unwind(|| {
            hash_many(Options { backend, ..Options::default() }, &messages, &mut vec![Outcome::default(); count]);
        });
        assert!(result.is_err(), "3 messages, {count} results");
        let result = std::panic::catch_unwind(|| digest_many(&[&b""[..]; 3], &mut vec![Ok(Digest::default()); count]));
        assert!(result.is_err(), "3 messages, {count} results");
    }
}

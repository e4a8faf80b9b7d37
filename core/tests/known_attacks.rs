//! The published collisions, in every mode. Expected values are those of the
//! C reference.

use sha1dc_core::{Mode, Options, Outcome, Sha1, digest, inspect, mitigate, plain, twin};

const SHAMBLES: [&[u8]; 2] = [include_bytes!("data/sha-mbles-1.bin"), include_bytes!("data/sha-mbles-2.bin")];
/// The first 320 bytes of the two PDFs: prefix and both near-collision blocks.
const SHATTERED: [&[u8]; 2] =
    [include_bytes!("data/shattered-1-head.bin"), include_bytes!("data/shattered-2-head.bin")];
const REDUCED: &[u8] = include_bytes!("data/sha1_reducedsha_coll.bin");

fn inspected(data: &[u8]) -> Outcome {
    inspect(data, Options::default())
}

#[test]
fn shambles_is_detected_with_the_safe_digests_of_the_reference() {
    let safe = ["4f3d9be4a472c4dae83c6314aa6c36a064c1fd14", "9ed5d77a4f48be1dbf3e9e15650733eb850897f2"];
    for (data, safe) in SHAMBLES.into_iter().zip(safe) {
        let outcome = inspected(data);
        assert!(outcome.collision());
        assert_eq!(outcome.digest.to_string(), "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0");
        assert_eq!(outcome.safe_digest.to_string(), safe);
        assert_eq!(digest(data).unwrap_err().digest(), outcome.digest);
        assert_eq!(mitigate::digest(data).unwrap_err().digest(), outcome.safe_digest);
        assert_eq!(plain::digest(data), outcome.digest);
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
            let outcome = inspect(data, Options { reduced_rounds, ..Options::default() });
            assert_eq!(outcome.digest.to_string(), "f92d74e3874587aaf443d1db961d4e26dde13e9c");
            assert_eq!(outcome.collisions.iter().map(|c| c.offset).collect::<Vec<_>>(), offsets);
            for collision in &outcome.collisions {
                let at = collision.offset as usize;
                assert_eq!(collision.disturbance_vector.to_string(), "II(52,0)");
                assert_eq!(collision.reduced_round, at == 192);
                assert_eq!(collision.block, data[at..at + 64]);
                assert_eq!(collision.partner(), other[at..at + 64]);
            }
        }
        assert_eq!(twin(data).as_deref(), Some(other));
    }
}

#[test]
fn reduced_rounds_only_when_asked_for() {
    let outcome = inspected(REDUCED);
    assert!(!outcome.collision());
    assert_eq!(outcome.digest.to_string(), "a56374e1cf4c3746499bc7c0acb39498ad2ee185");
    let outcome = inspect(REDUCED, Options { reduced_rounds: true, ..Options::default() });
    assert!(outcome.collisions.iter().all(|c| c.reduced_round));
    assert_eq!(outcome.digest.to_string(), "a56374e1cf4c3746499bc7c0acb39498ad2ee185");
    assert_eq!(outcome.safe_digest.to_string(), "dd39885a2a5d8f59030b451e00cb45da9f9d3828");
}

#[test]
fn conditions_off_finds_the_same() {
    for data in SHAMBLES.into_iter().chain(SHATTERED).chain([REDUCED]) {
        for reduced_rounds in [false, true] {
            let with = inspect(data, Options { reduced_rounds, ..Options::default() });
            let without = inspect(data, Options { reduced_rounds, ubc: false, ..Options::default() });
            assert_eq!(with, without);
        }
    }
}

#[test]
fn a_saved_state_keeps_the_collision() {
    let mut hasher = Sha1::new(Options { mode: Mode::Report, ..Options::default() });
    hasher.update(&SHATTERED[0][..300]);
    assert!(!hasher.collision_detected());
    hasher.update(&SHATTERED[0][300..320]);
    assert!(hasher.collision_detected());
    let hasher = Sha1::restore(&hasher.save()).unwrap();
    assert!(hasher.collision_detected());
    assert_eq!(hasher.mode(), Mode::Report);
    assert_eq!(hasher.finish(), inspected(SHATTERED[0]));
}

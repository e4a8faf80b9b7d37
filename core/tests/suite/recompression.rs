//! Recompressions, each of them and not only those that prove an attack.
//!
//! Known attacks exist for few vectors and begin in the first blocks of a
//! message. So that a candidate lost in a queue, or mixed up with another, or
//! recompressed from a wrong step is seen for every vector and in every place,
//! the scans are watched: whatever they recompress must be exactly what the
//! filter lets pass, with the chaining values that the reference computes.

use sha1dc_core::{Backend, internals};
use sha1dc_test_common::reference::{self, Chain, Flags, expand, mask};
use sha1dc_test_common::{conditions, rng::Rng};

use crate::support::{all_of, backends, cases, passing_blocks};

/// Block, vector, and the other message's chaining values before and after.
type Seen = (usize, usize, [u32; 5], [u32; 5]);

/// What must be recompressed of these blocks, and the chaining value at the end.
fn expected(h: [u32; 5], blocks: &[[u8; 64]]) -> (Vec<Seen>, [u32; 5]) {
    let mut chain = Chain::at(h, Flags::default());
    let mut all = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let mask = mask(&expand(block));
        for d in (0..32).filter(|d| mask >> d & 1 == 1) {
            let (before, after) = reference::recompress(&chain.value(), block, d);
            all.push((i, d, before, after));
        }
        chain.block(block);
    }
    (all, chain.value())
}

fn check(h: [u32; 5], blocks: &[[u8; 64]]) {
    let (all, end) = expected(h, blocks);
    for backend in backends() {
        let mut chain = h;
        let mut seen: Vec<Seen> = Vec::new();
        internals::recompressions(backend, &mut chain, blocks, &mut |i, d, before, after| {
            seen.push((i, d, before, after));
        });
        seen.sort_unstable();
        compare(backend, &seen, &all, blocks.len());
        assert_eq!(chain, end, "{}: the chaining value", backend.name());
    }
}

fn compare(backend: Backend, seen: &[Seen], all: &[Seen], blocks: usize) {
    let name = backend.name();
    for (seen, all) in seen.iter().zip(all) {
        assert_eq!((seen.0, seen.1), (all.0, all.1), "{name}: (block, vector) of {blocks} blocks");
        assert_eq!(seen, all, "{name}: block {} of {blocks}, vector {}", all.0, all.1);
    }
    assert_eq!(seen.len(), all.len(), "{name}: recompressions of {blocks} blocks");
}

#[test]
fn of_random_blocks() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(60, 5000) {
        let blocks: Vec<[u8; 64]> = (0..rng.below(2000)).map(|_| rng.block()).collect();
        check(rng.chain(), &blocks);
    }
}

#[test]
fn of_every_vector() {
    let mut rng = Rng::of_test();
    for d in 0..32 {
        let system = conditions::system(d);
        for count in [1, 2, 7, 8, 9, 15, 16, 17, 200] {
            let blocks: Vec<[u8; 64]> = (0..count).map(|_| system.solution(&mut rng)).collect();
            check(rng.chain(), &blocks);
            // A few among many that do not pass.
            let blocks: Vec<[u8; 64]> =
                (0..count).map(|_| if rng.one_in(4) { system.solution(&mut rng) } else { rng.block() }).collect();
            check(rng.chain(), &blocks);
        }
    }
}

/// One candidate in every place of every number of blocks.
#[test]
fn in_every_place() {
    let mut rng = Rng::of_test();
    let passing = passing_blocks();
    let places = (1..=50).flat_map(|count| (0..count).map(move |place| (count, place))).collect();
    for (count, place) in all_of(places, &mut rng) {
        let mut blocks: Vec<[u8; 64]> = (0..count).map(|_| rng.block()).collect();
        blocks[place] = *rng.choose(passing);
        check(rng.chain(), &blocks);
    }
}

/// As many as there can be: every queue is always full.
#[test]
fn of_blocks_that_pass_for_most_vectors() {
    let mut rng = Rng::of_test();
    let (_, most) = conditions::most_at_once();
    for count in all_of((1..=40).chain([100, 333, 1000]).collect(), &mut rng) {
        let blocks: Vec<[u8; 64]> = (0..count).map(|_| most.solution(&mut rng)).collect();
        check(rng.chain(), &blocks);
        let blocks: Vec<[u8; 64]> = (0..count).map(|_| *rng.choose(passing_blocks())).collect();
        check(rng.chain(), &blocks);
    }
}

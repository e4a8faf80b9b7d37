//! Recompressions, each of them and not only those that prove an attack.
//!
//! Known attacks exist for few vectors and begin in the first blocks of a
//! message. So that a candidate lost in a queue, or mixed up with another, or
//! recompressed from a wrong step is seen for every vector and in every place,
//! the scans are watched: whatever they recompress must be exactly what the
//! filter lets pass, with the chaining values that the reference computes.

use std::collections::BTreeMap;

use sha1dc_core::{Backend, Message, internals};
use sha1dc_test_common::reference::{self, Chain, Flags, expand, mask};
use sha1dc_test_common::{conditions, rng::Rng};

use crate::support::{all_of, backends, cases, length, material, passing_blocks};

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

pub(crate) fn check(h: [u32; 5], blocks: &[[u8; 64]]) {
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

/// Vector, and the other message's chaining values before and after.
type OfMessage = (usize, [u32; 5], [u32; 5]);

/// What the reference knows of one message of a batch.
pub(crate) struct Batched {
    message: Vec<u8>,
    /// Each block with the chaining value before it.
    blocks: Vec<([u32; 5], [u8; 64])>,
    /// What the filter lets pass.
    wanted: Vec<OfMessage>,
}

impl Batched {
    pub(crate) fn new(message: Vec<u8>) -> Self {
        let mut chain = Chain::at(reference::INITIAL, Flags::default());
        let (mut blocks, mut wanted) = (Vec::new(), Vec::new());
        for block in reference::padded(&message).as_chunks::<64>().0 {
            let (h, mask) = (chain.value(), mask(&expand(block)));
            for d in (0..32).filter(|d| mask >> d & 1 == 1) {
                let (before, after) = reference::recompress(&h, block, d);
                wanted.push((d, before, after));
            }
            blocks.push((h, *block));
            chain.block(block);
        }
        Self { message, blocks, wanted }
    }

    /// Whether one of the blocks gives this recompression.
    fn has(&self, (d, before, after): OfMessage) -> bool {
        self.blocks.iter().any(|(h, block)| reference::recompress(h, block, d) == (before, after))
    }
}

/// The lanes for messages: their sieve lets more pass than the filter. All
/// that the filter lets pass must be recompressed once, and whatever is
/// recompressed besides must be as the reference does it.
pub(crate) fn check_batch(batch: &[Batched], rng: &mut Rng) {
    let messages: Vec<Message<'_>> = batch
        .iter()
        .map(|Batched { message, .. }| {
            let (head, body) = message.split_at(if rng.one_in(2) { 0 } else { rng.below(message.len().min(64) + 1) });
            Message { head, body }
        })
        .collect();
    for backend in backends() {
        let name = backend.name();
        let mut seen: BTreeMap<(usize, OfMessage), usize> = BTreeMap::new();
        let wide = internals::recompressions_many(backend, &messages, &mut |i, d, before, after| {
            *seen.entry((i, (d, before, after))).or_default() += 1;
        });
        if !wide {
            // Nothing is silently skipped: these have no lanes for messages.
            let narrow = ["portable", "sse2+sha-ni", "neon+sha1"];
            assert!(narrow.iter().any(|end| name.ends_with(end)) && seen.is_empty(), "{name} has no lanes");
            continue;
        }
        for (i, Batched { message, wanted, .. }) in batch.iter().enumerate() {
            for each in wanted {
                let times = seen.remove(&(i, *each)).unwrap_or(0);
                let (len, count) = (message.len(), batch.len());
                assert_eq!(times, 1, "{name}: message {i} of {count}, {len} bytes, vector {}: times seen", each.0);
            }
        }
        for ((i, each), times) in seen {
            assert!(times == 1 && batch[i].has(each), "{name}: message {i}, vector {}, {times} times", each.0);
        }
    }
}

#[test]
fn of_batches() {
    let mut rng = Rng::of_test();
    for _ in 0..cases(100, 5000) {
        let batch: Vec<Batched> = (0..rng.below(60))
            .map(|_| {
                let len = length(&mut rng).min(6000);
                Batched::new(material(&mut rng, len))
            })
            .collect();
        check_batch(&batch, &mut rng);
    }
}

/// Every vector's candidates, in every lane: few and all of the blocks.
#[test]
fn of_batches_of_every_vector() {
    let mut rng = Rng::of_test();
    for d in all_of((0..32).collect(), &mut rng) {
        let system = conditions::system(d);
        for share in [1, 6] {
            let batch: Vec<Batched> = (0..rng.below(20) + 20)
                .map(|_| {
                    let block = |rng: &mut Rng| if rng.one_in(share) { system.solution(rng) } else { rng.block() };
                    Batched::new((0..rng.below(12) + 1).flat_map(|_| block(&mut rng)).collect())
                })
                .collect();
            check_batch(&batch, &mut rng);
        }
    }
}

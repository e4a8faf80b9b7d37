//! The filter's 32-bit mask, of every backend's own lanes, against the
//! references' masks.

use sha1dc_core::{Backend, internals};
use sha1dc_test_common::gf2::{System, expansion, xor};
use sha1dc_test_common::reference::{expand, mask};
use sha1dc_test_common::{conditions, rng::Rng};

use crate::support::{all_of, backends, cases, passing_blocks};

/// All backends' masks of these blocks are the references'.
fn check(blocks: &[[u8; 64]]) {
    let expected: Vec<u32> = blocks.iter().map(|block| mask(&expand(block))).collect();
    for backend in backends() {
        compare(backend, blocks, &expected);
    }
}

fn compare(backend: Backend, blocks: &[[u8; 64]], expected: &[u32]) {
    // Filled with something, so that what is not written is seen.
    let mut masks = vec![0xdead_beef; blocks.len()];
    internals::filter_masks(backend, blocks, &mut masks);
    if let Some(i) = (0..blocks.len()).find(|i| masks[*i] != expected[*i]) {
        let (name, block) = (backend.name(), blocks[i]);
        panic!("{name}: {:#010x} for {:#010x}, block {i} of {}: {block:02x?}", masks[i], expected[i], blocks.len());
    }
}

#[test]
fn random_blocks() {
    let mut rng = Rng::of_test();
    let count = cases(1_000_000, 10_000_000);
    let (mut done, mut passed) = (0, 0);
    while done < count {
        let blocks: Vec<[u8; 64]> = (0..(count - done).min(4096)).map(|_| rng.block()).collect();
        let expected: Vec<u32> = blocks.iter().map(|block| mask(&expand(block))).collect();
        backends().into_iter().for_each(|backend| compare(backend, &blocks, &expected));
        passed += expected.iter().filter(|mask| **mask != 0).count();
        done += blocks.len();
    }
    // 1 block in 21 passes: were it none, this would have tested nothing.
    assert!(count < 1000 || (count / 30..count / 15).contains(&passed), "{passed} of {count} pass");
}

/// For each vector, every combination of its conditions that a block can
/// violate, which is 2^(number of conditions): the filter asks for all of
/// them and for nothing else. Proof, not sample.
#[test]
fn every_combination_of_failures_of_each_vector() {
    let mut rng = Rng::of_test();
    for d in 0..32 {
        let blocks = conditions::every_combination_of_failures(d, &mut rng);
        assert_eq!(mask(&expand(&blocks[0])) >> d & 1, 1);
        assert!(blocks[1..].iter().all(|block| mask(&expand(block)) >> d & 1 == 0));
        check(&blocks);
    }
}

/// Blocks that satisfy all conditions of a vector, with each of their 512 bits
/// flipped in turn.
#[test]
fn every_bit_flipped_in_blocks_that_pass() {
    let mut rng = Rng::of_test();
    let most = conditions::most_at_once();
    let systems = (0..32).map(|d| (1 << d, conditions::system(d)));
    let many = (0..32).map(|d| conditions::many_at_once(d, &mut rng)).collect::<Vec<_>>();
    let systems = systems.chain(many).chain([most.clone()]).collect();
    for (set, system) in all_of(systems, &mut rng) {
        for _ in 0..cases(4, 40) {
            let block = system.solution(&mut rng);
            assert_eq!(mask(&expand(&block)) & set, set);
            let mut blocks = vec![block];
            blocks.extend((0..512).map(|bit| {
                let mut flipped = block;
                flipped[bit / 8] ^= 1 << (bit % 8);
                flipped
            }));
            check(&blocks);
        }
    }
}

/// Each lane is computed for itself: a block's mask does not depend on its
/// place or on its neighbours, nor on how many there are.
#[test]
fn every_place_and_every_number_of_blocks() {
    let mut rng = Rng::of_test();
    let passing = passing_blocks();
    check(&[]);
    let places = (1..=70).flat_map(|count| (0..count).map(move |place| (count, place))).collect();
    for (count, place) in all_of(places, &mut rng) {
        let mut blocks: Vec<[u8; 64]> = (0..count).map(|_| rng.block()).collect();
        check(&blocks);
        blocks[place] = *rng.choose(passing);
        check(&blocks);
        let mut blocks: Vec<[u8; 64]> = (0..count).map(|_| *rng.choose(passing)).collect();
        blocks[place] = rng.block();
        check(&blocks);
    }
}

#[test]
fn simple_blocks() {
    let mut blocks = vec![[0; 64], [0xff; 64], [0x55; 64], [0xaa; 64], [0x80; 64], [1; 64]];
    for bit in 0..512 {
        let mut one = [0; 64];
        one[bit / 8] = 1 << (bit % 8);
        blocks.push(one);
        blocks.push(one.map(|byte| !byte));
    }
    check(&blocks);
}

/// The published table, as the crate states it, is what the references ask.
#[test]
fn the_table_is_the_references() {
    let table = internals::conditions();
    assert_eq!(table.len(), 156);
    for d in 0..32 {
        let ours = table.iter().filter(|condition| condition.vectors >> d & 1 == 1).map(|condition| {
            let bits = [(condition.i.into(), condition.a.into()), (condition.j.into(), condition.b.into())];
            (bits.to_vec(), condition.v == 1)
        });
        same_span(d, ours.collect());
    }
    for condition in table {
        assert!(35 <= condition.i && condition.i <= condition.j && condition.j <= 64, "{condition:?}");
        assert_ne!(condition.vectors, 0, "{condition:?}");
    }
    let mut rng = Rng::of_test();
    for _ in 0..cases(100_000, 1_000_000) {
        let w = std::array::from_fn(|_| rng.bits() as u32);
        assert_eq!(internals::naive_mask(&w), mask(&w), "also where W is no block's expansion");
    }
}

/// The solver's program checks for each vector the same linear space of
/// equations as the published table: it cannot differ for any block.
#[test]
fn the_program_states_what_the_table_states() {
    for d in 0..32 {
        let program = internals::program_span(d)
            .into_iter()
            .map(|(bits, value)| (bits.into_iter().map(|(step, bit)| (step, bit as usize)).collect(), value));
        same_span(d, program.collect());
    }
}

/// What the sieve of the lanes of messages checks follows for each vector from
/// the published table: it drops no vector that it must not, for any block.
#[test]
fn the_sieve_asks_nothing_else_than_the_table() {
    for d in 0..32 {
        let sieve = internals::sieve_span(d)
            .into_iter()
            .map(|(bits, value)| (bits.into_iter().map(|(step, bit)| (step, bit as usize)).collect(), value));
        let (sieve, table) = spans(d, sieve.collect());
        assert!(sieve.rank() >= 4, "vector {d}: {} equations", sieve.rank());
        assert!(sieve.rank() <= table.rank());
    }
}

/// Whether these equations, each a list of bits of the expanded message and
/// their xor, are equivalent to what the references ask for vector `d`.
fn same_span(d: usize, equations: Vec<(Vec<(usize, usize)>, bool)>) {
    let (ours, theirs) = spans(d, equations);
    assert_eq!(ours.rank(), theirs.rank(), "vector {d}: a condition is missing");
}

/// The spaces of these equations and of what the references ask for vector
/// `d`; the former is part of the latter.
fn spans(d: usize, equations: Vec<(Vec<(usize, usize)>, bool)>) -> (System, System) {
    // On the bits of the words themselves, taken as free: that is stronger
    // than on the bits of a block. Those that occur get numbers.
    let published = conditions::equations(d);
    let used: Vec<(usize, usize)> = {
        let ours = equations.iter().flat_map(|(bits, _)| bits.iter().copied());
        let mut used: Vec<_> = published.iter().flat_map(|equation| equation.bits).chain(ours).collect();
        used.sort_unstable();
        used.dedup();
        used
    };
    assert!(used.len() <= 512, "vector {d} uses {} bits: more than the solver has", used.len());
    let row = |bits: &[(usize, usize)]| {
        bits.iter().fold([0; 8], |row, bit| {
            let index = used.binary_search(bit).expect("it is used");
            xor(row, sha1dc_test_common::gf2::unit(index))
        })
    };
    let ours: Vec<_> = equations.iter().map(|(bits, value)| (row(bits), *value)).collect();
    let theirs: Vec<_> = published.iter().map(|equation| (row(&equation.bits), equation.value)).collect();
    let system = |rows: &[_]| System::default().add_all(rows.iter().copied()).expect("no contradiction");
    let (our_system, their_system) = (system(&ours), system(&theirs));
    assert!(ours.iter().all(|(row, value)| their_system.implies(*row, *value)), "vector {d}: a condition too many");
    (our_system, their_system)
}

/// The symbolic expansion that the solver uses is the expansion.
#[test]
fn the_expansion_is_linear_as_stated() {
    let mut rng = Rng::of_test();
    let symbolic = expansion();
    for _ in 0..cases(20, 1000) {
        let block = rng.block();
        let w = expand(&block);
        let bit = |bit: usize| {
            u32::from_be_bytes(*block.as_chunks::<4>().0.get(bit / 32).expect("16 words")) >> (bit % 32) & 1
        };
        for (t, word) in symbolic.iter().enumerate() {
            for (b, row) in word.iter().enumerate() {
                let sum = (0..512).filter(|i| row[i / 64] >> (i % 64) & 1 == 1).fold(0, |sum, i| sum ^ bit(i));
                assert_eq!(sum, w[t] >> b & 1, "bit {b} of W[{t}]");
            }
        }
    }
}

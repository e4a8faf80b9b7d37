//! The fuzz targets, and what they share: input turned into messages, and what
//! the references say of them.

pub mod batch;
pub mod filter;
#[cfg(test)]
mod replay;
pub mod restore;
pub mod stream;

use arbitrary::{Result, Unstructured};
use sha1dc_core::{Backend, CollisionBlock, DisturbanceVector, Mode, Options, Outcome};
use sha1dc_test_common::reference::{self, Flags};
use sha1dc_test_common::{conditions, rng::Rng};

/// The published collisions: chance would never find one.
const ATTACKS: [&[u8]; 5] = [
    include_bytes!("../../tests/data/sha-mbles-1.bin"),
    include_bytes!("../../tests/data/sha-mbles-2.bin"),
    include_bytes!("../../tests/data/shattered-1-head.bin"),
    include_bytes!("../../tests/data/shattered-2-head.bin"),
    include_bytes!("../../tests/data/sha1_reducedsha_coll.bin"),
];

/// Longest message: past every group and queue, and still quick.
const LONGEST: usize = 8192;

/// A message put together from attacks, blocks that pass the filter, runs of
/// one byte, and the fuzzer's own bytes.
fn message(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut message = Vec::new();
    if u.ratio(1, 4)? {
        message.extend(*u.choose(&ATTACKS)?);
    }
    for _ in 0..u.int_in_range(0..=6)? {
        match u.int_in_range(0..=4)? {
            0 => message.extend(u.bytes(usize::min(u.len(), 64))?),
            1 => message.extend(vec![u.arbitrary::<u8>()?; u.int_in_range(0..=1100)?]),
            2 => {
                let mut rng = Rng::new(u.arbitrary::<u16>()?.into());
                message.extend(rng.bytes(u.int_in_range(0..=1100)?));
            }
            3 => {
                let mut rng = Rng::new(u.arbitrary::<u8>()?.into());
                let system = conditions::system(u.int_in_range(0..=31)?);
                (0..u.int_in_range(1..=20)?).for_each(|_| message.extend(system.solution(&mut rng)));
            }
            _ => {
                let len = message.len();
                message.truncate(u.int_in_range(0..=len)?);
            }
        }
    }
    message.truncate(LONGEST);
    Ok(message)
}

/// Any options, on any backend.
fn options(u: &mut Unstructured<'_>) -> Result<Options> {
    Ok(Options {
        mode: *u.choose(&[Mode::Detect, Mode::Mitigate, Mode::Report, Mode::Plain])?,
        reduced_rounds: u.arbitrary()?,
        ubc: u.ratio(15, 16)?,
        backend: backend(u)?,
    })
}

/// A backend of this machine.
fn backend(u: &mut Unstructured<'_>) -> Result<Backend> {
    let all: Vec<Backend> = Backend::available().collect();
    u.choose(&all).copied()
}

/// What the references say of a message.
fn expected(message: &[u8], options: Options) -> Outcome {
    let report = reference::inspect(message, Flags { reduced_rounds: options.reduced_rounds, ubc: options.ubc });
    if options.mode == Mode::Plain {
        return Outcome { digest: report.digest.into(), safe_digest: report.digest.into(), collisions: Vec::new() };
    }
    let collisions = report.hits.iter().map(|hit| CollisionBlock {
        offset: hit.offset,
        disturbance_vector: DisturbanceVector::all().nth(hit.vector).expect("there are 32"),
        reduced_round: hit.reduced_round,
        block: hit.block,
    });
    Outcome { digest: report.digest.into(), safe_digest: report.safe_digest.into(), collisions: collisions.collect() }
}

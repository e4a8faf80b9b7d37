//! One message in any pieces, saved, restored, cloned and moved to other
//! backends on the way: the references' digest and verdict.

use crate::{backend, expected, message, options};
use arbitrary::{Result, Unstructured};
use sha1dc_core::{Hasher, Mode, Options, Sha1, inspect, mitigate, plain};

/// One input. What is too short is nothing.
pub fn run(data: &[u8]) {
    let _ = read(&mut Unstructured::new(data));
}

fn read(u: &mut Unstructured<'_>) -> Result<()> {
    let options = options(u)?;
    let message = message(u)?;
    let expected = expected(&message, options);

    let mut hasher = Sha1::new(options);
    let mut rest = &message[..];
    while !rest.is_empty() {
        // When the input has run out, the rest comes in one piece.
        match if u.is_empty() { 5 } else { u.int_in_range(0..=5)? } {
            0 => hasher = Sha1::restore_on(&hasher.save(), backend(u)?).expect("it was just saved"),
            1 => hasher = hasher.clone(),
            _ => {
                let len = if u.is_empty() { rest.len() } else { u.int_in_range(0..=rest.len())? };
                let (piece, more) = rest.split_at(len);
                hasher.update(piece);
                rest = more;
            }
        }
        let fed = (message.len() - rest.len()) as u64;
        assert_eq!(hasher.bytes_hashed(), fed);
        assert!(expected.collisions.iter().filter(|c| c.offset + 64 <= fed).eq(hasher.collisions()));
    }
    assert_eq!(hasher.finish(), expected);

    let Options { backend, reduced_rounds, ubc, mode } = options;
    if mode != Mode::Plain {
        assert_eq!(inspect(&message, options), expected);
    }
    let mut bare = plain::Hasher::on(backend);
    bare.update(&message);
    assert_eq!(bare.finalize(), expected.digest);
    if !reduced_rounds && ubc && mode != Mode::Plain {
        let mut hasher = Hasher::on(backend);
        hasher.update(&message);
        let result = hasher.finalize();
        assert_eq!(result.is_err(), expected.collision());
        assert_eq!(result.unwrap_or_else(|collision| collision.digest()), expected.digest);
        let mut safe = mitigate::Hasher::on(backend);
        safe.update(&message);
        assert_eq!(safe.finalize().unwrap_or_else(|mitigated| mitigated.digest()), expected.safe_digest);
    }
    Ok(())
}

//! Expected values from the reference implementations.
//!
//! Reads messages from standard input, each as a 32-bit little-endian length and that many bytes; writes one JSON
//! object per message and line:
//!
//! ```json
//! {"digest":"..","full":{"safeDigest":"..","collisions":[..]},"reduced":{"safeDigest":"..","collisions":[..]}}
//! ```
//!
//! `full` is the default verdict, `reduced` the one with the reduced-round check on. Each collision has the offset of
//! the block in the padded message, the disturbance vector, whether only the reduced-round check finds it, and the
//! partner block. Every value is computed by `sha1collisiondetection` and, where its API can tell, compared with
//! `sha1-checked`, with and without the unavoidable bit conditions; any disagreement ends the program.
use std::io::{self, BufRead, Read, Write};

include!(concat!(env!("OUT_DIR"), "/reference.rs"));

use sha1::SHA1_CTX;
use ubc_check::sha1_dvs;

struct Found {
    offset: u64,
    vector: String,
    reduced_round: bool,
    partner: [u8; 64],
}

fn padded(message: &[u8]) -> Vec<u8> {
    let mut all = message.to_vec();
    all.push(0x80);
    while all.len() % 64 != 56 {
        all.push(0);
    }
    all.extend_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    all
}

/// The blocks that the reference flags on the chain of the standard digest.
fn collisions(message: &[u8], reduced: bool) -> Vec<Found> {
    let mut found = Vec::new();
    let mut context = SHA1_CTX::default();
    context.safe_hash = false;
    for (index, block) in padded(message).chunks_exact(64).enumerate() {
        let mut strict = context.clone();
        strict.reduced_round_coll = false;
        strict.found_collision = false;
        strict.update(block);
        context.reduced_round_coll = reduced;
        context.found_collision = false;
        context.update(block);
        if context.found_collision {
            let words: Vec<u32> = context.m1.iter().zip(&context.m2).map(|(a, b)| a ^ b).collect();
            let vector = sha1_dvs.iter().find(|dv| dv.dm[..] == words[..]).expect("a listed disturbance vector");
            let mut partner = [0; 64];
            for (bytes, word) in partner.chunks_exact_mut(4).zip(&context.m2) {
                bytes.copy_from_slice(&word.to_be_bytes());
            }
            let kind = if vector.dvType == 1 { "I" } else { "II" };
            found.push(Found {
                offset: index as u64 * 64,
                vector: format!("{kind}({},{})", vector.dvK, vector.dvB),
                reduced_round: !strict.found_collision,
                partner,
            });
        }
    }
    found
}

fn reference(message: &[u8], safe: bool, reduced: bool, ubc: bool) -> ([u8; 20], bool) {
    let mut context = SHA1_CTX::default();
    context.safe_hash = safe;
    context.ubc_check = ubc;
    context.reduced_round_coll = reduced;
    context.update(message);
    let mut digest = [0; 20];
    let collision = context.finalize(&mut digest);
    (digest, collision)
}

fn second_reference(message: &[u8], safe: bool, reduced: bool, ubc: bool) -> ([u8; 20], bool) {
    use sha1_checked::{Digest, Sha1};
    let mut hasher = Sha1::builder().safe_hash(safe).use_ubc(ubc).reduced_round_collision(reduced).build();
    hasher.update(message);
    let result = hasher.try_finalize();
    let mut digest = [0; 20];
    digest.copy_from_slice(result.hash());
    (digest, result.has_collision())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn verdict(message: &[u8], reduced: bool, digest: &[u8; 20]) -> String {
    let found = collisions(message, reduced);
    let (safe_digest, collision) = reference(message, true, reduced, true);
    assert_eq!(collision, !found.is_empty());
    for ubc in [true, false] {
        assert_eq!(reference(message, true, reduced, ubc), (safe_digest, collision));
        assert_eq!(reference(message, false, reduced, ubc), (*digest, collision));
        assert_eq!(second_reference(message, true, reduced, ubc), (safe_digest, collision));
        assert_eq!(second_reference(message, false, reduced, ubc), (*digest, collision));
    }
    let list: Vec<String> = found
        .iter()
        .map(|c| {
            format!(
                r#"{{"offset":{},"disturbanceVector":"{}","reducedRound":{},"partner":"{}"}}"#,
                c.offset,
                c.vector,
                c.reduced_round,
                hex(&c.partner)
            )
        })
        .collect();
    format!(r#"{{"safeDigest":"{}","collisions":[{}]}}"#, hex(&safe_digest), list.join(","))
}

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    while !input.fill_buf()?.is_empty() {
        let mut length = [0; 4];
        input.read_exact(&mut length)?;
        let mut message = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut message)?;
        let (digest, _) = reference(&message, false, false, true);
        writeln!(
            output,
            r#"{{"digest":"{}","full":{},"reduced":{}}}"#,
            hex(&digest),
            verdict(&message, false, &digest),
            verdict(&message, true, &digest)
        )?;
    }
    output.flush()
}

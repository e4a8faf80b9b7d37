//! Known answers: FIPS 180, RFC 3174 and NIST's long messages.

use sha1dc_core::{Hasher, digest};

use crate::support::{Expected, backends, check_message, hex, long};

/// Message, digest.
const ANSWERS: [(&[u8], &str); 8] = [
    (b"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (b"a", "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"),
    (b"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (b"message digest", "c12252ceda8be8994d5fa0290a47231c1d16aae3"),
    (b"abcdefghijklmnopqrstuvwxyz", "32d10c7b8cf96570ca04ce37f2a19d84240d3a89"),
    (b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "a49b2446a02c645bf419f995b67091253a04a259",
    ),
    (b"The quick brown fox jumps over the lazy dog", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
];

#[test]
fn short_messages() {
    for (message, answer) in ANSWERS {
        assert_eq!(digest(message), Ok(hex(answer)));
        let expected = Expected::of(message);
        for backend in backends() {
            check_message(backend, message, &expected);
            let mut hasher = Hasher::on(backend);
            hasher.update(message);
            assert_eq!(hasher.finalize(), Ok(hex(answer)), "{}", backend.name());
        }
    }
}

/// RFC 3174, TEST4, and the message of 640 bits that FIPS 180 and NESSIE use.
#[test]
fn repeated_digits() {
    for (unit, times, answer) in [
        (
            &b"0123456701234567012345670123456701234567012345670123456701234567"[..],
            10,
            "dea356a2cddd90c7a7ecedc5ebb563934f460452",
        ),
        (b"1234567890", 8, "50abf5706a150990a08b2c5ea40fa0e585554732"),
    ] {
        for backend in backends() {
            let mut hasher = Hasher::on(backend);
            (0..times).for_each(|_| hasher.update(unit));
            assert_eq!(hasher.finalize(), Ok(hex(answer)), "{}", backend.name());
        }
    }
}

#[test]
fn a_million_times_a() {
    let message = vec![b'a'; 1_000_000];
    let answer = Ok(hex("34aa973cd4c4daa4f61eeb2bdbad27316534016f"));
    for backend in backends() {
        let mut hasher = Hasher::on(backend);
        hasher.update(&message);
        assert_eq!(hasher.finalize_reset(), answer, "{}", backend.name());
        message.chunks(999).for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.finalize(), answer, "{}", backend.name());
    }
}

/// NIST's extremely long message, 1 GiB, and lengths around 2^32 bytes.
#[test]
fn gigabytes() {
    let unit = b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno";
    // 2^24 repetitions of 64 bytes; zeros.
    let answers: [(&[u8], u64, &str); 3] = [
        (unit, 1 << 30, "7789f0c9ef7bfc40d93311143dfbe69e2017f592"),
        (&[0], 1 << 31, "91d50642dd930e9542c39d36f0516d45f4e1af0d"),
        (&[0], (1 << 32) + 5, "7ce9d83c5eacca17b354408ce637473229a7d5e2"),
    ];
    // The normal run takes the first 2^20 bytes of each, so that the code is
    // run; the lengths of the long form are for machines with time.
    for (unit, len, answer) in answers {
        let chunk = unit.repeat((1 << 20) / unit.len());
        let len = if long() { len } else { len.min(1 << 20) };
        let answer =
            if long() { hex(answer) } else { sha1dc_test_common::reference::plain(&chunk[..len as usize]).into() };
        for backend in backends() {
            let mut hasher = Hasher::on(backend);
            let mut left = len;
            while left > 0 {
                let piece = &chunk[..left.min(chunk.len() as u64) as usize];
                hasher.update(piece);
                left -= piece.len() as u64;
            }
            assert_eq!(hasher.finalize(), Ok(answer), "{}: {len} bytes", backend.name());
        }
    }
}

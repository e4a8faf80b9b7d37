//! Blocks under a chaining value: every backend's masks and recompressions are
//! the references'.

use arbitrary::{Result, Unstructured};
use sha1dc_core::{Backend, internals};
use sha1dc_test_common::reference::{self, Chain, Flags};
use sha1dc_test_common::{conditions, rng::Rng};

/// One input. What is too short is nothing.
pub fn run(data: &[u8]) {
    let _ = read(&mut Unstructured::new(data));
}

fn read(u: &mut Unstructured<'_>) -> Result<()> {
    let h: [u32; 5] = u.arbitrary()?;
    let mut blocks: Vec<[u8; 64]> = Vec::new();
    for _ in 0..u.int_in_range(0..=100)? {
        match u.int_in_range(0..=3)? {
            0 => blocks.push(u.arbitrary()?),
            1 => blocks.push(Rng::new(u.arbitrary::<u16>()?.into()).block()),
            _ => {
                let mut rng = Rng::new(u.arbitrary::<u8>()?.into());
                let mut block = conditions::system(u.int_in_range(0..=31)?).solution(&mut rng);
                for _ in 0..u.int_in_range(0..=2)? {
                    let bit = u.int_in_range(0..=511)?;
                    block[bit / 8] ^= 1 << (bit % 8);
                }
                blocks.push(block);
            }
        }
    }
    let masks: Vec<u32> = blocks.iter().map(|block| reference::mask(&reference::expand(block))).collect();
    let mut chain = Chain::at(h, Flags::default());
    let mut expected = Vec::new();
    for (i, (block, mask)) in blocks.iter().zip(&masks).enumerate() {
        for d in (0..32).filter(|d| mask >> d & 1 == 1) {
            let (before, after) = reference::recompress(&chain.value(), block, d);
            expected.push((i, d, before, after));
        }
        chain.block(block);
    }
    for backend in Backend::available() {
        let mut got = vec![0; blocks.len()];
        internals::filter_masks(backend, &blocks, &mut got);
        assert_eq!(got, masks, "{}", backend.name());
        let (mut end, mut seen) = (h, Vec::new());
        internals::recompressions(backend, &mut end, &blocks, &mut |i, d, before, after| {
            seen.push((i, d, before, after));
        });
        seen.sort_unstable();
        assert_eq!(seen, expected, "{}", backend.name());
        assert_eq!(end, chain.value(), "{}", backend.name());
    }
    Ok(())
}

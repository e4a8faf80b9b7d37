//! Bytes that claim to be a saved state, as they come and with a checksum
//! that is right: refused, or usable, and never a panic.

use sha1dc_core::{Backend, Sha1};
use sha1dc_test_common::reference;

/// One input.
pub fn run(data: &[u8]) {
    for backend in Backend::available() {
        go_on(data, backend);
        go_on(&[data, &reference::plain(data)[..8]].concat(), backend);
    }
}

fn go_on(state: &[u8], backend: Backend) {
    let Ok(mut hasher) = Sha1::restore_on(state, backend) else { return };
    assert_eq!(hasher.save(), state, "what is accepted is what save writes");
    let before = hasher.collisions().to_vec();
    for collision in &before {
        assert_ne!(collision.partner(), collision.block);
    }
    hasher.update(&[0x5a; 1100]);
    assert_eq!(hasher.collision_detected(), !hasher.collisions().is_empty());
    let copy = hasher.clone();
    let outcome = hasher.finish();
    assert!(outcome.collisions.starts_with(&before));
    assert_eq!(copy.finish(), outcome);
}

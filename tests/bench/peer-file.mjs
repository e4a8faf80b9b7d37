import { fileURLToPath } from 'node:url';

/** The crate sha1dc 0.1.5 as wasm, where `cargo xtask bench` puts it. */
export const PEER_FILE = fileURLToPath(
  new URL('../../target/benches/wasm32-unknown-unknown/release/sha1dc_peer.wasm', import.meta.url),
);

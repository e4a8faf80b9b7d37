import { bytesToHex } from '@noble/hashes/utils.js';

/** The crate's function, from its module. */
export function crateInWasm(module) {
  const { memory, buffer, digest } = new WebAssembly.Instance(module).exports;
  const at = buffer();
  return (data) => {
    new Uint8Array(memory.buffer, at, data.length).set(data);
    if (digest(data.length) !== 0) throw new Error('no attack');
    return bytesToHex(new Uint8Array(memory.buffer, at, 20));
  };
}

// What this package adds to a saved state of the engine, when there is something to add: the size that an object of git must
// have, or a mode that is not the hasher's own.
import { engine } from './engine/current.js';
import { wrongState } from './errors.js';
import { HEX_VALUES } from './hex.js';
import { PLAIN } from './options.js';
import type { Bytes } from './types.js';

/** 'S1DJ', and the version of this frame. */
const MAGIC = [0x53, 0x31, 0x44, 0x4a, 1];
const HEAD = 16;
const CHECKSUM = 8;

export interface Frame {
  flags: number;
  /** Bytes of the whole message of an object of git; -1 for any message. */
  size: number;
  /** How many of them are the header. */
  header: number;
}

/** The first bytes of the SHA-1 of all before. It is against accidents, as the engine's own. */
function checksum(bytes: Uint8Array, length: number): number[] {
  const hex = engine.hashRange(bytes, 0, length, PLAIN) as string;
  return Array.from(
    { length: CHECKSUM },
    (_, i) => (HEX_VALUES[hex.charCodeAt(2 * i)] << 4) | HEX_VALUES[hex.charCodeAt(2 * i + 1)],
  );
}

export function framed(state: Uint8Array, { flags, size, header }: Frame): Bytes {
  const bytes = new Uint8Array(HEAD + state.length + CHECKSUM);
  bytes.set(MAGIC);
  bytes[5] = flags;
  bytes[6] = header;
  new DataView(bytes.buffer).setFloat64(8, size);
  bytes.set(state, HEAD);
  bytes.set(checksum(bytes, HEAD + state.length), HEAD + state.length);
  return bytes;
}

/** The frame of a state and the state in it; no frame for a state of the engine itself. */
export function unframed(bytes: Uint8Array): { state: Uint8Array; frame?: Frame } {
  if (!MAGIC.slice(0, 4).every((byte, i) => bytes[i] === byte)) return { state: bytes };
  const end = bytes.length - CHECKSUM;
  if (end < HEAD) throw wrongState('Not a saved state: it is cut short');
  if (bytes[4] !== MAGIC[4]) throw wrongState(`The saved state is of version ${bytes[4]}, which is not known here`);
  if (!checksum(bytes, end).every((byte, i) => bytes[end + i] === byte)) throw wrongState('The saved state is corrupt');
  return {
    state: bytes.subarray(HEAD, end),
    frame: {
      flags: bytes[5],
      header: bytes[6],
      size: new DataView(bytes.buffer, bytes.byteOffset).getFloat64(8),
    },
  };
}

export function refused(code: number): Error {
  if (code === -2) return wrongState('The saved state is of a version that is not known here');
  if (code === -3) return wrongState('The saved state is corrupt');
  return wrongState('Not a saved state');
}

// What differs between runtimes apart from the engine. The build puts `platform-node` or `platform-web` in the place of
// `#platform` in each bundle.
import type { Engine } from './engine/engine.js';
import type { Lane } from './lane.js';
import type { Bytes } from './types.js';

/** The names under which Node knows the encodings of text other than UTF-8. */
export type BinaryEncoding = 'hex' | 'base64' | 'latin1' | 'utf16le';

export interface Platform {
  /** Memory for the package's own use, not necessarily zeroed. */
  allocate(size: number): Uint8Array;
  /** The package's own view of memory, as `allocate` would give it. */
  view(buffer: ArrayBuffer): Uint8Array;
  /** Memory for a result: a Buffer in Node. */
  result(size: number): Bytes;
  /** Writes text as UTF-8 into memory of `allocate` or `view`, where there are three bytes for each code unit. */
  write(text: string, into: Uint8Array, at: number): number;
  /** ASCII bytes of such memory as text. */
  ascii(bytes: Uint8Array, start: number, end: number): string;
  /** A digest as base64. */
  base64(bytes: Uint8Array): string;
  /** Text in another encoding than UTF-8 as bytes; like Node, it stops at or skips what does not belong there. */
  decode(text: string, encoding: BinaryEncoding): Uint8Array;
  /** Lets other work have its turn. */
  pause(): Promise<void>;
  /** A hasher on another thread than the engine's own, if the platform has one to offer. */
  offload?(engine: Engine, flags: number): Promise<Lane | undefined>;
  /** Makes a class of hashes what hashes are on this platform: streams, in Node. */
  equip(Hash: { prototype: object }): void;
}

// What the front end needs of a module that hashes, whatever it is made of.
import type { Answer } from '../report.js';
import type { Backend, Bytes } from '../types.js';

/** A group of messages on their way to `hashMany`. */
export interface Group {
  /** Small messages are copied into this memory, anywhere up to `arenaEnd`. */
  readonly arena: Uint8Array;
  readonly arenaEnd: number;
  /**
   * Two numbers for each message: its place in the arena and its length; or the place and the
   * complement of the length of its head, and the rest is the next of `large`.
   */
  readonly layout: Int32Array;
  readonly layoutStart: number;
}

/** The digests of a group: hex (40 bytes each) or bytes (20 each). */
export interface Results {
  readonly bytes: Uint8Array;
  readonly start: number;
  /** Of all attacked messages. */
  readonly reports: Uint8Array | undefined;
}

export interface Engine {
  readonly kind: Backend['kind'];
  readonly name: string;
  /** Of wasm: for engines in other threads. */
  readonly module?: WebAssembly.Module;

  /** Hashes a Uint8Array; `undefined` for everything else. */
  hash(data: unknown, flags: number): Answer | undefined;
  /** Hashes text as UTF-8. */
  hashText(text: string, flags: number): Answer;
  /** Hashes a part of memory of the package's own. */
  hashRange(bytes: Uint8Array, start: number, end: number, flags: number): Answer;

  /** Makes a hasher, which lives until `finish` or `free`. */
  create(flags: number): number;
  /** Makes a hasher and feeds it a Uint8Array. */
  createWith(flags: number, data: Uint8Array): number;
  /** Feeds a Uint8Array; false, and nothing is fed, for everything else. */
  update(slot: number, data: unknown): boolean;
  updateText(slot: number, text: string): void;
  updateRange(slot: number, bytes: Uint8Array, start: number, end: number): void;
  finish(slot: number): Answer;
  free(slot: number): void;
  copy(slot: number): number;
  /** What has been found so far, as a report without digests. */
  reportSoFar(slot: number): Uint8Array | undefined;
  optionsOf(slot: number): number;
  bytesHashed(slot: number): number;
  save(slot: number): Bytes;
  /** A new hasher, or less than 0: -1 for what is no state, -2 for another version, -3 for changed bytes. */
  restore(state: Uint8Array): number;

  /** How many messages a group can have. */
  readonly groupSize: number;
  /** Messages of up to so many bytes are copied into the arena. */
  readonly copied: number;
  /** Whether the larger ones go into `large`; if not, they are hashed one by one. */
  readonly takesLarge: boolean;
  group(): Group;
  hashMany(count: number, large: readonly Uint8Array[], flags: number, asHex: boolean): Results;

  /** Feeds the start of a buffer of the package's own on another thread. The hasher and the buffer are left alone meanwhile. */
  updateAsync?(slot: number, buffer: Uint8Array, length: number): Promise<void>;
}

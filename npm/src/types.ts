// The types of the public functions.

// Without @types/node this import is an error that is suppressed, and `NodeTransform` is `any`.
// @ts-ignore -- expected only there
import type { Transform as NodeTransform } from 'node:stream';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** A `Uint8Array` with memory of its own: `Uint8Array<ArrayBuffer>` in TypeScript 5.7 and later. */
export type Bytes = ReturnType<Uint8Array['slice']>;

/** What an encoding of `'buffer'` gives: a `Buffer` where there are Buffers (Node, Deno, Bun), a `Uint8Array` elsewhere. */
export type BinaryDigest = typeof globalThis extends { Buffer: { from(text: string): infer B } }
  ? B extends Uint8Array
    ? B
    : Bytes
  : Bytes;

/**
 * What can be hashed. A string counts as UTF-8, lone surrogates as U+FFFD; a view by its bytes, whatever its elements; a
 * detached view as empty.
 */
export type Data = string | ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** How a digest is written; `'binary'` is another name of `'latin1'`. Any case will do. */
export type Encoding = 'hex' | 'base64' | 'base64url' | 'latin1' | 'binary' | 'buffer';

/** The encodings that give a string. */
export type TextEncoding = Exclude<Encoding, 'buffer'>;

/** How a string is turned into bytes by `update`, as in Node; anything else means UTF-8. */
export type InputEncoding =
  | 'utf8'
  | 'utf-8'
  | 'hex'
  | 'base64'
  | 'base64url'
  | 'latin1'
  | 'binary'
  | 'ascii'
  | 'utf16le'
  | 'utf-16le'
  | 'ucs2'
  | 'ucs-2';

/**
 * What happens when an attack is detected:
 *
 * - `'detect'` (default): a {@link CollisionError} is thrown.
 * - `'mitigate'`: the safe digest, which the other half of the collision does not share.
 * - `'report'`: the standard digest all the same; `collision` and `collisions` tell.
 * - `'plain'`: nothing, for it is not looked for. For checksums that an attacker gains nothing from, such as the trailer of
 *   a git pack.
 */
export type Mode = 'detect' | 'mitigate' | 'report' | 'plain';

/** How to hash. */
export interface Options {
  /** What to do about an attack. Default: `'detect'`. */
  mode?: Mode | undefined;
  /** Also find what collides only in SHA-1 with fewer rounds: a test of detection, no threat. Default: `false`. */
  reducedRounds?: boolean | undefined;
  /** Skip blocks that violate the unavoidable bit conditions. `false` is slow and finds the same: a cross-check. Default: `true`. */
  ubc?: boolean | undefined;
}

/** How to watch and stop an asynchronous hash. */
export interface Progress {
  /** Rejects the promise with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told now and then how many bytes are done, and of how many where that is known. What it throws rejects the promise. */
  onProgress?: ((done: number, total?: number) => void) | undefined;
  /**
   * In browsers: hash long messages in a Worker, so that the page stays quick. Where there is no Worker, or the page's policy
   * forbids one out of a Blob, it is as without. Elsewhere it means nothing: in Node threads are used anyway. Default: `false`.
   */
  worker?: boolean | undefined;
}

/** A block of a message that is one half of a near-collision pair. */
export interface CollisionBlock {
  /** Where the 64-byte block starts in the padded message, in bytes. */
  offset: number;
  /** The disturbance vector that the attack followed, such as `'II(52,0)'`. */
  disturbanceVector: string;
  /** Found only because `reducedRounds` was on. */
  reducedRound: boolean;
  /** The block in the same place of the other message. */
  partner: Bytes;
}

/** All that can be said of a message. */
export interface Inspection {
  /** The standard digest, as hex. */
  digest: string;
  /** The safe digest, as hex: equal to `digest` when there is no attack. */
  safeDigest: string;
  /** Whether the message holds an attack. */
  collision: boolean;
  /** The attacked blocks, by offset. */
  collisions: CollisionBlock[];
}

/** The types of git's objects. */
export type GitType = 'blob' | 'tree' | 'commit' | 'tag';

/** An object of git: its type and what it contains, without git's header. */
export interface GitObject {
  type: GitType;
  content: Data;
}

/** Which code hashes. */
export interface Backend {
  /** The kind of module. */
  readonly kind: 'native' | 'wasm' | 'js';
  /** Target and instruction sets, such as `'x86_64/avx512+sha-ni'` or `'wasm32/simd128'`. */
  readonly name: string;
  /** Why it is not a faster one. */
  readonly reason?: string;
}

/** The part of {@link Hash} that every runtime has. */
export interface HashMethods {
  /**
   * Feeds more of the message. A string counts as UTF-8 or as `inputEncoding` says.
   *
   * @example
   * createHash('sha1').update('hello ').update(bytes).update('0a', 'hex').digest('hex');
   */
  update(data: Data, inputEncoding?: InputEncoding | (string & {})): this;
  /**
   * Ends the message and gives its digest: bytes, or a string when an encoding is given.
   *
   * @example
   * createHash('sha1').update('abc').digest('hex'); // 'a9993e364706816aba3e25717850c26c9cd0d89d'
   */
  digest(): BinaryDigest;
  digest(encoding: 'buffer'): BinaryDigest;
  digest(encoding: TextEncoding): string;
  digest(encoding?: Encoding): string | BinaryDigest;
  /**
   * A second hash in the state of this one; with options, one that treats an attack in another way.
   *
   * @example
   * const hash = createHash('sha1').update('common');
   * [hash.copy().update('a').digest('hex'), hash.update('b').digest('hex')];
   */
  copy(options?: Options): Hash;
  /** Whether an attack has been detected: so far, and after `digest` in the whole message. */
  readonly collision: boolean;
  /** The attacked blocks: so far, and after `digest` of the whole message. */
  readonly collisions: readonly CollisionBlock[];
  /**
   * The state as bytes, mode and flags and collisions included, for {@link restoreHash} here or elsewhere.
   *
   * @example
   * const state = createHash('sha1').update('hello ').save();
   * restoreHash(state).update('world').digest('hex');
   */
  save(): Bytes;
}

/** A message that is hashed bit by bit; where there are Node's streams, one of them too, as `node:crypto`'s is. */
export type Hash = HashMethods & (IsAny<NodeTransform> extends true ? unknown : NodeTransform);

// Files and standard input, read piece by piece and hashed.
import fs from 'node:fs';
import { createHash, createObjectHash } from '#index';
import type { CollisionBlock, GitType, Hash, Mode } from '../types.js';
import type { Bar } from './progress.js';

const PIECE = 1024 * 1024;

export interface How {
  mode: Mode;
  reducedRounds: boolean;
  git: GitType | undefined;
}

export interface Outcome {
  /** What the mode calls for. */
  digest: string;
  /** The standard digest. */
  standard: string;
  safe: string;
  collision: boolean;
  collisions: readonly CollisionBlock[];
}

/** A name of bytes as the file system takes it. */
const pathOf = (name: string) => Buffer.from(name, 'latin1');

/** A terminal or a pipe may have nothing yet and say so instead of waiting. */
function readWaiting(descriptor: number, buffer: Uint8Array): number {
  for (;;) {
    try {
      return fs.readSync(descriptor, buffer, 0, buffer.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

let piece: Buffer | undefined;

/** Feeds all that can be read. */
function readAll(descriptor: number, take: (bytes: Uint8Array) => void): void {
  piece ??= Buffer.allocUnsafeSlow(PIECE);
  for (;;) {
    const length = readWaiting(descriptor, piece);
    if (length === 0) return;
    take(piece.subarray(0, length));
  }
}

function open<R>(name: string, use: (descriptor: number) => R): R {
  if (name === '-') return use(0);
  const descriptor = fs.openSync(pathOf(name), 'r');
  try {
    return use(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

export function readFile(name: string): Buffer {
  return open(name, (descriptor) => {
    const pieces: Buffer[] = [];
    readAll(descriptor, (bytes) => pieces.push(Buffer.from(bytes)));
    return Buffer.concat(pieces);
  });
}

/** Hashes a file. With a mode that looks, both digests come of one pass. */
export function hashFile(name: string, how: How, bar: Bar): Outcome {
  return open(name, (descriptor) => {
    const stat = fs.fstatSync(descriptor);
    // Of a pipe, and of what the system makes up as it is read, the size is not known.
    const size = stat.isFile() && stat.size > 0 ? stat.size : undefined;
    bar.start(name, size);
    try {
      return hashDescriptor(descriptor, size, how, bar);
    } finally {
      bar.end();
    }
  });
}

function hashDescriptor(descriptor: number, size: number | undefined, how: How, bar: Bar): Outcome {
  const { git, mode, reducedRounds } = how;
  const options = { mode: mode === 'plain' ? mode : 'report', reducedRounds } as const;
  let hash: Hash;
  if (git !== undefined && size === undefined) {
    // The size comes first, so all of it has to be there.
    const pieces: Buffer[] = [];
    readAll(descriptor, (bytes) => pieces.push(Buffer.from(bytes)));
    const content = Buffer.concat(pieces);
    hash = createObjectHash(git, content.length, options).update(content);
  } else {
    hash = git === undefined ? createHash('sha1', options) : createObjectHash(git, size!, options);
    readAll(descriptor, (bytes) => {
      hash.update(bytes);
      bar.advance(bytes.length);
    });
  }
  // The safe digest is another way to end the same message.
  const other = mode === 'plain' ? undefined : hash.copy({ mode: 'mitigate' });
  const standard = hash.digest('hex');
  const safe = other?.digest('hex') ?? standard;
  const { collision, collisions } = hash;
  return { digest: mode === 'mitigate' ? safe : standard, standard, safe, collision, collisions };
}

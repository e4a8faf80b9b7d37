// Files, where there are files.
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { PIECE, feeding, settings } from './async.js';
import { wrongType } from './errors.js';
import type { BinaryDigest, Encoding, Options, Progress, TextEncoding } from './types.js';

function isHandle(value: unknown): value is FileHandle {
  return typeof value === 'object' && value !== null && 'fd' in value && 'read' in value && 'stat' in value;
}

/**
 * Hashes a file: read and hashed at the same time, off the main thread with the native module, in constant memory.
 *
 * A FileHandle is read from where it stands and stays open.
 *
 * @example
 * await sha1File('shattered-1.pdf'); // rejects with a CollisionError
 * await sha1File(new URL('data.bin', import.meta.url), 'base64', { onProgress: (done, total) => bar(done / total) });
 */
export function sha1File(
  path: string | URL | FileHandle,
  encoding?: TextEncoding,
  options?: Options & Progress,
): Promise<string>;
export function sha1File(
  path: string | URL | FileHandle,
  encoding: 'buffer',
  options?: Options & Progress,
): Promise<BinaryDigest>;
export function sha1File(
  path: string | URL | FileHandle,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest>;
export async function sha1File(
  path: string | URL | FileHandle,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest> {
  const given = settings(encoding, options);
  given.watch.check();
  const opened = isHandle(path) ? undefined : await open(path);
  const handle = opened ?? (path as FileHandle);
  try {
    const stat = await handle.stat();
    if (stat.isFile()) given.watch.total = stat.size;
    // Of some files the system does not know the size, and says 0.
    const expected = stat.size === 0 ? PIECE : stat.size + 1;
    const fill = async (buffer: Uint8Array) => (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
    return await feeding(given, (feeder) => feeder.addFrom(fill, expected));
  } finally {
    await opened?.close();
  }
}

function open(path: unknown): Promise<FileHandle> {
  if (typeof path !== 'string' && !(path instanceof URL)) {
    throw wrongType('path', 'of type string or an instance of URL or FileHandle', path);
  }
  return fs.promises.open(path, 'r');
}

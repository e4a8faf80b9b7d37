// Memory for the short messages of hashes. Until a message is longer than LIMIT, a hash keeps its bytes here and asks the
// engine for nothing: no hasher that would have to be freed, and at the end one call.
import { platform } from '#platform';

/** Longer messages are fed to a hasher. */
export const LIMIT = 4096;
const SIZE = 64 * 1024;

export class Pool {
  readonly bytes = platform.allocate(SIZE);
  /** Bytes from here on belong to nobody. */
  used = 0;

  /** Gives bytes back that nobody needs any more. Only the last ones can be had again: but mostly these are the last. */
  release(start: number, end: number): void {
    if (this.used === end) this.used = start;
  }
}

let pool: Pool | undefined;

/** A pool with so many bytes that belong to nobody. It lives as long as a hash refers to it. */
export function poolFor(size: number): Pool {
  if (pool === undefined || pool.used + size > SIZE) pool = new Pool();
  return pool;
}

/** Whether the pool has so many bytes more. */
export const hasRoom = (candidate: Pool, size: number) => candidate.used + size <= SIZE;

// What every entry point exports, apart from files.
import type { Choice } from './engine/portable.js';
import { use } from './engine/current.js';
import type { Backend } from './types.js';

export { sha1Async, sha1Stream, type Source } from './async.js';
export { hashObjects, inspectMany, sha1Many } from './batch.js';
export { CollisionError } from './errors.js';
export { createHash, createObjectHash, restoreHash } from './hash.js';
export { hash, hashObject, inspect, sha1, twin } from './oneshot.js';
export type * from './types.js';

/** Takes the engine that was chosen into use, and describes it. */
export function start({ engine, reason }: Choice): Backend {
  use(engine);
  const { kind, name } = engine;
  return Object.freeze(reason === undefined ? { kind, name } : { kind, name, reason });
}

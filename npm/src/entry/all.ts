// What every entry point exports, by name.
export {
  CollisionError,
  createHash,
  createObjectHash,
  hash,
  hashObject,
  hashObjects,
  inspect,
  inspectMany,
  restoreHash,
  sha1,
  sha1Async,
  sha1Many,
  sha1Stream,
  twin,
} from '../api.js';
export type { Source } from '../api.js';
export type * from '../types.js';

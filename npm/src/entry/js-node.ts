// `sha1dc/js` in Node, Deno and Bun: no native module, no WebAssembly.
import { start } from '../api.js';
import type { Backend } from '../types.js';
import { js } from './choose-node.js';

/** Which code hashes. */
export const backend: Backend = start({ engine: js() });

export * from './all.js';
export { sha1File } from '../file.js';
export { sha1 as default } from '../api.js';

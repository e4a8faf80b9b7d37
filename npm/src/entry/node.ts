// `sha1dc` in Node, Deno and Bun.
import { start } from '../api.js';
import type { Backend } from '../types.js';
import { choose } from './choose-node.js';

/**
 * Which code hashes, and why it is not a faster one.
 *
 * @example
 * console.log(`${backend.kind}, ${backend.name}`); // native, x86_64/avx512+sha-ni
 */
export const backend: Backend = start(choose());

export * from './all.js';
export { sha1File } from '../file.js';
export { sha1 as default } from '../api.js';

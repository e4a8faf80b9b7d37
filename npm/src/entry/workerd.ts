// `sha1dc` in Cloudflare's workerd, which compiles no wasm from bytes: the module is imported.
import { start } from '../api.js';
import { wasmEngine } from '../engine/portable.js';
import type { Backend } from '../types.js';
import module from '#module';

/** Which code hashes. */
export const backend: Backend = start({ engine: wasmEngine(module) });

export * from './all.js';
export { sha1 as default } from '../api.js';

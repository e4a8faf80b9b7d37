// `sha1dc/js` where there is no Node: for a strict Content-Security-Policy, and for engines without WebAssembly.
import { start } from '../api.js';
import { WasmEngine } from '../engine/wasm.js';
import type { Backend } from '../types.js';
import { instantiate } from '#wasm2js';

/** Which code hashes. */
export const backend: Backend = start({ engine: new WasmEngine(instantiate(), 'js') });

export * from './all.js';
export { sha1 as default } from '../api.js';

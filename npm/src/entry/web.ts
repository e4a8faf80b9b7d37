// `sha1dc` where there is no Node: browsers, workers, and whatever else runs JavaScript.
import { start } from '../api.js';
import { embeddedWasm, messageOf, type Choice } from '../engine/portable.js';
import { WasmEngine } from '../engine/wasm.js';
import type { Backend } from '../types.js';
import * as wasm from '#wasm';
import { instantiate } from '#wasm2js';

/** wasm; else the same as JavaScript, and what stood in the way: a policy, an old browser, or an engine without. */
function choose(): Choice {
  try {
    return { engine: embeddedWasm(wasm) };
  } catch (error) {
    return { engine: new WasmEngine(instantiate(), 'js'), reason: `no WebAssembly: ${messageOf(error)}` };
  }
}

/** Which code hashes, and why it is not a faster one. */
export const backend: Backend = start(choose());

export * from './all.js';
export { sha1 as default } from '../api.js';

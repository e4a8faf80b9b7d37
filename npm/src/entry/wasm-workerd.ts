// `sha1dc/wasm` in Cloudflare's workerd.
import { start } from '../api.js';
import { backendNow } from '../engine/init.js';
import { wasmEngine } from '../engine/portable.js';
import module from '#module';

start({ engine: wasmEngine(module) });

export { backendNow as backend };
export { init, initSync, type WasmSource } from '../engine/init.js';
export * from './all.js';
export { sha1 as default } from '../api.js';

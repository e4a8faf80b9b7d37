// `sha1dc/wasm` where there is no Node.
import { start } from '../api.js';
import { backendNow, orLater } from '../engine/init.js';
import { embeddedWasm } from '../engine/portable.js';
import * as wasm from '#wasm';

start(orLater(() => embeddedWasm(wasm)));

export { backendNow as backend };
export { init, initSync, type WasmSource } from '../engine/init.js';
export * from './all.js';
export { sha1 as default } from '../api.js';

// `sha1dc/wasm` in Node, Deno and Bun: never native.
import { start } from '../api.js';
import { backendNow, orLater } from '../engine/init.js';
import { formOf } from '../engine/portable.js';
import { wanted, wasm } from './choose-node.js';

start(orLater(() => wasm(formOf(wanted() ?? ''))));

export { backendNow as backend };
export { init, initSync, type WasmSource } from '../engine/init.js';
export * from './all.js';
export { sha1File } from '../file.js';
export { sha1 as default } from '../api.js';

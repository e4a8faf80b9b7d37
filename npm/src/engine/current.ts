// The engine in use. The entry points set it before anything else runs; `init` of sha1dc/wasm may set another.
import type { Engine } from './engine.js';

export let engine: Engine;

export function use(next: Engine): void {
  engine = next;
}

// `init` and `initSync` of sha1dc/wasm: another module in the place of the embedded one.
import { engine, use } from './current.js';
import { messageOf, wasmEngine, type Choice } from './portable.js';
import type { Engine } from './engine.js';
import { wrongType } from '../errors.js';
import type { Backend } from '../types.js';

/** What {@link init} takes a module from. */
export type WasmSource = WebAssembly.Module | BufferSource | URL | string | Response;

/**
 * Hashes with this module from now on. Only for those who bring `sha1dc/sha1dc.wasm` themselves: everything works without.
 *
 * @example
 * initSync(await readFile(new URL(import.meta.resolve('sha1dc/sha1dc.wasm'))));
 */
export function initSync(module: WebAssembly.Module | BufferSource): void {
  use(wasmEngine(module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module)));
}

/**
 * Hashes with this module from now on, fetched and compiled without blocking. Without an argument: does nothing, for the
 * embedded module is in use already.
 *
 * @example
 * await init(new URL('sha1dc/sha1dc.wasm', import.meta.url));
 * await init(fetch('/assets/sha1dc.wasm'));
 */
export async function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  if (source !== undefined) use(wasmEngine(await compile(await source)));
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) source = await fetch(source);
  if (typeof Response !== 'undefined' && source instanceof Response) {
    if (!source.ok)
      throw new Error(`sha1dc: ${source.url} could not be fetched: ${source.status} ${source.statusText}`);
    // Compiling while it comes needs the right content type, which not every server sends; the module is small.
    source = await source.arrayBuffer();
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source as BufferSource);
  throw wrongType('source', 'an instance of WebAssembly.Module, ArrayBuffer, TypedArray, URL, or Response', source);
}

/** The backend as it is now: `init` may change it. */
export const backendNow: Backend = Object.freeze({
  get kind() {
    return engine.kind;
  },
  get name() {
    return engine.name;
  },
});

/** The embedded module's engine. Where that cannot be compiled at once, one that says so when it is used. */
export function orLater(make: () => Engine): Choice {
  try {
    return { engine: make() };
  } catch (error) {
    const complain = () => {
      throw new Error(`sha1dc/wasm: call init() first, for the module could not be compiled: ${messageOf(error)}`);
    };
    // What it is may be asked before: the import itself must not fail, or init() could never be called.
    const get = (engine: Engine, key: string | symbol) => (key === 'kind' || key === 'name' ? engine[key] : complain());
    return { engine: new Proxy({ kind: 'wasm', name: 'none' } as Engine, { get }) };
  }
}

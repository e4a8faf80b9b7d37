// Engines out of modules that come with the package: wasm if it may be, the same as JavaScript if not.
import { fromBase64 } from '../decode.js';
import type { Engine } from './engine.js';
import { WasmEngine, type Exports } from './wasm.js';

/** Instantiates a wasm module. It imports nothing. */
export function wasmEngine(module: WebAssembly.Module): WasmEngine {
  const { exports } = new WebAssembly.Instance(module, {});
  return new WasmEngine(exports as unknown as Exports, 'wasm', module);
}

/** The two wasm modules in base64. */
export interface WasmModules {
  readonly simd128: string;
  readonly baseline: string;
}

export type WasmForm = keyof WasmModules;

const BACKEND_NAMES: Record<string, WasmForm> = { 'wasm32/simd128': 'simd128', 'wasm32/portable': 'baseline' };

/** The form of the module with this backend, if it is one of wasm's. */
export const formOf = (backend: string): WasmForm | undefined =>
  Object.hasOwn(BACKEND_NAMES, backend) ? BACKEND_NAMES[backend] : undefined;

/** Compiles the module here and now: in the given form, or with SIMD where there is SIMD. */
export function embeddedWasm(modules: WasmModules, form?: WasmForm): WasmEngine {
  if (form) return wasmEngine(new WebAssembly.Module(fromBase64(modules[form]) as BufferSource));
  const simd128 = fromBase64(modules.simd128) as BufferSource;
  const bytes = WebAssembly.validate(simd128) ? simd128 : (fromBase64(modules.baseline) as BufferSource);
  return wasmEngine(new WebAssembly.Module(bytes));
}

/** What has been chosen, and why it is not a faster one. */
export interface Choice {
  engine: Engine;
  reason?: string;
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

// Which engine, in Node and its likes.
import { NativeEngine } from '../engine/native.js';
import { embeddedWasm, formOf, messageOf, type Choice, type WasmForm } from '../engine/portable.js';
import { WasmEngine } from '../engine/wasm.js';
import { loadNative } from '../native-loader.js';

// Loaded only when they are needed: the modules are a good deal larger than all the rest.
/* eslint-disable @typescript-eslint/no-require-imports */
const wasmModules = () => require('./embedded-wasm.cjs') as typeof import('#wasm');
const jsModule = () => require('./embedded-js.cjs') as typeof import('#wasm2js');
/* eslint-enable @typescript-eslint/no-require-imports */

export const wasm = (form?: WasmForm) => embeddedWasm(wasmModules(), form);
export const js = () => new WasmEngine(jsModule().instantiate(), 'js');

/** The value of an environment variable. Deno would ask the user for permission, so there it must have been given. */
function environment(name: string): string | undefined {
  interface DenoPermissions {
    permissions?: { querySync?(descriptor: { name: string; variable: string }): { state: string } };
  }
  const { Deno } = globalThis as { Deno?: DenoPermissions };
  if (Deno && Deno.permissions?.querySync?.({ name: 'env', variable: name }).state !== 'granted') return undefined;
  return process.env[name];
}

/** What the user forces by SHA1DC_BACKEND: a kind of engine or the full name of a backend. An empty value forces nothing. */
export const wanted = () => environment('SHA1DC_BACKEND') || undefined;

function forced(backend: string): Choice {
  try {
    if (backend === 'native') return { engine: new NativeEngine(loadNative()) };
    if (backend === 'wasm') return { engine: wasm() };
    if (backend === 'js' || backend === 'js/portable') return { engine: js() };
    const form = formOf(backend);
    return { engine: form ? wasm(form) : new NativeEngine(loadNative(), backend) };
  } catch (error) {
    throw new Error(`sha1dc: SHA1DC_BACKEND is '${backend}', which cannot be had: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Native; else wasm; else JavaScript: and what stood in the way. */
function best(): Choice {
  const reasons: string[] = [];
  try {
    return { engine: new NativeEngine(loadNative()) };
  } catch (error) {
    reasons.push(messageOf(error));
  }
  try {
    return { engine: wasm(), reason: reasons.join('; ') };
  } catch (error) {
    reasons.push(`no WebAssembly: ${messageOf(error)}`);
  }
  return { engine: js(), reason: reasons.join('; ') };
}

export function choose(): Choice {
  const backend = wanted();
  return backend === undefined ? best() : forced(backend);
}

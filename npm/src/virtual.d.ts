// Modules that the build makes (scripts/build.mjs).

declare module '#platform' {
  export const platform: import('./platform.js').Platform;
}

declare module '#wasm' {
  /** The wasm modules in base64. */
  export const simd128: string;
  export const baseline: string;
}

declare module '#wasm2js' {
  /** The baseline wasm module as JavaScript. */
  export function instantiate(): import('./engine/wasm.js').Exports;
}

declare module '#version' {
  export const version: string;
}

declare module '#module' {
  /** sha1dc.wasm, compiled by the runtime. */
  const module: WebAssembly.Module;
  export default module;
}

declare module '#worker' {
  /** The script of the Worker (src/worker/script.ts). */
  export const source: string;
}

declare module '#offload' {
  /** Of src/worker/client.ts; nothing in bundles for which there is no Worker. */
  export const workerLane: typeof import('./worker/client.js').workerLane | undefined;
}

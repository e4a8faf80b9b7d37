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

// Runs a program that was compiled for wasm32-wasip1, with the machine's files and this environment: cargo's "runner" for that
// target. `node core/tests/wasi.mjs PROGRAM.wasm [ARGUMENTS]`
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [, , program, ...args] = process.argv;
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: process.env,
  preopens: { '/': '/' },
});
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);

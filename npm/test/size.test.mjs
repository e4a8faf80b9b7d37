// What a page loads, or a bundle carries, is small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

/** Bytes of a module as it is shipped, after gzip: of zlib, which the `gzip` program undercuts by 1 to 2 %. */
const LIMIT = 20_000;

const embedded = createRequire(import.meta.url)('../dist/node/embedded-wasm.cjs');
const file = readFileSync(new URL('../dist/sha1dc.wasm', import.meta.url));

for (const form of ['simd128', 'baseline']) {
  test(`the wasm module has less than ${LIMIT} bytes gzipped: ${form}`, () => {
    const module = Buffer.from(embedded[form], 'base64');
    assert.ok(WebAssembly.validate(module), 'it is a module');
    const small = gzipSync(module, { level: 9 });
    assert.ok(small.length < LIMIT, `${small.length} bytes`);
  });
}

test('the module in a file of its own is the one that is embedded', () => {
  assert.deepEqual(Buffer.from(embedded.simd128, 'base64'), file);
});

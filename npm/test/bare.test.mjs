// The JavaScript build in a realm that has the language and nothing else, as a small engine such as Hermes: no WebAssembly,
// no text encoder, nobody who tells when an object is collected.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const source = readFileSync(new URL('../dist/web/js.cjs', import.meta.url), 'utf8');
const realm = vm.createContext({ module: { exports: {} }, setTimeout });
vm.runInContext(
  'for (const name of ["WebAssembly", "FinalizationRegistry", "SharedArrayBuffer"]) delete globalThis[name];',
  realm,
);
vm.runInContext(source, realm);
const js = realm.module.exports;
const sha1 = (data) => crypto.createHash('sha1').update(data).digest('hex');

test('the realm is as bare as it is meant to be', () => {
  for (const name of [
    'WebAssembly',
    'FinalizationRegistry',
    'TextEncoder',
    'TextDecoder',
    'Buffer',
    'SharedArrayBuffer',
  ]) {
    assert.equal(vm.runInContext(`typeof ${name}`, realm), 'undefined', name);
  }
  assert.equal(js.backend.kind, 'js');
});

test('one-shot, batches, hashes, states', async () => {
  const long = 'é😀'.repeat(100000);
  assert.equal(js('abc'), sha1('abc'));
  assert.equal(js.sha1(long), sha1(long));
  assert.deepEqual([...js.sha1Many(['a', 'b', long])], ['a', 'b', long].map(sha1));
  const hash = js.createHash('sha1');
  for (let i = 0; i < 100; i++) hash.update('x'.repeat(i)).update(new Uint8Array(1000));
  const copy = hash.copy();
  const restored = js.restoreHash(hash.save());
  const expected = crypto.createHash('sha1');
  for (let i = 0; i < 100; i++) expected.update('x'.repeat(i)).update(new Uint8Array(1000));
  const digest = expected.digest('hex');
  for (const one of [hash, copy, restored]) assert.equal(one.digest('hex'), digest);
  assert.equal(await js.sha1Async(new Uint8Array(3_000_000)), sha1(new Uint8Array(3_000_000)));
});

test('hashes that are forgotten leave no hasher behind', () => {
  for (let i = 0; i < 20000; i++) js.createHash().update(new Uint8Array(5000));
  assert.equal(js.createHash().update('abc').digest('hex'), sha1('abc'));
});

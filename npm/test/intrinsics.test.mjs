// Copies of what is longer by now than it was: another thread can make a SharedArrayBuffer grow at any time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { take } = await load('intrinsics');

test('what has grown beyond the room is copied up to the length it had', () => {
  const shared = new SharedArrayBuffer(8, { maxByteLength: 64 });
  const source = new Uint8Array(shared).fill(1);
  shared.grow(64);
  assert.equal(source.length, 64);
  const target = new Uint8Array(16);
  take(target, source, 8, 4);
  assert.deepEqual([...target], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
});

test('nothing is copied of nothing', () => {
  const detached = new Uint8Array(8);
  structuredClone(null, { transfer: [detached.buffer] });
  take(new Uint8Array(0), detached, 0, 0);
});

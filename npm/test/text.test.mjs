// Text as UTF-8 where there is no TextEncoder, its length, and its pieces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, numbers } from './source.mjs';

const { lengthOfText, pieces } = await load('text');
const { TextEncoder } = globalThis;
delete globalThis.TextEncoder;
const { encodeInto } = await load('text');
globalThis.TextEncoder = TextEncoder;
const encoder = new TextEncoder();

function randomText(below) {
  const units = [
    'a',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\uffff',
    '😀',
  ];
  let text = '';
  for (let length = below(12); length > 0; length--) text += units[below(units.length)];
  return text;
}

test('by hand as by TextEncoder', () => {
  const below = numbers(1);
  for (let round = 0; round < 20000; round++) {
    const text = randomText(below);
    const expected = encoder.encode(text);
    const into = new Uint8Array(3 * text.length);
    assert.equal(encodeInto(text, into), expected.length);
    assert.deepEqual(into.subarray(0, expected.length), expected);
    assert.equal(lengthOfText(text), expected.length, JSON.stringify(text));
  }
});

test('pieces are the text, and none tears a pair', () => {
  const below = numbers(2);
  for (let round = 0; round < 20000; round++) {
    const text = randomText(below);
    const size = 2 + below(4);
    const parts = [...pieces(text, size)];
    assert.equal(parts.join(''), text);
    const bytes = Buffer.concat(parts.map((part) => encoder.encode(part)));
    assert.deepEqual(bytes, Buffer.from(encoder.encode(text)), JSON.stringify(text));
    assert.ok(parts.every((part) => part.length > 0 && part.length <= size));
  }
});

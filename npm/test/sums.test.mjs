// Lines of digests: what is written can be read, and hostile lines are refused or read as what they say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, numbers } from './source.mjs';

const { formatLine, parseLine } = await load('cli/sums');
const DIGEST = 'a9993e364706816aba3e25717850c26c9cd0d89d';

test('every name survives every style', () => {
  const below = numbers(3);
  const characters = ['a', ' ', '\\', '\n', '\r', '*', '(', ')', '=', 'n', '\u00e9', '\t'];
  for (let round = 0; round < 20000; round++) {
    let name = 'x';
    for (let length = below(8); length > 0; length--) name += characters[below(characters.length)];
    for (const attacked of [false, true]) {
      for (const style of [{}, { tag: true }, { zero: true }, { binary: true }, { tag: true, zero: true }]) {
        const line = formatLine(DIGEST, name, attacked, style).slice(0, -1);
        if (!style.zero) assert.ok(!line.includes('\n'), JSON.stringify(line));
        assert.deepEqual(parseLine(line), { digest: DIGEST, name }, JSON.stringify([line, style]));
      }
    }
  }
});

test('lines of others', () => {
  const sum = { digest: DIGEST, name: 'a file' };
  for (const line of [
    `${DIGEST}  a file`,
    `${DIGEST} *a file`,
    `${DIGEST} *coll* a file`,
    `  ${DIGEST}  a file`,
    `${DIGEST.toUpperCase()}  a file`,
    `SHA1 (a file) = ${DIGEST}`,
    `SHA1(a file)= ${DIGEST}`,
    `${DIGEST} a file`,
  ]) {
    assert.deepEqual(parseLine(line), sum, line);
  }
});

test('what is no line of a digest', () => {
  for (const line of [
    '',
    DIGEST,
    `${DIGEST} `,
    `${DIGEST}  `,
    `${DIGEST.slice(1)}  name`,
    `${DIGEST}a  name`,
    `${DIGEST.slice(1)}g  name`,
    `MD5 (name) = ${DIGEST}`,
    `SHA1 () = ${DIGEST}`,
    `SHA1 (name) = ${DIGEST}0`,
    `\\${DIGEST}  bad \\x escape`,
    `\\${DIGEST}  ends in \\`,
    'nonsense',
  ]) {
    assert.equal(parseLine(line), undefined, line);
  }
});

/* global test, expect */
const { writeFileSync } = require('node:fs');

test('the package by require', async () => {
  const sha1dc = require('sha1dc');
  const { check } = await import('./check.mjs');
  const result = await check(sha1dc);
  writeFileSync('cjs.result.json', JSON.stringify(result));
  expect(result.abc).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  expect(() => sha1dc.sha1(5)).toThrow(TypeError);
});

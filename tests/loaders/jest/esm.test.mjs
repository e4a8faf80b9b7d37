/* global test, expect */
import { writeFileSync } from 'node:fs';
import * as sha1dc from 'sha1dc';

import { check } from './check.mjs';

test('the package by import', async () => {
  const result = await check(sha1dc);
  writeFileSync('esm.result.json', JSON.stringify(result));
  expect(result.abc).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});

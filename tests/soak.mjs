#!/usr/bin/env node
// Many blocks through the JavaScript API: digests as node:crypto has them, and a verdict for each message.
//
//   node tests/soak.mjs [--blocks 10000000] [--seed N] [--from DIR]
//
// Messages are random blocks, blocks that pass the filter (1 to 12 recompressions each, from chaining values that no table
// has), and now and then a published attack in front; one by one, in pieces and in batches. SHA1DC_BACKEND chooses the
// backend. What masks and recompressions are inside cannot be seen from here: core/examples/soak.rs compares those.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { deepEqual, equal } from './suite/lib/assert.mjs';
import { concat, Random } from './suite/lib/bytes.mjs';
import { attack } from './vectors/index.mjs';

const { values: options } = parseArgs({
  options: {
    blocks: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: String(Date.now() >>> 0) },
    from: { type: 'string' },
  },
});
const require = createRequire(options.from ? pathToFileURL(resolve(options.from, 'x.js')) : import.meta.url);
const sha1dc = require('sha1dc');

const passing = readFileSync(new URL('../core/tests/data/passing-blocks.bin', import.meta.url));
const openings = ['shattered-1-320', 'shattered-2-320', 'sha-mbles-1.bin', 'sha-mbles-2.bin'].map(attack);

/** A round: this many blocks, from one pool of random bytes, cut into messages anew. */
const ROUND = 16384;
const wanted = Number(options.blocks);
const seed = Number(options.seed) >>> 0;
const random = new Random(seed);
const pool = random.bytes(ROUND * 64);

/** New bytes for the pool: random ones by a quick generator, one block in eight from the list of those that pass. */
function refill() {
  const words = new Uint32Array(pool.buffer, pool.byteOffset, pool.byteLength / 4);
  let [x, y, z, w] = Array.from({ length: 4 }, () => random.below(2 ** 32) | 1);
  for (let i = 0; i < words.length; i++) {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    words[i] = w;
  }
  for (let i = 0; i < ROUND; i++) {
    if (words[16 * i] >>> 29 > 0) continue;
    const from = 64 * random.below(passing.length / 64);
    pool.set(passing.subarray(from, from + 64), 64 * i);
  }
}

function messages() {
  const list = [];
  const longest = 64 * 2 ** random.below(13);
  for (let at = 0; at < pool.length;) {
    const length = Math.min(1 + random.below(longest), pool.length - at);
    const bytes = pool.subarray(at, at + length);
    at += length;
    if (random.below(50) > 0) list.push({ bytes, collisions: [] });
    else {
      const opening = random.pick(openings);
      list.push({ bytes: concat(opening.bytes, bytes), collisions: opening.full.collisions });
    }
  }
  return list;
}

let [blocks, attacks, round] = [0, 0, 0];
const start = performance.now();
for (; blocks < wanted; round++) {
  refill();
  const list = messages();
  const digests = list.map(({ bytes }) => createHash('sha1').update(bytes).digest('hex'));
  try {
    const verdicts = sha1dc.inspectMany(list.map(({ bytes }) => bytes));
    for (const [i, { digest, safeDigest, collisions }] of verdicts.entries()) {
      equal(digest, digests[i]);
      deepEqual(collisions, list[i].collisions);
      equal(safeDigest === digest, collisions.length === 0);
    }
    for (const [i, { bytes, collisions }] of list.entries()) {
      if (list.length > 100 && i % 8 !== round % 8) continue;
      const cut = random.below(bytes.length + 1);
      const hash = sha1dc.createHash('sha1', { mode: 'report' });
      hash.update(bytes.subarray(0, cut)).update(bytes.subarray(cut));
      equal(hash.digest('hex'), digests[i]);
      deepEqual([...hash.collisions], collisions);
    }
  } catch (error) {
    console.log(`FAILED  seed ${seed}, round ${round}: ${error.stack}`);
    process.exit(1);
  }
  for (const { bytes, collisions } of list) {
    blocks += Math.floor((bytes.length + 72) / 64);
    attacks += collisions.length > 0 ? 1 : 0;
  }
}
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
  `${sha1dc.backend.name}, seed ${seed}: ${blocks} blocks, ${attacks} attacked messages, all as they must be (${seconds} s)`,
);

// Any number of hashers at once, in any order, in one engine instance.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { concat, Random } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  test('ten thousand live hashers, fed in random interleavings', { node: true, seconds: 300 }, async () => {
    const random = new Random(10000);
    const memory = random.bytes(4096);
    const hashers = Array.from({ length: 10000 }, () => ({ hash: impl.createHash('sha1'), pieces: [] }));
    for (let round = 0; round < 40000; round++) {
      const hasher = random.pick(hashers);
      const from = random.below(memory.length);
      const piece = memory.subarray(from, from + random.below(200));
      hasher.hash.update(piece);
      hasher.pieces.push(piece);
    }
    for (const [i, { hash, pieces }] of hashers.entries()) {
      const digest = hash.digest('hex');
      if (i % 20 === 0) equal(digest, await facts.oracle(concat(...pieces)), `hasher ${i}`);
      else
        equal(
          digest,
          impl
            .createHash('sha1')
            .update(concat(...pieces))
            .digest('hex'),
          `hasher ${i}`,
        );
    }
  });

  test('hashers, copies, restored ones and finished ones interleaved, attacks among them', { seconds: 300 }, () => {
    const random = new Random(2020);
    const live = [];
    for (let round = 0; round < 20000; round++) {
      const action = random.below(10);
      if (action < 3 || live.length === 0) {
        const entry = random.pick(vectors.flagged);
        const mode = random.pick(['detect', 'mitigate', 'report']);
        live.push({ entry, mode, at: 0, hash: impl.createHash('sha1', { mode }) });
        continue;
      }
      const index = random.below(live.length);
      const item = live[index];
      const { bytes, digest, full } = item.entry;
      if (action < 7) {
        const to = Math.min(bytes.length, item.at + random.below(300));
        item.hash.update(bytes.subarray(item.at, to));
        item.at = to;
      } else if (action === 7) live.push({ ...item, hash: item.hash.copy() });
      else if (action === 8) item.hash = impl.restoreHash(item.hash.save());
      else {
        item.hash.update(bytes.subarray(item.at));
        if (item.mode === 'detect')
          throws(() => item.hash.digest('hex'), { code: 'ERR_SHA1_COLLISION', digest }, `round ${round}`);
        else equal(item.hash.digest('hex'), item.mode === 'mitigate' ? full.safeDigest : digest, `round ${round}`);
        deepEqual([...item.hash.collisions], full.collisions, `round ${round}`);
        live.splice(index, 1);
      }
    }
    ok(live.length > 10);
  });

  test('a hundred thousand short-lived hashers, never finished', { node: true, seconds: 300 }, () => {
    for (let round = 0; round < 100000; round++) impl.createHash('sha1').update('abandoned');
    equal(impl.createHash('sha1').update('abc').digest('hex'), 'a9993e364706816aba3e25717850c26c9cd0d89d');
  });

  test('a message larger than the engine\u2019s memory at the start', { node: true }, async () => {
    const bytes = new Random(64).bytes(48 << 20);
    equal(impl.createHash('sha1').update(bytes).digest('hex'), await facts.oracle(bytes));
    equal(impl.sha1(bytes), await facts.oracle(bytes));
  });
}

// Memory that is given back, and memory that is never taken.
import { equal, fail, ok, throws } from '../lib/assert.mjs';
import { pattern } from '../lib/bytes.mjs';
import { skip } from '../lib/harness.mjs';
import * as vectors from '../../vectors/index.mjs';

const MIB = 2 ** 20;

export default function define({ test, impl }) {
  async function collect() {
    for (let i = 0; i < 6; i++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /**
   * Does the work again and again until it once leaves the process no bigger than before. What leaks grows every time;
   * heaps and pools that are still finding their size do not.
   */
  async function flat(work, limit = 1) {
    if (typeof globalThis.gc !== 'function') skip('this runtime was started without --expose-gc');
    await work();
    const grown = [];
    for (let round = 0; round < 10; round++) {
      await collect();
      const before = process.memoryUsage().rss;
      await work();
      await collect();
      grown.push((process.memoryUsage().rss - before) / MIB);
      if (grown.at(-1) < limit) return;
    }
    fail(`it grew each time: ${grown.map((mib) => mib.toFixed(1)).join(', ')} MiB`);
  }

  const hashers = () => {
    const live = Array.from({ length: 10000 }, () => impl.createHash('sha1').update(pattern(100)));
    for (const hash of live) hash.update('more');
    return live;
  };

  test('ten thousand hashers, freed again and again: flat', { seconds: 300 }, () =>
    flat(async () => {
      for (let i = 0; i < 4; i++) {
        hashers();
        await collect();
      }
    }),
  );

  test('digests, batches and inspections leave nothing behind', { seconds: 300 }, async () => {
    const attack = vectors.attack('shattered-1-320').bytes;
    const messages = Array.from({ length: 100 }, (_, i) => pattern(i * 10));
    await flat(() => {
      for (let i = 0; i < 4000; i++) {
        impl.sha1(messages[i % 100], 'buffer');
        impl.sha1Many(messages, 'buffer');
        impl.inspectMany([attack, ...messages.slice(0, 5)]);
        impl.twin(attack);
        impl.restoreHash(impl.createHash('sha1', { mode: 'report' }).update(attack).save()).digest();
        throws(() => impl.sha1(attack), { code: 'ERR_SHA1_COLLISION' });
      }
    });
  });

  test('refused values leave nothing behind', { seconds: 300 }, () =>
    flat(() => {
      for (let i = 0; i < 5000; i++) {
        throws(() => impl.sha1(5));
        throws(() => impl.sha1Many(['a', 'b'.repeat(1000), null]));
        throws(() => impl.restoreHash(new Uint8Array(100)));
        throws(() => impl.sha1('a', 'nope'));
      }
    }),
  );

  test('asynchronous work leaves nothing behind', { seconds: 300 }, () =>
    flat(async () => {
      for (let i = 0; i < 40; i++) {
        const bytes = new Uint8Array(100000);
        await Promise.all(Array.from({ length: 20 }, () => impl.sha1Async(bytes)));
        await Promise.all(Array.from({ length: 20 }, () => impl.sha1Stream([bytes, 'text'])));
      }
    }),
  );

  test('a message of 256 MiB in one call takes less than 8 MiB', { seconds: 300 }, async () => {
    const bytes = new Uint8Array(256 * MIB);
    for (let i = 0; i < bytes.length; i += 4096) bytes[i] = 1;
    const peak = () => process.resourceUsage().maxRSS / 1024;
    impl.sha1(bytes.subarray(0, MIB));
    impl.createHash('sha1').update(bytes.subarray(0, MIB)).digest();
    await collect();
    const current = process.memoryUsage().rss / MIB;
    const before = peak();
    const digest = impl.sha1(bytes);
    equal(impl.createHash('sha1').update(bytes).digest('hex'), digest);
    equal(impl.inspect(bytes).digest, digest);
    const grown = peak() - Math.max(before, current);
    ok(grown < 8, `the peak grew by ${grown.toFixed(1)} MiB`);
  });

  test('a gigabyte in one call takes less than 8 MiB', { long: true, seconds: 600 }, async () => {
    const bytes = new Uint8Array(1024 * MIB);
    for (let i = 0; i < bytes.length; i += 4096) bytes[i] = 1;
    impl.sha1(bytes.subarray(0, MIB));
    await collect();
    const before = Math.max(process.resourceUsage().maxRSS / 1024, process.memoryUsage().rss / MIB);
    impl.sha1(bytes);
    const grown = process.resourceUsage().maxRSS / 1024 - before;
    ok(grown < 8, `the peak grew by ${grown.toFixed(1)} MiB`);
  });
}

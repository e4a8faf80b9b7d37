// Memory that is given back, and memory that is never taken.
import { equal, ok } from '../lib/assert.mjs';
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

  async function growth(warm, work) {
    if (typeof globalThis.gc !== 'function') skip('this runtime was started without --expose-gc');
    await warm();
    await collect();
    const before = process.memoryUsage().rss;
    await work();
    await collect();
    return (process.memoryUsage().rss - before) / MIB;
  }

  const hashers = () => {
    const live = Array.from({ length: 10000 }, () => impl.createHash('sha1').update(pattern(100)));
    for (const hash of live) hash.update('more');
    return live;
  };

  test('ten thousand hashers, freed again and again: flat', { seconds: 300 }, async () => {
    const grown = await growth(
      async () => {
        for (let i = 0; i < 4; i++) {
          hashers();
          await collect();
        }
      },
      async () => {
        for (let i = 0; i < 12; i++) {
          hashers();
          await collect();
        }
      },
    );
    ok(grown < 16, `grew by ${grown.toFixed(1)} MiB over 12 times 10,000 hashers`);
  });

  test('digests, batches and inspections leave nothing behind', { seconds: 300 }, async () => {
    const attack = vectors.attack('shattered-1-320').bytes;
    const messages = Array.from({ length: 100 }, (_, i) => pattern(i * 10));
    const work = (times) => {
      for (let i = 0; i < times; i++) {
        impl.sha1(messages[i % 100], 'buffer');
        impl.sha1Many(messages, 'buffer');
        impl.inspectMany([attack, ...messages.slice(0, 5)]);
        impl.twin(attack);
        impl.restoreHash(impl.createHash('sha1', { mode: 'report' }).update(attack).save()).digest();
        try {
          impl.sha1(attack);
        } catch {
          /* the collision, each time */
        }
      }
    };
    const grown = await growth(
      () => work(3000),
      () => work(12000),
    );
    ok(grown < 16, `grew by ${grown.toFixed(1)} MiB`);
  });

  test('refused values leave nothing behind', { seconds: 300 }, async () => {
    const work = (times) => {
      for (let i = 0; i < times; i++) {
        for (const call of [
          () => impl.sha1(5),
          () => impl.sha1Many(['a', 'b'.repeat(1000), null]),
          () => impl.restoreHash(new Uint8Array(100)),
          () => impl.sha1('a', 'nope'),
        ]) {
          try {
            call();
          } catch {
            /* as it must */
          }
        }
      }
    };
    const grown = await growth(
      () => work(3000),
      () => work(20000),
    );
    ok(grown < 16, `grew by ${grown.toFixed(1)} MiB`);
  });

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

// Memory that is given back, and memory that is never taken. Each case runs in a process of its own, whose heap nothing
// else has stretched: `node --expose-gc memory-cases.mjs ENTRIES CASE`.
import { pathToFileURL } from 'node:url';

import { equal, fail, ok, throws } from '../lib/assert.mjs';
import { pattern } from '../lib/bytes.mjs';
import * as vectors from '../../vectors/index.mjs';

const MIB = 2 ** 20;

async function collect() {
  for (let i = 0; i < 6; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** MiB by which four rounds may leave more than the four before them: heaps have corners that are seldom used. */
const LIMIT = process.platform === 'linux' ? 0.25 : 2;

/**
 * Does the work again and again, until four rounds leave the process no bigger than the four before. What leaks grows all the
 * time; heaps and pools that are still finding their size do not. (memory.mjs starts this process so that its heaps have
 * little freedom, and the limit can be small, whatever else the machine does.)
 */
async function flat(work) {
  await work();
  const left = [];
  while (left.length < 40) {
    await work();
    await collect();
    left.push(process.memoryUsage().rss / MIB);
    if (left.length >= 8 && Math.min(...left.slice(-4)) < Math.min(...left.slice(-8, -4)) + LIMIT) return;
  }
  fail(`it grew all the time: ${left.map((mib) => mib.toFixed(1)).join(', ')} MiB`);
}

/** How far the peak of the process rises in MiB while `work` runs. */
async function rise(work) {
  await collect();
  const peak = () => process.resourceUsage().maxRSS / 1024;
  const before = Math.max(peak(), process.memoryUsage().rss / MIB);
  await work();
  return peak() - before;
}

function touched(length) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < bytes.length; i += 4096) bytes[i] = 1;
  return bytes;
}

async function hugeMessage(impl, length) {
  const bytes = touched(length);
  impl.sha1(bytes.subarray(0, MIB));
  impl.createHash('sha1').update(bytes.subarray(0, MIB)).digest();
  impl.inspect(bytes.subarray(0, MIB));
  await impl.sha1Async(bytes.subarray(0, MIB));
  const calls = {
    sha1: () => impl.sha1(bytes),
    update: () => impl.createHash('sha1').update(bytes).digest('hex'),
    inspect: () => impl.inspect(bytes).digest,
    plain: () => impl.sha1(bytes, 'hex', { mode: 'plain' }),
  };
  const expected = impl.sha1(bytes);
  for (const [name, call] of Object.entries(calls)) {
    let digest;
    const grown = await rise(async () => {
      digest = await call();
    });
    equal(digest, expected, name);
    ok(grown < 8, `${name}: the peak rose by ${grown.toFixed(1)} MiB`);
  }
}

export const cases = {
  'ten thousand hashers, freed again and again': (impl) =>
    flat(async () => {
      for (let i = 0; i < 2; i++) {
        const live = Array.from({ length: 10000 }, () => impl.createHash('sha1').update(pattern(100)));
        for (const hash of live) hash.update('more');
        live.length = 0;
        await collect();
      }
    }),

  'digests, batches and inspections leave nothing behind': (impl) => {
    const attack = vectors.attack('shattered-1-320').bytes;
    const messages = Array.from({ length: 100 }, (_, i) => pattern(i * 10));
    return flat(() => {
      for (let i = 0; i < 300; i++) {
        impl.sha1(messages[i % 100], 'buffer');
        impl.sha1Many(messages, 'buffer');
        impl.inspectMany([attack, ...messages.slice(0, 5)]);
        impl.twin(attack);
        const hash = impl.createHash('sha1', { mode: 'report' }).update(attack);
        impl.restoreHash(hash.save()).digest();
        throws(() => impl.sha1(attack), { code: 'ERR_SHA1_COLLISION' });
      }
    });
  },

  'refused values leave nothing behind': (impl) =>
    flat(() => {
      for (let i = 0; i < 1000; i++) {
        throws(() => impl.sha1(5));
        throws(() => impl.sha1Many(['a', 'b'.repeat(1000), null]));
        throws(() => impl.restoreHash(new Uint8Array(100)));
        throws(() => impl.sha1('a', 'nope'));
      }
    }),

  'asynchronous work leaves nothing behind': (impl) =>
    flat(async () => {
      for (let i = 0; i < 8; i++) {
        const bytes = new Uint8Array(100000);
        await Promise.all(Array.from({ length: 20 }, () => impl.sha1Async(bytes)));
        await Promise.all(Array.from({ length: 20 }, () => impl.sha1Stream([bytes, 'text'])));
      }
    }),

  'a message of 256 MiB in one call takes less than 8 MiB': (impl) => hugeMessage(impl, 256 * MIB),

  'a message of a gigabyte in one call takes less than 8 MiB': (impl) => hugeMessage(impl, 1024 * MIB),
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [entries, name] = process.argv.slice(2);
  const loaded = await import(pathToFileURL(entries).href);
  await cases[name](await (loaded.load ?? loaded.default.load)['.']());
}

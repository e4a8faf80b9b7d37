// sha1Async and sha1Stream: the same verdicts, progress, abort, and sources that fail.
import { deepEqual, equal, ok, rejects } from './lib/assert.mjs';
import { concat, pattern, Random, toBase64, toHex } from './lib/bytes.mjs';
import { skip } from './lib/harness.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { lengths, flagged } = vectors;

  async function* pieces(bytes, size, log = {}) {
    try {
      for (let at = 0; at < bytes.length; at += size) {
        log.given = at;
        yield bytes.subarray(at, at + size);
      }
      log.finished = true;
    } finally {
      log.closed = true;
    }
  }

  function stream(bytes, size, log = {}) {
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) {
          log.finished = true;
          controller.close();
          return;
        }
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
      cancel(reason) {
        log.cancelled = reason ?? true;
      },
    });
  }

  test('sha1Async gives a promise of what sha1 gives', async () => {
    ok(impl.sha1Async('abc') instanceof Promise);
    for (const length of [0, 1, 64, 1000, 1025]) equal(await impl.sha1Async(pattern(length)), lengths.pattern[length]);
    for (const encoding of ['hex', 'base64', 'base64url', 'latin1', 'binary'])
      equal(await impl.sha1Async('abc', encoding), impl.sha1('abc', encoding));
    const bytes = await impl.sha1Async('abc', 'buffer');
    ok(bytes instanceof Uint8Array);
    equal(toHex(bytes), impl.sha1('abc'));
    const big = new Random(1).bytes(5 << 20);
    equal(await impl.sha1Async(big), impl.sha1(big));
    equal(await impl.sha1Async('é'.repeat(300000)), impl.sha1('é'.repeat(300000)));
  });

  test('worker: true gives the same, and in a page it is a Worker that hashes', { seconds: 300 }, async () => {
    const { Worker } = globalThis;
    let made = 0;
    if (facts.runtime === 'browser' && typeof Worker === 'function') {
      globalThis.Worker = class extends Worker {
        constructor(...args) {
          super(...args);
          made += 1;
        }
      };
    }
    try {
      const big = new Random(12).bytes(3 << 20);
      const digest = impl.sha1(big);
      const options = { worker: true };
      deepEqual(
        await Promise.all([
          impl.sha1Async(big, 'hex', options),
          impl.sha1Async('short', 'hex', options),
          impl.sha1Stream(pieces(big, 100_000), 'hex', options),
          impl.sha1Stream([big.subarray(0, 100_000), big.subarray(100_000)], 'hex', options),
        ]),
        [digest, impl.sha1('short'), digest, digest],
      );
      const { bytes } = vectors.attack('shattered-1.pdf');
      await rejects(impl.sha1Async(bytes, 'hex', options), { code: 'ERR_SHA1_COLLISION' });
      equal(await impl.sha1Stream([bytes], 'hex', { ...options, mode: 'mitigate' }), impl.sha1(bytes, 'hex', { mode: 'mitigate' })); // prettier-ignore
      await rejects(impl.sha1Async(big, 'hex', { worker: 'yes' }), { code: 'ERR_INVALID_ARG_TYPE' });
    } finally {
      if (globalThis.Worker !== Worker) globalThis.Worker = Worker;
    }
    // Without WebAssembly there is nothing that a Worker could be given; nor has a service worker any.
    if (facts.runtime === 'browser' && typeof Worker === 'function' && impl.backend.kind === 'wasm') equal(made, 1);
  });

  test('sha1Async: many at once, of every size', async () => {
    const random = new Random(2);
    const messages = Array.from({ length: 200 }, () => random.bytes(random.below(2 ** random.below(20))));
    deepEqual(await Promise.all(messages.map((message) => impl.sha1Async(message))), impl.sha1Many(messages));
  });

  test('sha1Async and sha1Stream: attacks in every mode', async () => {
    for (const { name, bytes, digest, full } of [
      ...flagged,
      vectors.attack('shattered-1.pdf'),
      vectors.attack('shattered-2.pdf'),
    ]) {
      const calls = {
        sha1Async: (options) => impl.sha1Async(bytes, 'hex', options),
        'sha1Stream of pieces': (options) => impl.sha1Stream(pieces(bytes, 100), 'hex', options),
        'sha1Stream of a list': (options) =>
          impl.sha1Stream([bytes.subarray(0, 200), bytes.subarray(200)], 'hex', options),
      };
      for (const [what, call] of Object.entries(calls)) {
        const label = `${what}, ${name}`;
        equal(await call({ mode: 'report' }), digest, label);
        equal(await call({ mode: 'plain' }), digest, label);
        equal(await call({ mode: 'mitigate' }), full.safeDigest, label);
        for (const options of [undefined, { mode: 'detect' }]) {
          const error = await rejects(
            call(options),
            { name: 'CollisionError', code: 'ERR_SHA1_COLLISION', digest },
            label,
          );
          ok(error instanceof impl.CollisionError, label);
          deepEqual([...error.collisions], full.collisions, label);
        }
      }
    }
    const { bytes, digest, reduced } = vectors.attack('sha1_reducedsha_coll.bin');
    equal(await impl.sha1Async(bytes), digest);
    equal(await impl.sha1Async(bytes, 'hex', { reducedRounds: true, mode: 'mitigate' }), reduced.safeDigest);
    await rejects(impl.sha1Stream([bytes], 'hex', { reducedRounds: true }), { code: 'ERR_SHA1_COLLISION' });
  });

  test('sha1Stream: every kind of source', async () => {
    const bytes = pattern(1025);
    const digest = lengths.pattern[1025];
    const sources = {
      'an async generator': () => pieces(bytes, 100),
      'a generator': () =>
        (function* generate() {
          yield bytes.subarray(0, 5);
          yield bytes.subarray(5);
        })(),
      'a list': () => [bytes.subarray(0, 1), bytes.subarray(1, 1000), bytes.subarray(1000)],
      'a Set': () => new Set([bytes.subarray(0, 10), bytes.subarray(10)]),
      'a list with empty pieces': () => ['', bytes, new Uint8Array(0)],
      'a list of every kind of piece': () => [
        bytes.slice(0, 100).buffer,
        new DataView(bytes.buffer, 100, 25),
        new Uint16Array(bytes.slice(125, 225).buffer),
        bytes.subarray(225),
      ],
      'an object with Symbol.asyncIterator': () => ({ [Symbol.asyncIterator]: () => pieces(bytes, 64) }),
    };
    if (typeof Blob !== 'undefined') {
      sources['a Blob'] = () => new Blob([bytes.subarray(0, 30), bytes.subarray(30)]);
      sources['a slice of a Blob'] = () => new Blob(['xyz', bytes, 'xyz']).slice(3, 1028);
      if (typeof File !== 'undefined') sources['a File'] = () => new File([bytes], 'name');
    }
    if (typeof ReadableStream !== 'undefined') {
      sources['a ReadableStream'] = () => stream(bytes, 100);
      if (typeof Response !== 'undefined') sources['the body of a Response'] = () => new Response(bytes).body;
    }
    for (const [what, make] of Object.entries(sources)) {
      equal(await impl.sha1Stream(make()), digest, what);
      equal(await impl.sha1Stream(make(), 'base64'), impl.sha1(bytes, 'base64'), what);
      equal(toHex(await impl.sha1Stream(make(), 'buffer')), digest, what);
    }
  });

  test('sha1Stream: pieces of text are UTF-8, each by itself', async () => {
    equal(await impl.sha1Stream(['a', 'é', '日']), impl.sha1('aé日'));
    equal(await impl.sha1Stream(['\ud83d', '\ude00']), impl.sha1('\ufffd\ufffd'));
    equal(await impl.sha1Stream([]), impl.sha1(''));
    if (typeof ReadableStream !== 'undefined') {
      equal(
        await impl.sha1Stream(
          new ReadableStream({
            start(controller) {
              controller.enqueue('ab');
              controller.enqueue('c');
              controller.close();
            },
          }),
        ),
        impl.sha1('abc'),
      );
    }
  });

  test('sha1Stream: a text or bytes as source would be hashed by characters, so they are refused or hashed whole', async () => {
    for (const source of ['abc', pattern(100)]) {
      let outcome;
      try {
        outcome = await impl.sha1Stream(source);
      } catch (error) {
        equal(error.code, 'ERR_INVALID_ARG_TYPE');
        continue;
      }
      equal(outcome, impl.sha1(source));
    }
  });

  test('sha1Stream: random sources in random pieces', async () => {
    const random = new Random(4);
    for (let round = 0; round < 50; round++) {
      const bytes = random.bytes(random.below(2 ** random.below(18)));
      const cuts = random.cuts(bytes.length, random.between(1, 20));
      const list = cuts.slice(1).map((cut, i) => bytes.subarray(cuts[i], cut));
      const expected = impl.sha1(bytes);
      equal(await impl.sha1Stream(list), expected, `round ${round}`);
      equal(
        await impl.sha1Stream(pieces(bytes, random.between(1, 5000) + (bytes.length >> 6))),
        expected,
        `round ${round}`,
      );
    }
  });

  test('sha1Stream: many at once', async () => {
    const random = new Random(5);
    const messages = Array.from({ length: 100 }, () => random.bytes(random.below(3000)));
    deepEqual(
      await Promise.all(messages.map((message) => impl.sha1Stream(pieces(message, 64 + random.below(300))))),
      impl.sha1Many(messages),
    );
  });

  test('progress: never backwards, ends at the whole', async () => {
    const bytes = pattern(100000);
    const sources = [
      [pieces(bytes, 1000), undefined],
      [[bytes.subarray(0, 50000), bytes.subarray(50000)], undefined],
    ];
    if (typeof Blob !== 'undefined') sources.push([new Blob([bytes]), 100000]);
    if (typeof ReadableStream !== 'undefined') sources.push([stream(bytes, 7000), undefined]);
    for (const [source, total] of sources) {
      const calls = [];
      equal(await impl.sha1Stream(source, 'hex', { onProgress: (...values) => calls.push(values) }), impl.sha1(bytes));
      ok(calls.length > 0, 'it was called');
      let last = 0;
      for (const [done, of] of calls) {
        ok(done >= last, `${done} after ${last}`);
        equal(of, total);
        last = done;
      }
      equal(last, 100000);
    }
  });

  test('an error in onProgress rejects and closes the source', async () => {
    const boom = new Error('boom');
    const fails = {
      onProgress() {
        throw boom;
      },
    };
    const log = {};
    equal(await rejects(impl.sha1Stream(pieces(pattern(1e5), 1000, log), 'hex', fails)), boom);
    equal(log.closed, true);
    ok(!log.finished);
    if (typeof ReadableStream !== 'undefined') {
      const streamLog = {};
      equal(await rejects(impl.sha1Stream(stream(pattern(1e5), 1000, streamLog), 'hex', fails)), boom);
      ok(streamLog.cancelled, 'the stream was cancelled');
    }
    equal(await impl.sha1Stream(['abc']), impl.sha1('abc'));
  });

  test('an abort before the start: the reason, and the source is not read', async () => {
    const reason = new Error('stop');
    const log = {};
    equal(
      await rejects(impl.sha1Stream(pieces(pattern(1000), 10, log), 'hex', { signal: AbortSignal.abort(reason) })),
      reason,
    );
    equal(log.given, undefined);
    const standard = await rejects(impl.sha1Stream(['a'], 'hex', { signal: AbortSignal.abort() }));
    equal(standard.name, 'AbortError');
    equal(await rejects(impl.sha1Async(pattern(1000), 'hex', { signal: AbortSignal.abort(reason) })), reason);
  });

  test('an abort midway: the reason, and the source is closed', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const log = {};
    async function* endless() {
      try {
        for (let i = 0; ; i++) {
          if (i === 20) controller.abort(reason);
          yield pattern(1000);
          await null;
        }
      } finally {
        log.closed = true;
      }
    }
    equal(await rejects(impl.sha1Stream(endless(), 'hex', { signal: controller.signal })), reason);
    equal(log.closed, true);
  });

  test('an abort while the source gives nothing', async () => {
    const reason = new Error('too slow');
    for (const make of [
      () => ({
        [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: async () => ({ done: true }) }),
      }),
      () =>
        typeof ReadableStream === 'undefined' ? undefined : new ReadableStream({ pull: () => new Promise(() => {}) }),
    ]) {
      const source = make();
      if (source === undefined) continue;
      const controller = new AbortController();
      const promise = impl.sha1Stream(source, 'hex', { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 20);
      equal(await rejects(promise), reason);
    }
  });

  test('an abort after the end changes nothing', async () => {
    const controller = new AbortController();
    equal(await impl.sha1Stream(['abc'], 'hex', { signal: controller.signal }), impl.sha1('abc'));
    controller.abort();
    equal(await impl.sha1Stream(['abc'], 'hex', { signal: new AbortController().signal }), impl.sha1('abc'));
  });

  test('a signal that is none is refused', async () => {
    for (const signal of [5, 'abort', {}, true])
      await rejects(
        impl.sha1Stream(['a'], 'hex', { signal }),
        { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' },
        String(signal),
      );
    for (const onProgress of [5, 'x', {}])
      await rejects(
        impl.sha1Stream(['a'], 'hex', { onProgress }),
        { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' },
        String(onProgress),
      );
  });

  test('a source that fails: its error', async () => {
    const boom = new Error('source failed');
    async function* failing() {
      yield 'a';
      throw boom;
    }
    equal(await rejects(impl.sha1Stream(failing())), boom);
    equal(
      await rejects(
        impl.sha1Stream({
          [Symbol.iterator]() {
            throw boom;
          },
        }),
      ),
      boom,
    );
    equal(
      await rejects(
        impl.sha1Stream({
          get [Symbol.asyncIterator]() {
            throw boom;
          },
        }),
      ),
      boom,
    );
    equal(
      (await rejects(
        impl.sha1Stream([
          {
            get length() {
              throw boom;
            },
          },
        ]),
        { code: 'ERR_INVALID_ARG_TYPE' },
      )) instanceof TypeError,
      true,
    );
    if (typeof ReadableStream === 'undefined') return;
    equal(
      await rejects(
        impl.sha1Stream(
          new ReadableStream({
            start(controller) {
              controller.error(boom);
            },
          }),
        ),
      ),
      boom,
    );
  });

  test('a piece that is no data closes the source', async () => {
    const log = {};
    async function* wrong() {
      try {
        yield 'a';
        yield 5;
        yield 'b';
      } finally {
        log.closed = true;
      }
    }
    await rejects(impl.sha1Stream(wrong()), { code: 'ERR_INVALID_ARG_TYPE' });
    equal(log.closed, true);
  });

  test('a locked or used stream is refused by the platform\u2019s own error', async () => {
    if (typeof ReadableStream === 'undefined') skip('this runtime has no ReadableStream');
    const locked = stream(pattern(10), 5);
    locked.getReader();
    await rejects(impl.sha1Stream(locked), { name: 'TypeError' });
  });

  test('a stream is read to its end and let go', async () => {
    if (typeof ReadableStream === 'undefined') skip('this runtime has no ReadableStream');
    const source = stream(pattern(1000), 64);
    await impl.sha1Stream(source);
    equal(source.locked, false);
  });

  test('pieces may be used again by the source once they were taken', async () => {
    const bytes = pattern(1000);
    const buffer = new Uint8Array(100);
    async function* reusing() {
      for (let at = 0; at < 1000; at += 100) {
        buffer.set(bytes.subarray(at, at + 100));
        yield buffer;
        buffer.fill(0);
      }
    }
    equal(await impl.sha1Stream(reusing()), lengths.pattern[1000]);
  });

  test('encodings and base64 of what is streamed', async () => {
    const bytes = concat(pattern(500), pattern(300));
    equal(await impl.sha1Stream([pattern(500), pattern(300)], 'base64'), toBase64(impl.sha1(bytes, 'buffer')));
  });
}

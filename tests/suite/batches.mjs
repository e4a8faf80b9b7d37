// Many messages at once: exactly what one by one gives, wherever an attack stands.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { concat, fromHex, pattern, Random, toBase64, toHex } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { flagged, lengths } = vectors;
  const reducedOnly = vectors.attack('sha1_reducedsha_coll.bin');

  /**
   * A batch of clean messages with attacks at the given places. Expected values come from the platform's SHA-1 and from
   * the vectors.
   */
  async function makeBatch(random, count, longest, attackPlaces) {
    const batch = [];
    for (let i = 0; i < count; i++) {
      if (attackPlaces.has(i)) {
        const { bytes, digest, full } = random.pick(flagged);
        batch.push({ bytes, digest, safeDigest: full.safeDigest, collisions: full.collisions });
      } else {
        const bytes = random.bytes(random.below(2 ** random.below(Math.log2(longest) + 1)));
        const digest = await facts.oracle(bytes);
        batch.push({ bytes, digest, safeDigest: digest, collisions: [] });
      }
    }
    return batch;
  }

  function checkBatch(batch, label) {
    const messages = batch.map(({ bytes }) => bytes);
    const digests = batch.map(({ digest }) => digest);
    const attacked = batch.flatMap(({ collisions }, i) => (collisions.length > 0 ? [i] : []));
    deepEqual(impl.sha1Many(messages, 'hex', { mode: 'report' }), digests, label);
    deepEqual(impl.sha1Many(messages, 'hex', { mode: 'plain' }), digests, label);
    deepEqual(
      impl.sha1Many(messages, 'hex', { mode: 'mitigate' }),
      batch.map(({ safeDigest }) => safeDigest),
      label,
    );
    equal(toHex(impl.sha1Many(messages, 'buffer', { mode: 'report' })), digests.join(''), label);
    const inspections = impl.inspectMany(messages);
    equal(inspections.length, batch.length, label);
    batch.forEach(({ digest, safeDigest, collisions }, i) => {
      deepEqual(
        inspections[i],
        { digest, safeDigest, collision: collisions.length > 0, collisions },
        `${label}, message ${i}`,
      );
    });
    if (attacked.length === 0) {
      deepEqual(impl.sha1Many(messages), digests, label);
      return;
    }
    const error = throws(() => impl.sha1Many(messages), {}, label);
    ok(error instanceof impl.CollisionError, label);
    equal(error.code, 'ERR_SHA1_COLLISION', label);
    equal(error.index, attacked[0], label);
    deepEqual([...error.indexes], attacked, label);
    equal(error.digest, digests[attacked[0]], label);
    deepEqual([...error.collisions], batch[attacked[0]].collisions, label);
  }

  test('nothing, one message, the same message many times', () => {
    deepEqual(impl.sha1Many([]), []);
    equal(impl.sha1Many([], 'buffer').length, 0);
    ok(impl.sha1Many([], 'buffer') instanceof Uint8Array);
    deepEqual(impl.inspectMany([]), []);
    const message = pattern(100);
    for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 200]) {
      deepEqual(impl.sha1Many(Array(count).fill(message)), Array(count).fill(lengths.pattern[100]), `${count} times`);
    }
  });

  test('every length beside every other', () => {
    const whole = pattern(1025);
    const messages = lengths.pattern.map((_, length) => whole.subarray(0, length));
    deepEqual(impl.sha1Many(messages), lengths.pattern);
    deepEqual(impl.sha1Many(messages.toReversed?.() ?? [...messages].reverse()), [...lengths.pattern].reverse());
    const order = new Random(3).shuffle([...messages.keys()]);
    deepEqual(
      impl.sha1Many(order.map((i) => messages[i])),
      order.map((i) => lengths.pattern[i]),
    );
  });

  test('encodings', () => {
    const messages = lengths.pattern.slice(0, 50).map((_, length) => pattern(length));
    const bytes = lengths.pattern.slice(0, 50).map(fromHex);
    deepEqual(impl.sha1Many(messages, 'base64'), bytes.map(toBase64));
    deepEqual(impl.sha1Many(messages, 'HEX'), lengths.pattern.slice(0, 50));
    deepEqual(
      impl.sha1Many(messages, 'base64url'),
      bytes.map((digest) => toBase64(digest).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')),
    );
    deepEqual(
      impl.sha1Many(messages, 'latin1'),
      bytes.map((digest) => String.fromCharCode(...digest)),
    );
    const packed = impl.sha1Many(messages, 'buffer');
    ok(packed instanceof Uint8Array);
    deepEqual(packed, concat(...bytes));
  });

  test('messages of every kind in one batch', () => {
    const bytes = pattern(64);
    const messages = [
      '',
      'abc',
      bytes,
      bytes.buffer,
      new DataView(bytes.buffer, 1, 63),
      new Uint32Array(bytes.buffer, 4, 5),
      'é\ud800',
    ];
    deepEqual(
      impl.sha1Many(messages),
      messages.map((message) => impl.sha1(message)),
    );
    if (typeof SharedArrayBuffer === 'undefined') return;
    const shared = new SharedArrayBuffer(100);
    new Uint8Array(shared).set(pattern(100));
    deepEqual(impl.sha1Many([shared, bytes, new Uint8Array(shared, 3, 50), shared]), [
      lengths.pattern[100],
      lengths.pattern[64],
      impl.sha1(pattern(100).slice(3, 53)),
      lengths.pattern[100],
    ]);
  });

  test('views of one buffer, overlapping', () => {
    const whole = pattern(1025);
    const messages = Array.from({ length: 300 }, (_, i) => whole.subarray(i, i + ((i * 37) % 400)));
    deepEqual(
      impl.sha1Many(messages),
      messages.map((message) => impl.sha1(message)),
    );
  });

  test('random sizes and counts without an attack', async () => {
    const random = new Random(600);
    for (let round = 0; round < 40; round++)
      checkBatch(await makeBatch(random, random.below(201), 4096, new Set()), `round ${round}`);
  });

  test('random sizes and counts, attacks at random places', async () => {
    const random = new Random(601);
    for (let round = 0; round < 60; round++) {
      const count = random.between(1, 200);
      const places = new Set(Array.from({ length: random.between(1, 6) }, () => random.below(count)));
      checkBatch(
        await makeBatch(random, count, 4096, places),
        `round ${round}, ${count} messages, attacks at ${[...places]}`,
      );
    }
  });

  test('messages up to 70 KiB, attacks among them', async () => {
    const random = new Random(602);
    for (let round = 0; round < 6; round++) {
      const count = random.between(20, 80);
      const places = new Set([random.below(count), random.below(count)]);
      checkBatch(await makeBatch(random, count, 70 * 1024, places), `round ${round}`);
    }
  });

  test('one attack at each place of small batches', async () => {
    const random = new Random(603);
    for (const count of [1, 2, 3, 4, 5, 8, 9, 16, 17, 33]) {
      for (let place = 0; place < count; place++)
        checkBatch(await makeBatch(random, count, 700, new Set([place])), `${place} of ${count}`);
    }
  });

  test('nothing but attacks', async () => {
    const random = new Random(604);
    for (const count of [1, 4, 8, 16, 17, 50])
      checkBatch(await makeBatch(random, count, 64, new Set(Array(count).keys())), `${count} attacks`);
  });

  test('a long message beside many short ones, the attack in the long one', async () => {
    const { bytes, digest, full } = vectors.attack('shattered-1.pdf');
    const random = new Random(605);
    const batch = await makeBatch(random, 60, 1000, new Set([7]));
    const long = { bytes, digest, safeDigest: full.safeDigest, collisions: full.collisions };
    for (const place of [0, 30, 60])
      checkBatch([...batch.slice(0, place), long, ...batch.slice(place)], `long at ${place}`);
  });

  test('attacks shifted in memory and in the batch', async () => {
    const { bytes, full } = vectors.attack('shattered-2-320');
    for (let shift = 0; shift < 70; shift++) {
      const memory = concat(pattern(shift), bytes, pattern(70 - shift));
      const inspections = impl.inspectMany([...Array(shift % 9).fill(''), memory.subarray(shift, shift + 320), memory]);
      deepEqual(inspections.at(-2), full, `shift ${shift}`);
      const moved = inspections.at(-1);
      equal(moved.digest, await facts.oracle(memory), `shift ${shift}`);
      equal(moved.collision, shift === 0, `shift ${shift}`);
    }
  });

  test('reduced rounds and no UBC in batches', () => {
    const entries = [...vectors.attacks.filter(({ bytes }) => bytes.length <= 640), reducedOnly];
    const messages = entries.map(({ bytes }) => bytes);
    for (const ubc of [true, false]) {
      deepEqual(
        impl.inspectMany(messages, { ubc }),
        entries.map(({ full }) => full),
      );
      deepEqual(
        impl.inspectMany(messages, { ubc, reducedRounds: true }),
        entries.map(({ reduced }) => reduced),
      );
      deepEqual(
        impl.sha1Many(messages, 'hex', { ubc, reducedRounds: true, mode: 'mitigate' }),
        entries.map(({ reduced }) => reduced.safeDigest),
      );
    }
    const error = throws(() => impl.sha1Many(['a', reducedOnly.bytes, 'b'], 'hex', { reducedRounds: true }), {
      code: 'ERR_SHA1_COLLISION',
    });
    equal(error.index, 1);
    deepEqual(impl.sha1Many([reducedOnly.bytes]), [reducedOnly.digest]);
  });

  test('derived attacks in one batch, as the reference says', () => {
    deepEqual(
      impl.inspectMany(vectors.derived.map(({ bytes }) => bytes)),
      vectors.derived.map(({ full }) => full),
    );
    deepEqual(
      impl.inspectMany(
        vectors.derived.map(({ bytes }) => bytes),
        { reducedRounds: true },
      ),
      vectors.derived.map(({ reduced }) => reduced),
    );
  });

  test('a wrong element throws, names its place, and nothing is given out', () => {
    for (const place of [0, 1, 5, 20]) {
      const messages = Array(21).fill('abc');
      messages[place] = 5;
      for (const call of [
        () => impl.sha1Many(messages),
        () => impl.sha1Many(messages, 'buffer'),
        () => impl.inspectMany(messages),
      ]) {
        const error = throws(call, { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
        ok(error.message.includes(`[${place}]`), `the message names the element: ${error.message}`);
        ok(error.message.endsWith('Received type number (5)'), error.message);
      }
    }
    // eslint-disable-next-line no-sparse-arrays
    throws(() => impl.sha1Many(['a', , 'b']), { code: 'ERR_INVALID_ARG_TYPE' });
  });

  test('what is no array of messages is refused', () => {
    for (const value of [
      undefined,
      null,
      5,
      'text',
      {},
      { length: 1, 0: 'a' },
      new Uint8Array(4),
      new Map(),
      () => [],
    ]) {
      for (const call of [() => impl.sha1Many(value), () => impl.inspectMany(value), () => impl.hashObjects(value)])
        throws(call, { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }, String(value));
    }
  });

  test('ten thousand short messages', async () => {
    const random = new Random(606);
    const messages = Array.from({ length: 10000 }, () => random.bytes(random.below(40)));
    const digests = impl.sha1Many(messages);
    equal(digests.length, messages.length);
    for (let i = 0; i < messages.length; i += 97) equal(digests[i], await facts.oracle(messages[i]), `message ${i}`);
    messages.forEach((message, i) => equal(impl.sha1(message), digests[i], `message ${i}`));
  });

  test('a hundred thousand messages with a thousand attacks', { long: true, seconds: 600 }, async () => {
    const random = new Random(607);
    const places = new Set(Array.from({ length: 1000 }, () => random.below(100000)));
    checkBatch(await makeBatch(random, 100000, 2048, places), 'a big batch');
  });
}

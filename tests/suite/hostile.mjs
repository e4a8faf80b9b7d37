// Input that lies, throws midway or calls back in. The classes of the advisories against sha.js (a fake length rewinds the
// state) and cipher-base (objects taken for bytes) are here and in errors.mjs.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { pattern } from './lib/bytes.mjs';
import { entryPoints } from './lib/entry-points.mjs';
import { skip } from './lib/harness.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;
  const points = entryPoints(impl);
  const attacked = vectors.attack('shattered-1-320');

  async function hashedAs(data, expected, label) {
    for (const point of points) {
      if (facts.nodeCryptoOnly && !point.node) continue;
      equal(await point.digest(data), await point.expected(expected, facts.oracle), `${point.name}, ${label}`);
    }
  }

  test('own properties of a view that lie about it are not believed', { node: true }, async () => {
    const lies = {
      length: [0, 1, 5, 1e9, -1, NaN, 2 ** 40, 'x', undefined],
      byteLength: [0, 1, 1e9, -1, undefined],
      byteOffset: [1, 1e9, -1, undefined],
      buffer: [new ArrayBuffer(1), undefined, {}],
      constructor: [Array, undefined, {}],
      BYTES_PER_ELEMENT: [0, 4],
    };
    for (const [key, values] of Object.entries(lies)) {
      for (const value of values) {
        const view = pattern(100);
        Object.defineProperty(view, key, { value });
        await hashedAs(view, pattern(100), `${key} said to be ${String(value)}`);
      }
    }
  });

  test('getters of a view, its prototype or its class that lie or throw are not asked', { node: true }, async () => {
    class Liar extends Uint8Array {
      get length() {
        return 1e9;
      }
      get byteLength() {
        throw new Error('byteLength was asked');
      }
      get byteOffset() {
        return 64;
      }
      get buffer() {
        throw new Error('buffer was asked');
      }
      get [Symbol.toStringTag]() {
        return 'Object';
      }
      static get [Symbol.species]() {
        throw new Error('species was asked');
      }
      subarray() {
        throw new Error('subarray was called');
      }
      slice() {
        throw new Error('slice was called');
      }
      *[Symbol.iterator]() {
        yield 1;
      }
      toString() {
        throw new Error('toString was called');
      }
    }
    const liar = new Liar(100);
    Uint8Array.prototype.set.call(liar, pattern(100));
    await hashedAs(liar, pattern(100), 'a class that lies');
    const view = new DataView(pattern(100).buffer, 10, 50);
    for (const key of ['byteLength', 'byteOffset', 'buffer'])
      Object.defineProperty(view, key, {
        get() {
          throw new Error(`${key} was asked`);
        },
      });
    await hashedAs(view, pattern(100).subarray(10, 60), 'a DataView that throws');
  });

  test('own properties of an ArrayBuffer that lie about it are not believed', async () => {
    for (const key of ['byteLength', 'slice', 'resizable', 'detached', 'maxByteLength', 'constructor']) {
      const { buffer } = pattern(100);
      Object.defineProperty(buffer, key, {
        get() {
          throw new Error(`${key} was asked`);
        },
      });
      await hashedAs(buffer, pattern(100), key);
    }
    if (typeof SharedArrayBuffer === 'undefined') return;
    for (const key of ['byteLength', 'growable', 'constructor']) {
      const buffer = new SharedArrayBuffer(100);
      new Uint8Array(buffer).set(pattern(100));
      Object.defineProperty(buffer, key, {
        get() {
          throw new Error(`${key} was asked`);
        },
      });
      await hashedAs(buffer, pattern(100), `shared ${key}`);
    }
  });

  test('a fake length does not rewind the state (as sha.js before 2.4.12)', { node: true }, () => {
    for (const length of [-60, -1, -(2 ** 31), 2 ** 32, NaN, '1e99']) {
      const hash = impl.createHash('sha1').update('secret prefix');
      throws(() => hash.update({ length }), { code: 'ERR_INVALID_ARG_TYPE' }, String(length));
      throws(
        () => hash.update(JSON.parse(`{"length":${JSON.stringify(length)}}`)),
        { code: 'ERR_INVALID_ARG_TYPE' },
        String(length),
      );
      equal(hash.digest('hex'), impl.createHash('sha1').update('secret prefix').digest('hex'), String(length));
    }
  });

  test('options are read once, so that they cannot say two things', () => {
    const calls = {
      sha1: (options) => impl.sha1('abc', 'hex', options),
      sha1Many: (options) => impl.sha1Many(['abc', 'def'], 'hex', options),
      inspect: (options) => impl.inspect('abc', options),
      inspectMany: (options) => impl.inspectMany(['abc'], options),
      createHash: (options) => impl.createHash('sha1', options).update('abc').digest('hex'),
      hash: (options) => impl.hash('sha1', 'abc', 'hex', options),
      hashObject: (options) => impl.hashObject('blob', 'abc', 'hex', options),
      hashObjects: (options) => impl.hashObjects([{ type: 'blob', content: 'abc' }], 'hex', options),
      createObjectHash: (options) => impl.createObjectHash('blob', 3, options).update('abc').digest('hex'),
    };
    for (const [name, call] of Object.entries(calls)) {
      const reads = {};
      const seen = (key, value) => {
        reads[key] = (reads[key] ?? 0) + 1;
        return value;
      };
      call({
        get mode() {
          return seen('mode', 'report');
        },
        get reducedRounds() {
          return seen('reducedRounds', false);
        },
        get ubc() {
          return seen('ubc', true);
        },
      });
      for (const [key, count] of Object.entries(reads)) equal(count, 1, `${name} read ${key}`);
    }
  });

  test('options that throw: the error comes through and nothing is broken', () => {
    const boom = new Error('boom');
    for (const key of ['mode', 'reducedRounds', 'ubc']) {
      const options = Object.defineProperty({}, key, {
        get() {
          throw boom;
        },
      });
      for (const call of [
        () => impl.sha1('abc', 'hex', options),
        () => impl.sha1Many(['abc'], 'hex', options),
        () => impl.inspect('abc', options),
        () => impl.createHash('sha1', options),
        () => impl.hashObject('blob', 'abc', 'hex', options),
      ]) {
        equal(throws(call), boom, key);
        equal(impl.sha1('abc'), 'a9993e364706816aba3e25717850c26c9cd0d89d');
      }
    }
  });

  function withGetter(list, index, get) {
    return Object.defineProperty(list, index, { get, enumerable: true });
  }

  test('an element that throws midway: the error comes through and nothing is broken', () => {
    const boom = new Error('boom');
    for (const index of [0, 1, 9, 40]) {
      const messages = withGetter(Array(41).fill('abc'), index, () => {
        throw boom;
      });
      for (const call of [
        () => impl.sha1Many(messages),
        () => impl.sha1Many(messages, 'buffer'),
        () => impl.inspectMany(messages),
      ])
        equal(throws(call), boom);
      const objects = Array.from({ length: 41 }, () => ({ type: 'blob', content: 'abc' }));
      objects[index] = {
        type: 'blob',
        get content() {
          throw boom;
        },
      };
      equal(
        throws(() => impl.hashObjects(objects)),
        boom,
      );
      objects[index] = {
        get type() {
          throw boom;
        },
        content: 'abc',
      };
      equal(
        throws(() => impl.hashObjects(objects)),
        boom,
      );
      equal(
        throws(() =>
          impl.sha1Many(
            new Proxy(['a', 'b'], {
              get() {
                throw boom;
              },
            }),
          ),
        ),
        boom,
      );
      deepEqual(impl.sha1Many(['abc', '']), [
        'a9993e364706816aba3e25717850c26c9cd0d89d',
        'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      ]);
    }
  });

  test('an element that hashes while the batch is read does not disturb it', () => {
    const hash = impl.createHash('sha1').update(pattern(100));
    const busy = () => {
      impl.sha1(pattern(777));
      impl.sha1('é'.repeat(500));
      impl.sha1Many([pattern(50), 'x', pattern(900)]);
      impl.hashObject('blob', pattern(64));
      impl.inspect(attacked.bytes);
      hash.update('');
    };
    const messages = ['first', pattern(300), 'é'.repeat(90), null, pattern(64), null, 'last'];
    withGetter(messages, 3, () => {
      busy();
      return pattern(200);
    });
    withGetter(messages, 5, () => {
      busy();
      return 'text';
    });
    const expected = ['first', pattern(300), 'é'.repeat(90), pattern(200), pattern(64), 'text', 'last'].map((message) =>
      impl.sha1(message),
    );
    deepEqual(impl.sha1Many(messages), expected);
    deepEqual(
      impl.inspectMany(messages).map(({ digest }) => digest),
      expected,
    );
    const objects = [
      { type: 'blob', content: pattern(300) },
      {
        get type() {
          busy();
          return 'tree';
        },
        get content() {
          busy();
          return pattern(40);
        },
      },
      { type: 'tag', content: 'text' },
    ];
    deepEqual(impl.hashObjects(objects), [
      impl.hashObject('blob', pattern(300)),
      impl.hashObject('tree', pattern(40)),
      impl.hashObject('tag', 'text'),
    ]);
    equal(hash.digest('hex'), lengths.pattern[100]);
  });

  test('options that hash while they are read do not disturb the call', () => {
    const options = {
      get mode() {
        impl.sha1(pattern(500));
        impl.sha1Many([pattern(10), 'x']);
        return 'report';
      },
    };
    equal(impl.sha1(pattern(100), 'hex', options), lengths.pattern[100]);
    deepEqual(impl.sha1Many([pattern(100), pattern(101)], 'hex', options), [
      lengths.pattern[100],
      lengths.pattern[101],
    ]);
    equal(impl.createHash('sha1', options).update(pattern(100)).digest('hex'), lengths.pattern[100]);
  });

  test('a list that changes while it is read', () => {
    const growing = ['a', 'b'];
    withGetter(growing, 0, () => {
      if (growing.length < 50) growing.push('more');
      return 'a';
    });
    const grown = impl.sha1Many(growing);
    ok(grown.length === 2 || grown.length === 3, `${grown.length} digests`);
    equal(grown[0], impl.sha1('a'));
    equal(grown[1], impl.sha1('b'));
    const shrinking = ['a', 'b', 'c'];
    withGetter(shrinking, 0, () => {
      shrinking.length = 1;
      return 'a';
    });
    let outcome;
    try {
      outcome = impl.sha1Many(shrinking);
    } catch (error) {
      equal(error.code, 'ERR_INVALID_ARG_TYPE');
    }
    if (outcome) deepEqual(outcome, [impl.sha1('a')]);
  });

  test('a buffer detached, shrunk or changed by a later element: a digest of one of its states, never of other memory', () => {
    const transfer = (buffer) => structuredClone(buffer, { transfer: [buffer] });
    for (const length of [10, 64, 1000, 100000]) {
      const before = new Uint8Array(length).fill(7);
      const digests = new Set([impl.sha1(before), impl.sha1('')]);
      const message = before.slice();
      const messages = ['x', message, null, 'y'];
      withGetter(messages, 2, () => {
        if (message.length > 0) transfer(message.buffer);
        return 'z';
      });
      const result = impl.sha1Many(messages);
      ok(digests.has(result[1]), `detached, ${length} bytes: ${result[1]}`);
      deepEqual(
        [result[0], result[2], result[3]],
        ['x', 'z', 'y'].map((text) => impl.sha1(text)),
      );
      if (typeof ArrayBuffer.prototype.resize !== 'function') continue;
      const buffer = new ArrayBuffer(length, { maxByteLength: length });
      const tracking = new Uint8Array(buffer).fill(7);
      const shrinking = ['x', tracking, null, buffer];
      withGetter(shrinking, 2, () => {
        buffer.resize(3);
        return 'z';
      });
      const shrunk = impl.sha1Many(shrinking);
      const three = impl.sha1(new Uint8Array(3).fill(7));
      ok(shrunk[1] === impl.sha1(before) || shrunk[1] === three, `shrunk, ${length} bytes: ${shrunk[1]}`);
      equal(shrunk[3], three);
    }
  });

  test('an attack hidden behind a changing element: digest and verdict are of the same bytes', () => {
    for (const order of ['attack first', 'clean first']) {
      const shifting = attacked.bytes.slice();
      if (order === 'clean first') shifting[300] ^= 1;
      const cleanBytes = attacked.bytes.slice();
      cleanBytes[300] ^= 1;
      const cleanDigest = impl.sha1(cleanBytes);
      const messages = [shifting, null];
      withGetter(messages, 1, () => {
        shifting[300] ^= 1;
        return 'x';
      });
      const [inspection] = impl.inspectMany(messages);
      ok([attacked.digest, cleanDigest].includes(inspection.digest), order);
      equal(inspection.collision, inspection.digest === attacked.digest, order);
    }
  });

  test('a polluted Object.prototype does not turn detection off', () => {
    const pollution = {
      mode: 'plain',
      reducedRounds: true,
      ubc: false,
      index: 5,
      encoding: 'base64',
      digest: 'x',
      type: 'blob',
      content: 'abc',
    };
    for (const [key, value] of Object.entries(pollution))
      Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
    const outcomes = [];
    try {
      for (const call of [
        () => impl.sha1(attacked.bytes),
        () => impl.sha1(attacked.bytes, 'hex'),
        () => impl.hash('sha1', attacked.bytes),
        () => impl.createHash('sha1').update(attacked.bytes).digest('hex'),
        () => impl.sha1Many(['a', attacked.bytes]),
      ]) {
        try {
          outcomes.push(call());
        } catch (error) {
          outcomes.push(error);
        }
      }
      outcomes.push(impl.sha1('abc'));
    } finally {
      for (const key of Object.keys(pollution)) delete Object.prototype[key];
    }
    equal(outcomes.pop(), 'a9993e364706816aba3e25717850c26c9cd0d89d');
    for (const outcome of outcomes) equal(outcome.code, 'ERR_SHA1_COLLISION');
  });

  test('setters on Array.prototype and Object.prototype see nothing', () => {
    let caught = 0;
    for (const key of ['0', '1', '2']) {
      Object.defineProperty(Array.prototype, key, {
        configurable: true,
        set() {
          caught += 1;
        },
      });
    }
    let digests;
    let inspections;
    try {
      digests = impl.sha1Many(['a', 'b', 'c']);
      inspections = impl.inspectMany([attacked.bytes, 'b']);
    } finally {
      for (const key of ['0', '1', '2']) delete Array.prototype[key];
    }
    const [one, two, three] = ['a', 'b', 'c'].map((text) => impl.sha1(text));
    deepEqual(digests, [one, two, three]);
    equal(inspections.length, 2);
    deepEqual(inspections[0], attacked.full);
    equal(caught, 0);
  });

  test('functions work without their module as this', () => {
    const { sha1, createHash, hash, inspect, sha1Many, hashObject, twin } = impl;
    equal(sha1('abc'), hash('sha1', 'abc'));
    equal(createHash('sha1').update('abc').digest('hex'), sha1('abc'));
    deepEqual(
      ['abc', 'x'].map((message) => inspect(message).digest),
      sha1Many(['abc', 'x']),
    );
    equal(hashObject('blob', ''), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    equal(twin('abc'), null);
    throws(() => Reflect.apply(createHash('sha1').update, {}, ['abc']), { name: 'TypeError' });
    throws(() => Reflect.apply(createHash('sha1').digest, undefined, []), { name: 'TypeError' });
    throws(() =>
      Reflect.apply(createHash('sha1').update, new Proxy(createHash('sha1'), { get: () => undefined }), ['abc']),
    );
  });

  test('the longest text that there is', { long: true, seconds: 600 }, () => {
    let text;
    try {
      text = 'a'.repeat(2 ** 29 - 24);
    } catch {
      skip('this engine has no text of half a gigabyte');
    }
    const hash = impl.createHash('sha1');
    const piece = 'a'.repeat(2 ** 20);
    for (let left = text.length; left > 0; left -= piece.length)
      hash.update(piece.slice(0, Math.min(left, piece.length)));
    equal(impl.sha1(text), hash.digest('hex'));
  });
}

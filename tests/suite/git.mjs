// Object names as git gives them.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { ascii, concat, fromHex, pattern, Random, toBase64, toHex } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

const TYPES = ['blob', 'tree', 'commit', 'tag'];

export default function define({ test, impl, facts }) {
  const { gitObjects } = vectors;

  const header = (type, length) => concat(ascii(`${type} ${length}`), new Uint8Array(1));

  test('objects named by git itself', () => {
    for (const { type, id, content } of gitObjects) {
      equal(impl.hashObject(type, content), id, `${type} of ${content.length}`);
      const hash = impl.createObjectHash(type, content.length);
      for (let at = 0; at < content.length; at += 100) hash.update(content.subarray(at, at + 100));
      equal(hash.digest('hex'), id, `${type} of ${content.length}`);
    }
    deepEqual(
      impl.hashObjects(gitObjects),
      gitObjects.map(({ id }) => id),
    );
    deepEqual(impl.hashObjects(gitObjects, 'buffer'), concat(...gitObjects.map(({ id }) => fromHex(id))));
  });

  test('well-known names', () => {
    equal(impl.hashObject('blob', ''), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
    equal(impl.hashObject('tree', ''), '4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    equal(impl.hashObject('blob', 'hello world\n'), '3b18e512dba79e4c8300dd08aeb37f8e728b8dad');
  });

  test('every type and length: the header is part of the message', async () => {
    for (const type of TYPES) {
      for (let length = 0; length <= 200; length++) {
        const content = pattern(length);
        equal(
          impl.hashObject(type, content),
          await facts.oracle(concat(header(type, length), content)),
          `${type} ${length}`,
        );
      }
      for (const length of [999, 1000, 9999, 10000, 99999, 100000]) {
        const content = pattern(length);
        equal(
          impl.hashObject(type, content),
          await facts.oracle(concat(header(type, length), content)),
          `${type} ${length}`,
        );
      }
    }
  });

  test('the length in the header is that of the bytes, for text too', async () => {
    for (const text of ['é', '日本語', '😀', '\ud800', 'a'.repeat(9) + 'é']) {
      const bytes = new TextEncoder().encode(text);
      equal(impl.hashObject('blob', text), await facts.oracle(concat(header('blob', bytes.length), bytes)), text);
      equal(impl.hashObject('blob', text), impl.hashObject('blob', bytes));
    }
    equal(impl.hashObject('blob', new Uint16Array([1, 2])), impl.hashObject('blob', Uint8Array.of(1, 0, 2, 0)));
  });

  test('encodings', () => {
    const id = impl.hashObject('blob', 'abc');
    const bytes = impl.hashObject('blob', 'abc', 'buffer');
    ok(bytes instanceof Uint8Array);
    equal(toHex(bytes), id);
    equal(impl.hashObject('blob', 'abc', 'base64'), toBase64(bytes));
    deepEqual(impl.hashObjects([{ type: 'blob', content: 'abc' }], 'base64'), [toBase64(bytes)]);
    deepEqual(impl.hashObjects([]), []);
    equal(impl.hashObjects([], 'buffer').length, 0);
  });

  test('random batches of objects', async () => {
    const random = new Random(1805);
    for (let round = 0; round < 20; round++) {
      const objects = Array.from({ length: random.below(150) }, () => ({
        type: random.pick(TYPES),
        content: random.bytes(random.below(2 ** random.below(15))),
      }));
      const ids = [];
      for (const { type, content } of objects)
        ids.push(await facts.oracle(concat(header(type, content.length), content)));
      deepEqual(impl.hashObjects(objects), ids, `round ${round}`);
      for (const mode of ['mitigate', 'report', 'plain'])
        deepEqual(impl.hashObjects(objects, 'hex', { mode }), ids, `round ${round}, ${mode}`);
      objects.forEach(({ type, content }, i) => equal(impl.hashObject(type, content), ids[i]));
    }
  });

  test('the attack files are clean as blobs: the header moves their blocks', async () => {
    for (const { name, bytes } of vectors.attacks) {
      for (const type of TYPES)
        equal(
          impl.hashObject(type, bytes),
          await facts.oracle(concat(header(type, bytes.length), bytes)),
          `${type} ${name}`,
        );
    }
  });

  test('an attack beside its own blob in one batch: only the former is reported', () => {
    const { bytes } = vectors.attack('shattered-1-320');
    const inspections = impl.inspectMany([concat(header('blob', 320), bytes), bytes]);
    equal(inspections[0].collision, false);
    equal(inspections[0].digest, impl.hashObject('blob', bytes));
    equal(inspections[1].collision, true);
  });

  test('createObjectHash: fewer or more bytes than said is an error at digest', () => {
    for (const [size, fed] of [
      [3, 2],
      [3, 4],
      [0, 1],
      [1, 0],
      [100, 99],
      [100, 101],
    ]) {
      const hash = impl.createObjectHash('blob', size);
      hash.update(pattern(fed));
      throws(() => hash.digest('hex'), {}, `${fed} of ${size}`);
    }
    const exact = impl.createObjectHash('blob', 3).update('a').update('').update('bc');
    equal(exact.digest('hex'), impl.hashObject('blob', 'abc'));
  });

  test('createObjectHash: text counts by its bytes', () => {
    equal(impl.createObjectHash('blob', 5).update('é').update('日').digest('hex'), impl.hashObject('blob', 'é日'));
    throws(() => impl.createObjectHash('blob', 2).update('é日').digest());
    equal(impl.createObjectHash('blob', 3).update('616263', 'hex').digest('hex'), impl.hashObject('blob', 'abc'));
  });

  test('createObjectHash: copies and saved states know the size', () => {
    const hash = impl.createObjectHash('commit', 6).update('abc');
    const copy = hash.copy();
    const restored = impl.restoreHash(hash.save());
    const expected = impl.hashObject('commit', 'abcdef');
    equal(hash.update('def').digest('hex'), expected);
    equal(copy.update('def').digest('hex'), expected);
    equal(restored.update('def').digest('hex'), expected);
    const short = impl.createObjectHash('commit', 6).update('abc');
    throws(() => short.copy().digest());
    throws(() => impl.restoreHash(short.save()).digest());
  });

  test('createObjectHash: sizes that are none are refused', () => {
    for (const size of [-1, 1.5, NaN, Infinity, 2 ** 53, '3', null, undefined, {}, 3n]) {
      const error = throws(() => impl.createObjectHash('blob', size), {}, String(size));
      ok(
        ['ERR_INVALID_ARG_TYPE', 'ERR_OUT_OF_RANGE', 'ERR_INVALID_ARG_VALUE'].includes(error.code),
        `${String(size)}: ${error.code}`,
      );
    }
    impl.createObjectHash('blob', 2 ** 53 - 1);
  });

  test('unknown types are refused and named', () => {
    for (const type of ['blobs', '', 'BLOB', 'ofs-delta', 'toString', '__proto__', 'blob\0', 'constructor']) {
      for (const call of [
        () => impl.hashObject(type, 'a'),
        () => impl.createObjectHash(type, 1),
        () =>
          impl.hashObjects([
            { type: 'blob', content: '' },
            { type, content: 'a' },
          ]),
      ]) {
        const error = throws(call, { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' }, type);
        for (const choice of TYPES) ok(error.message.includes(choice), `the choices are named: ${error.message}`);
      }
    }
    for (const type of [undefined, null, 5, {}, ['blob'], Symbol('blob')]) {
      for (const call of [
        () => impl.hashObject(type, 'a'),
        () => impl.createObjectHash(type, 1),
        () => impl.hashObjects([{ type, content: 'a' }]),
      ]) {
        const error = throws(call, { name: 'TypeError' }, String(type));
        ok(/^ERR_INVALID_ARG_(TYPE|VALUE)$/.test(error.code), String(error.code));
      }
    }
  });

  test('wrong elements of hashObjects are refused', () => {
    for (const value of [
      undefined,
      null,
      5,
      'blob',
      {},
      { type: 'blob' },
      { content: 'a' },
      { type: 'blob', content: 5 },
      ['blob', 'a'],
    ]) {
      const error = throws(
        () => impl.hashObjects([{ type: 'blob', content: 'a' }, value]),
        { name: 'TypeError' },
        JSON.stringify(value),
      );
      ok(/^ERR_INVALID_ARG_(TYPE|VALUE)$/.test(error.code), String(error.code));
    }
  });
}

// What counts as data: every kind of view and buffer by its bytes, text as UTF-8, and nothing else.
import { deepEqual, equal } from './lib/assert.mjs';
import { skip } from './lib/harness.mjs';
import { pattern, Random } from './lib/bytes.mjs';
import { entryPoints } from './lib/entry-points.mjs';
import * as vectors from '../vectors/index.mjs';

const VIEWS = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
];

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;
  const points = entryPoints(impl);

  /** The data must be hashed as the given bytes, wherever it can be handed in. */
  async function hashedAs(data, expected, label) {
    for (const point of points) {
      if (facts.nodeCryptoOnly && !point.node) continue;
      equal(await point.digest(data), await point.expected(expected, facts.oracle), `${point.name}, ${label}`);
    }
  }

  for (const name of VIEWS) {
    test(`${name}: by its bytes, with offset and length`, { node: true }, async () => {
      const View = globalThis[name];
      if (View === undefined) skip(`this runtime has no ${name}`);
      const size = View.BYTES_PER_ELEMENT;
      const buffer = new ArrayBuffer(1024);
      new Uint8Array(buffer).set(pattern(1024));
      for (const [offset, length] of [
        [0, 1024 / size],
        [size, 5],
        [8, 0],
        [64, 3],
        [8 * size, 64 / size],
        [1024, 0],
      ]) {
        const view = new View(buffer, offset, length);
        await hashedAs(view, new Uint8Array(buffer, offset, length * size), `${name} at ${offset}, ${length} elements`);
      }
    });
  }

  test('DataView: by its bytes, with offset and length', { node: true }, async () => {
    const buffer = pattern(200).buffer;
    for (const [offset, length] of [
      [0, 200],
      [1, 199],
      [3, 64],
      [199, 1],
      [200, 0],
      [7, 0],
    ]) {
      await hashedAs(
        new DataView(buffer, offset, length),
        new Uint8Array(buffer, offset, length),
        `DataView ${offset} ${length}`,
      );
    }
  });

  test('Buffer, also a slice of the pool', { node: true }, async () => {
    const { Buffer } = globalThis;
    if (Buffer === undefined) skip('this runtime has no Buffer');
    for (const length of [0, 1, 5, 64, 1000]) {
      const buffer = Buffer.from(pattern(length));
      await hashedAs(buffer, new Uint8Array(buffer), `Buffer of ${length}`);
    }
    const slice = Buffer.from(pattern(600)).subarray(3, 500);
    await hashedAs(slice, slice.slice(), 'subarray');
  });

  test('a subclass of a view, a view from another realm, a frozen-prototype view', { node: true }, async () => {
    class Chunk extends Uint8Array {}
    await hashedAs(Chunk.from(pattern(100)), pattern(100), 'subclass');
    const nullProto = pattern(100);
    Object.setPrototypeOf(nullProto, null);
    await hashedAs(nullProto, pattern(100), 'a view without a prototype');
    if (facts.foreign) {
      await hashedAs(
        facts.foreign('new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4)'),
        Uint8Array.of(2, 3, 4),
        'another realm',
      );
      await hashedAs(
        facts.foreign('new DataView(new Uint8Array([2, 3, 4]).buffer)'),
        Uint8Array.of(2, 3, 4),
        'another realm',
      );
    }
  });

  test('ArrayBuffer', async () => {
    for (const length of [0, 1, 64, 1000])
      await hashedAs(pattern(length).buffer, pattern(length), `ArrayBuffer of ${length}`);
    if (facts.foreign)
      await hashedAs(facts.foreign('new Uint8Array([1, 2, 3]).buffer'), Uint8Array.of(1, 2, 3), 'another realm');
  });

  test('SharedArrayBuffer, and views of it', async () => {
    if (typeof SharedArrayBuffer === 'undefined') skip('this page or runtime has no SharedArrayBuffer');
    for (const length of [0, 1, 64, 1000, 100000]) {
      const shared = new SharedArrayBuffer(length);
      new Uint8Array(shared).set(pattern(length));
      await hashedAs(shared, pattern(length), `SharedArrayBuffer of ${length}`);
      await hashedAs(new Uint8Array(shared), pattern(length), `view of a SharedArrayBuffer of ${length}`);
    }
  });

  test('views of a SharedArrayBuffer with an offset', { node: true }, async () => {
    if (typeof SharedArrayBuffer === 'undefined') skip('this page or runtime has no SharedArrayBuffer');
    const shared = new SharedArrayBuffer(200);
    const bytes = new Uint8Array(shared);
    bytes.set(pattern(200));
    await hashedAs(new Uint8Array(shared, 7, 150), bytes.slice(7, 157), 'Uint8Array');
    await hashedAs(new Uint32Array(shared, 8, 16), bytes.slice(8, 72), 'Uint32Array');
    await hashedAs(new DataView(shared, 3, 100), bytes.slice(3, 103), 'DataView');
  });

  const resizable = typeof ArrayBuffer.prototype.resize === 'function';

  test('resizable buffers: the length at the call', { node: true }, async () => {
    if (!resizable) skip('this runtime has no resizable ArrayBuffer');
    const buffer = new ArrayBuffer(100, { maxByteLength: 4096 });
    const tracking = new Uint8Array(buffer);
    const fixed = new Uint8Array(buffer, 10, 20);
    const view = new DataView(buffer, 5);
    for (const length of [100, 4096, 31, 64, 0, 200]) {
      buffer.resize(length);
      tracking.set(pattern(length));
      await hashedAs(tracking, pattern(length), `length-tracking view at ${length}`);
      await hashedAs(
        fixed,
        length >= 30 ? pattern(length).subarray(10, 30) : new Uint8Array(0),
        `fixed view at ${length}`,
      );
      await hashedAs(view, pattern(length).subarray(5), `DataView at ${length}`);
    }
  });

  test('resizable ArrayBuffer and growable SharedArrayBuffer themselves', async () => {
    if (!resizable) skip('this runtime has no resizable ArrayBuffer');
    const buffer = new ArrayBuffer(10, { maxByteLength: 1000 });
    for (const length of [10, 1000, 0, 65]) {
      buffer.resize(length);
      new Uint8Array(buffer).set(pattern(length));
      await hashedAs(buffer, pattern(length), `resizable at ${length}`);
    }
    if (typeof SharedArrayBuffer === 'undefined' || !SharedArrayBuffer.prototype.grow) return;
    const shared = new SharedArrayBuffer(10, { maxByteLength: 1000 });
    const tracking = new Uint8Array(shared);
    for (const length of [10, 65, 1000]) {
      shared.grow(length);
      tracking.set(pattern(length));
      await hashedAs(shared, pattern(length), `growable at ${length}`);
      await hashedAs(tracking, pattern(length), `view of growable at ${length}`);
    }
  });

  test('detached views count as empty', { node: true }, async () => {
    const buffer = pattern(100).buffer;
    const views = [
      new Uint8Array(buffer),
      new Uint8Array(buffer, 10, 5),
      new Uint16Array(buffer, 2, 8),
      new DataView(buffer, 1, 9),
    ];
    structuredClone(buffer, { transfer: [buffer] });
    for (const view of views) await hashedAs(view, new Uint8Array(0), `detached ${view.constructor.name}`);
  });

  test('a detached ArrayBuffer counts as empty', async () => {
    const buffer = pattern(100).buffer;
    structuredClone(buffer, { transfer: [buffer] });
    await hashedAs(buffer, new Uint8Array(0), 'detached ArrayBuffer');
  });

  test('memory of a WebAssembly instance, also after it grew', { node: true }, async () => {
    if (typeof WebAssembly === 'undefined') skip('this runtime has no WebAssembly');
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 3 });
    const before = new Uint8Array(memory.buffer, 100, 300);
    before.set(pattern(300));
    await hashedAs(before, pattern(300), 'before growth');
    memory.grow(1);
    await hashedAs(before, new Uint8Array(0), 'the old view, detached by growth');
    await hashedAs(new Uint8Array(memory.buffer, 100, 300), pattern(300), 'a new view');
  });

  test('text is hashed as UTF-8, lone surrogates as U+FFFD', { node: true }, () => {
    for (const { string, digest } of vectors.text) {
      const label = JSON.stringify(string.slice(0, 20));
      equal(impl.sha1(string), digest, label);
      equal(impl.hash('sha1', string), digest, label);
      equal(impl.createHash('sha1').update(string).digest('hex'), digest, label);
      equal(impl.createHash('sha1').update(string, 'utf8').digest('hex'), digest, label);
    }
  });

  test('text in batches, objects and inspections', () => {
    const strings = vectors.text.map(({ string }) => string);
    const digests = vectors.text.map(({ digest }) => digest);
    deepEqual(impl.sha1Many(strings), digests);
    deepEqual(
      impl.inspectMany(strings).map(({ digest }) => digest),
      digests,
    );
    for (const { string, digest } of vectors.text) equal(impl.inspect(string).digest, digest);
  });

  test(
    'random text with every kind of code unit, of every length around the buffers\u2019 sizes',
    { node: true },
    async () => {
      const random = new Random(8);
      const encoder = new TextEncoder();
      const ranges = [
        [0, 0x7f],
        [0x80, 0xff],
        [0x100, 0x7ff],
        [0x800, 0xd7ff],
        [0xd800, 0xdfff],
        [0xe000, 0xffff],
      ];
      const sizes = [
        ...Array(70).keys(),
        127,
        128,
        255,
        256,
        511,
        512,
        1023,
        1024,
        1025,
        2047,
        2048,
        4095,
        4096,
        4097,
        8192,
        16384,
        16385,
        70000,
      ];
      for (const size of sizes) {
        for (let round = 0; round < 3; round++) {
          const mixed = round === 2;
          const range = random.pick(ranges);
          let text = '';
          for (let i = 0; i < size; i++) {
            const [low, high] = mixed ? random.pick(ranges) : range;
            text += String.fromCharCode(random.between(low, high));
          }
          const expected = await facts.oracle(encoder.encode(text));
          equal(impl.sha1(text), expected, `${size} code units of ${range}, round ${round}`);
          equal(
            impl.createHash('sha1').update(text).digest('hex'),
            expected,
            `${size} code units of ${range}, round ${round}`,
          );
        }
      }
    },
  );

  test('ropes, slices and one- and two-byte strings are the same text', { node: true }, () => {
    const rope = 'abc'.repeat(5000) + 'é';
    const flat = rope.split('').join('');
    equal(impl.sha1(rope), impl.sha1(flat));
    const slice = `${'x'.repeat(100)}naïve${'y'.repeat(100)}`.slice(100, 105);
    equal(impl.sha1(slice), impl.sha1('naïve'));
    const twoByte = '日abc'.slice(1);
    equal(impl.sha1(twoByte), vectors.nist.text.find(({ message }) => message === 'abc').digest);
  });

  test('lengths tracked are lengths hashed: a view that ends where its buffer ends', { node: true }, () => {
    for (let length = 0; length <= 130; length++) {
      const buffer = new ArrayBuffer(length);
      new Uint8Array(buffer).set(pattern(length));
      equal(impl.sha1(new Uint8Array(buffer)), lengths.pattern[length]);
    }
  });
}

// The package's other entry points: each a whole implementation, or the shape it is there for.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { ascii, pattern, Random, toHex } from './lib/bytes.mjs';
import { skip } from './lib/harness.mjs';
import * as vectors from '../vectors/index.mjs';

const EXPORTS = [
  'sha1',
  'sha1Many',
  'inspect',
  'inspectMany',
  'twin',
  'createHash',
  'hash',
  'restoreHash',
  'hashObject',
  'hashObjects',
  'createObjectHash',
  'sha1Stream',
  'sha1Async',
  'CollisionError',
];

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;

  test('the backend is the one that was asked for', () => {
    const { kind, name, reason } = impl.backend;
    ok(['native', 'wasm', 'js'].includes(kind), kind);
    equal(typeof name, 'string');
    ok(reason === undefined || (typeof reason === 'string' && reason.length > 0));
    if (facts.expected.kind) equal(kind, facts.expected.kind, `backend.kind (${name}, ${reason})`);
    if (facts.expected.name) equal(name, facts.expected.name, `backend.name (${kind}, ${reason})`);
    if (kind === 'wasm') ok(name.startsWith('wasm32/'), name);
  });

  test('everything is exported', () => {
    for (const name of EXPORTS) equal(typeof impl[name], 'function', name);
    equal(typeof impl.backend, 'object');
    if (facts.files) equal(typeof impl.sha1File, 'function');
  });

  test('backend cannot be changed', () => {
    const before = { ...impl.backend };
    try {
      impl.backend.kind = 'other';
    } catch {
      // Frozen objects throw in strict code.
    }
    deepEqual({ ...impl.backend }, before);
  });

  for (const name of ['wasm', 'js']) {
    test(`sha1dc/${name}: the same answers`, async () => {
      const other = await facts.entries[name]();
      if (name === 'wasm' && facts.wasmForbidden) {
        throws(() => other.sha1('abc'), { message: /init\(\)/ }, 'it says what is missing');
        return;
      }
      equal(other.backend.kind, name);
      for (const exported of EXPORTS) equal(typeof other[exported], 'function', exported);
      for (const length of [0, 1, 55, 56, 63, 64, 65, 500, 1025]) {
        equal(other.sha1(pattern(length)), lengths.pattern[length]);
        equal(other.createHash().update(pattern(length)).digest('hex'), lengths.pattern[length]);
      }
      for (const { bytes, full, reduced } of vectors.attacks) {
        deepEqual(other.inspect(bytes), full);
        deepEqual(other.inspect(bytes, { reducedRounds: true }), reduced);
      }
      deepEqual(
        other.inspectMany(vectors.derived.map(({ bytes }) => bytes)),
        vectors.derived.map(({ full }) => full),
      );
      const error = throws(() => other.sha1(vectors.attack('sha-mbles-1.bin').bytes), { code: 'ERR_SHA1_COLLISION' });
      ok(error instanceof other.CollisionError);
      equal(other.default('abc'), impl.sha1('abc'));
      const random = new Random(31);
      const messages = Array.from({ length: 200 }, () => random.bytes(random.below(3000)));
      deepEqual(other.sha1Many(messages), impl.sha1Many(messages));
      equal(await other.sha1Async(pattern(1025)), lengths.pattern[1025]);
      equal(await other.sha1Stream([pattern(1000)]), lengths.pattern[1000]);
    });

    test(`a state saved here goes on in sha1dc/${name}, and back`, async () => {
      if (name === 'wasm' && facts.wasmForbidden) skip('WebAssembly is forbidden here');
      const other = await facts.entries[name]();
      for (const { bytes, digest, full } of vectors.flagged) {
        for (const cut of [0, 10, 64, 200, 300, bytes.length]) {
          const there = other.restoreHash(
            impl.createHash('sha1', { mode: 'report' }).update(bytes.subarray(0, cut)).save(),
          );
          const back = impl.restoreHash(there.save());
          for (const hash of [there, back]) {
            equal(hash.update(bytes.subarray(cut)).digest('hex'), digest);
            deepEqual([...hash.collisions], full.collisions);
          }
        }
      }
    });
  }

  test('sha1dc/wasm: init and initSync may be called and are not needed', async () => {
    if (facts.wasmForbidden) skip('WebAssembly is forbidden here');
    const wasm = await facts.entries.wasm();
    equal(typeof wasm.init, 'function');
    equal(typeof wasm.initSync, 'function');
    const before = wasm.createHash('sha1').update('ab');
    await wasm.init();
    equal(before.update('c').digest('hex'), impl.sha1('abc'));
    equal(wasm.sha1('abc'), impl.sha1('abc'));
  });

  test('sha1dc/wasm: the module itself, given as bytes', async () => {
    if (!facts.wasmBytes) skip('the runner has no access to sha1dc/sha1dc.wasm here');
    const bytes = await facts.wasmBytes();
    deepEqual([...bytes.subarray(0, 4)], [0, 0x61, 0x73, 0x6d]);
    const wasm = await facts.entries.wasm();
    const live = wasm.createHash('sha1').update('ab');
    wasm.initSync(bytes);
    equal(wasm.sha1('abc'), impl.sha1('abc'));
    equal(live.update('c').digest('hex'), impl.sha1('abc'), 'a hash that was alive before');
    await wasm.init(bytes);
    equal(wasm.sha1('abc'), impl.sha1('abc'));
    wasm.initSync(new WebAssembly.Module(bytes));
    equal(wasm.sha1(pattern(1000)), lengths.pattern[1000]);
    throws(() => wasm.initSync(ascii('not a module')));
    equal(wasm.sha1('abc'), impl.sha1('abc'), 'after bytes that are no module');
  });

  test('sha1dc/sha1.js: the shape of sha.js', async () => {
    const module = await facts.entries['sha1.js']();
    const Sha1 = module.default ?? module;
    equal(typeof Sha1, 'function');
    const hash = new Sha1();
    equal(hash.update(ascii('a')), hash);
    equal(hash.update('bc').digest('hex'), impl.sha1('abc'));
    const bytes = new Sha1().update(pattern(100)).digest();
    ok(bytes instanceof Uint8Array);
    equal(toHex(bytes), lengths.pattern[100]);
    equal(new Sha1().digest('hex'), impl.sha1(''));
    equal(new Sha1().update('616263', 'hex').digest('hex'), impl.sha1('abc'));
    equal(new Sha1().update('é', 'utf8').digest('hex'), impl.sha1('é'));
    throws(() => new Sha1().update(vectors.attack('sha-mbles-2.bin').bytes).digest('hex'), {
      code: 'ERR_SHA1_COLLISION',
    });
  });

  test('sha1dc/sha1.js: a class that extends it', async () => {
    const module = await facts.entries['sha1.js']();
    const Sha1 = module.default ?? module;
    class Named extends Sha1 {
      get name() {
        return this.digest('base64');
      }
    }
    const hash = new Named();
    ok(hash instanceof Named && hash instanceof Sha1);
    equal(hash.update('abc').name, impl.sha1('abc', 'base64'));
    ok(new Sha1() instanceof Sha1 && !(new Sha1() instanceof Named));
    equal(new Sha1().name, undefined);
  });

  test('sha1dc/sha1.js: the faults of sha.js are not kept', async () => {
    const module = await facts.entries['sha1.js']();
    const Sha1 = module.default ?? module;
    for (const value of [{ length: -60 }, { length: 3 }, [1, 2, 3], 5, null, undefined]) {
      const hash = new Sha1().update('abc');
      throws(() => hash.update(value), { code: 'ERR_INVALID_ARG_TYPE' });
      equal(hash.digest('hex'), impl.sha1('abc'));
      throws(() => hash.digest('hex'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
      throws(() => hash.update('a'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    }
    const numbers = new Uint16Array([0x0102, 0x0304]);
    equal(new Sha1().update(numbers).digest('hex'), impl.sha1(numbers));
  });
}

// The Hash object: Node's interface, and what this package adds (collision, collisions, save, restoreHash).
import { deepEqual, equal, fail, notEqual, ok, throws } from './lib/assert.mjs';
import { ascii, pattern, Random, toBase64, toHex, toLatin1 } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

const FINALIZED = { name: 'Error', code: 'ERR_CRYPTO_HASH_FINALIZED', message: 'Digest already called' };
const ABC = 'a9993e364706816aba3e25717850c26c9cd0d89d';
const EMPTY = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;

  test('names of the algorithm', { node: true }, () => {
    for (const name of ['sha1', 'SHA1', 'Sha1', 'sha-1', 'SHA-1', 'RSA-SHA1', 'rsa-sha1']) {
      equal(impl.createHash(name).update('abc').digest('hex'), ABC, name);
      equal(impl.hash(name, 'abc'), ABC, name);
    }
  });

  test('the algorithm may be left out', () => {
    equal(impl.createHash().update('abc').digest('hex'), ABC);
    equal(impl.createHash(undefined, { mode: 'report' }).update('abc').digest('hex'), ABC);
  });

  test('update is chainable and takes an encoding of text', { node: true }, () => {
    const hash = impl.createHash('sha1');
    equal(hash.update('a'), hash);
    equal(hash.update('b', 'utf8').update('63', 'hex').digest('hex'), ABC);
  });

  test('input encodings', { node: true }, () => {
    const bytes = ascii('hello, world\n');
    const given = {
      hex: toHex(bytes),
      HEX: toHex(bytes).toUpperCase(),
      base64: toBase64(bytes),
      Base64: toBase64(bytes),
      base64url: toBase64(bytes).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
      latin1: toLatin1(bytes),
      binary: toLatin1(bytes),
      ascii: toLatin1(bytes),
      'utf-8': toLatin1(bytes),
      UTF8: toLatin1(bytes),
    };
    const digest = impl.createHash('sha1').update(bytes).digest('hex');
    for (const [encoding, text] of Object.entries(given))
      equal(impl.createHash('sha1').update(text, encoding).digest('hex'), digest, encoding);
    const high = pattern(256);
    const highDigest = impl.createHash('sha1').update(high).digest('hex');
    for (const encoding of ['latin1', 'binary'])
      equal(impl.createHash('sha1').update(toLatin1(high), encoding).digest('hex'), highDigest, encoding);
    const utf16 = Uint8Array.of(0x61, 0, 0xe9, 0, 0x3d, 0xd8, 0, 0xde);
    const utf16Digest = impl.createHash('sha1').update(utf16).digest('hex');
    for (const encoding of ['utf16le', 'utf-16le', 'ucs2', 'ucs-2', 'UTF16LE']) {
      equal(impl.createHash('sha1').update('aé😀', encoding).digest('hex'), utf16Digest, encoding);
    }
  });

  test('an unknown input encoding means utf8; an encoding given with bytes is ignored', { node: true }, () => {
    for (const encoding of ['nope', '', 'utf32', undefined, null, 5, {}]) {
      equal(
        impl.createHash('sha1').update('é', encoding).digest('hex'),
        impl.createHash('sha1').update(Uint8Array.of(0xc3, 0xa9)).digest('hex'),
        String(encoding),
      );
    }
    for (const encoding of ['hex', 'base64', 'nope'])
      equal(impl.createHash('sha1').update(ascii('abc'), encoding).digest('hex'), ABC, encoding);
  });

  test('hexadecimal text of odd length throws, and what is no hexadecimal ends it', { node: true }, () => {
    for (const text of ['a', 'abc', 'abcdefg']) {
      const hash = impl.createHash('sha1').update('abc');
      throws(() => hash.update(text, 'hex'), {
        name: 'TypeError',
        code: 'ERR_INVALID_ARG_VALUE',
        message: `The argument 'encoding' is invalid for data of length ${text.length}. Received 'hex'`,
      });
      equal(hash.digest('hex'), ABC, 'the hash is as before');
    }
    equal(impl.createHash('sha1').update('zz', 'hex').digest('hex'), EMPTY);
    equal(impl.createHash('sha1').update('616263zz64', 'hex').digest('hex'), ABC);
  });

  test('output encodings, in any case', { node: true }, () => {
    const digest = Uint8Array.from({ length: 20 }, (_, i) => parseInt(ABC.slice(2 * i, 2 * i + 2), 16));
    const expected = {
      hex: ABC,
      HEX: ABC,
      Hex: ABC,
      base64: toBase64(digest),
      BASE64: toBase64(digest),
      base64url: toBase64(digest).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
      latin1: toLatin1(digest),
      binary: toLatin1(digest),
      LATIN1: toLatin1(digest),
    };
    for (const [encoding, text] of Object.entries(expected)) {
      equal(impl.createHash('sha1').update('abc').digest(encoding), text, encoding);
      equal(impl.hash('sha1', 'abc', encoding), text, encoding);
    }
    for (const bytes of [
      impl.createHash('sha1').update('abc').digest(),
      impl.createHash('sha1').update('abc').digest('buffer'),
      impl.hash('sha1', 'abc', 'buffer'),
    ]) {
      ok(bytes instanceof Uint8Array);
      equal(bytes.length, 20);
      equal(toHex(bytes), ABC);
    }
  });

  test('output encodings of sha1, and of every encoding some digest that needs each character', () => {
    for (let i = 0; i < 200; i++) {
      const data = `message ${i}`;
      const bytes = impl.sha1(data, 'buffer');
      ok(bytes instanceof Uint8Array);
      equal(impl.sha1(data), toHex(bytes));
      equal(impl.sha1(data, 'HEX'), toHex(bytes));
      equal(impl.sha1(data, 'base64'), toBase64(bytes));
      equal(
        impl.sha1(data, 'base64url'),
        toBase64(bytes).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
      );
      equal(impl.sha1(data, 'latin1'), toLatin1(bytes));
      equal(impl.sha1(data, 'binary'), toLatin1(bytes));
      deepEqual(impl.sha1(data, 'BUFFER'), bytes);
    }
  });

  test('bytes given out are the caller\u2019s own: changing them changes nothing', { node: true }, () => {
    const first = impl.createHash('sha1').update('abc').digest();
    first.fill(0);
    equal(toHex(impl.createHash('sha1').update('abc').digest()), ABC);
    equal(toHex(impl.hash('sha1', 'abc', 'buffer')), ABC);
    const one = impl.hash('sha1', 'one', 'buffer');
    const hex = toHex(one);
    for (let i = 0; i < 1000; i++) impl.hash('sha1', `other ${i}`, 'buffer');
    equal(toHex(one), hex);
  });

  test('in Node a digest without an encoding is a Buffer', { node: true }, () => {
    if (!facts.buffers) return;
    ok(globalThis.Buffer.isBuffer(impl.createHash('sha1').update('abc').digest()));
  });

  test('update, digest and copy after digest', { node: true }, () => {
    for (const encoding of [undefined, 'hex', 'buffer']) {
      const hash = impl.createHash('sha1').update('abc');
      hash.digest(encoding);
      throws(() => hash.update('x'), FINALIZED);
      throws(() => hash.update(new Uint8Array(1)), FINALIZED);
      throws(() => hash.update(''), FINALIZED);
      throws(() => hash.digest(), FINALIZED);
      throws(() => hash.digest('hex'), FINALIZED);
      throws(() => hash.copy(), FINALIZED);
    }
  });

  test('save after digest; collision and collisions can still be read', () => {
    const hash = impl.createHash('sha1').update('abc');
    hash.digest();
    throws(() => hash.save(), FINALIZED);
    equal(hash.collision, false);
    deepEqual([...hash.collisions], []);
  });

  test('a copy goes its own way', { node: true }, () => {
    const random = new Random(5);
    for (let round = 0; round < 100; round++) {
      const cut = random.below(600);
      const hash = impl.createHash('sha1').update(pattern(cut));
      const copies = [hash.copy(), hash.copy()];
      copies[0].update('other');
      const grand = copies[1].copy();
      hash.update(pattern(1025).subarray(cut));
      equal(hash.digest('hex'), lengths.pattern[1025]);
      equal(copies[1].digest('hex'), lengths.pattern[cut]);
      equal(grand.digest('hex'), lengths.pattern[cut]);
      notEqual(copies[0].digest('hex'), lengths.pattern[cut]);
    }
  });

  test('a copy keeps mode and flags, unless told otherwise', () => {
    const { bytes, digest, full, reduced } = vectors.attack('shattered-1-320');
    const hash = impl.createHash('sha1', { mode: 'mitigate', reducedRounds: true }).update(bytes.subarray(0, 250));
    equal(hash.copy().update(bytes.subarray(250)).digest('hex'), reduced.safeDigest);
    equal(impl.createHash('sha1', { mode: 'report' }).update(bytes).copy().digest('hex'), digest);
    const detecting = impl.createHash('sha1').update(bytes);
    throws(() => detecting.copy().digest(), { code: 'ERR_SHA1_COLLISION' });
    equal(detecting.copy({ mode: 'report' }).digest('hex'), digest);
    equal(detecting.copy({ mode: 'mitigate' }).digest('hex'), full.safeDigest);
    throws(() => detecting.digest(), { code: 'ERR_SHA1_COLLISION' });
  });

  test('save and restore at every length, and the state saved goes on unchanged', () => {
    const whole = pattern(1025);
    for (const cut of [...Array(200).keys(), 511, 512, 513, 1023, 1024, 1025]) {
      const hash = impl.createHash('sha1').update(whole.subarray(0, cut));
      const state = hash.save();
      ok(state instanceof Uint8Array);
      const restored = impl.restoreHash(state);
      equal(restored.copy().digest('hex'), lengths.pattern[cut], `restored at ${cut}`);
      equal(
        restored.update(whole.subarray(cut)).digest('hex'),
        lengths.pattern[1025],
        `restored at ${cut} and continued`,
      );
      equal(hash.update(whole.subarray(cut)).digest('hex'), lengths.pattern[1025], `saved at ${cut} and continued`);
      deepEqual(impl.restoreHash(state).save(), state, `saved again at ${cut}`);
    }
  });

  test('a state has the same bytes however the message was cut', () => {
    const random = new Random(77);
    for (let round = 0; round < 50; round++) {
      const length = random.below(1025);
      const whole = pattern(length);
      const expected = impl.createHash('sha1').update(whole).save();
      const cuts = random.cuts(length, 6);
      const hash = impl.createHash('sha1');
      for (let i = 1; i < cuts.length; i++) hash.update(whole.subarray(cuts[i - 1], cuts[i]));
      deepEqual(hash.save(), expected, `${length} bytes cut at ${cuts}`);
    }
  });

  test('a restored hash remembers mode, flags and collisions found before', () => {
    for (const { name, bytes, digest, full, reduced } of vectors.attacks.filter(
      (attack) => attack.bytes.length <= 640,
    )) {
      for (const cut of [0, 1, 63, 64, 128, 200, 256, 300, bytes.length - 1, bytes.length]) {
        if (cut > bytes.length) continue;
        for (const reducedRounds of [false, true]) {
          const verdict = reducedRounds ? reduced : full;
          const label = `${name} saved at ${cut}, reducedRounds ${reducedRounds}`;
          const resume = (mode) => {
            const state = impl.createHash('sha1', { mode, reducedRounds }).update(bytes.subarray(0, cut)).save();
            return impl.restoreHash(state).update(bytes.subarray(cut));
          };
          equal(resume('report').digest('hex'), digest, label);
          equal(resume('plain').digest('hex'), digest, label);
          equal(resume('mitigate').digest('hex'), verdict.safeDigest, label);
          const reporting = resume('report');
          reporting.digest();
          deepEqual([...reporting.collisions], verdict.collisions, label);
          equal(reporting.collision, verdict.collision, label);
          const detecting = resume('detect');
          if (verdict.collision) {
            const error = throws(() => detecting.digest('hex'), { code: 'ERR_SHA1_COLLISION', digest }, label);
            deepEqual([...error.collisions], verdict.collisions, label);
          } else equal(detecting.digest('hex'), digest, label);
        }
      }
    }
  });

  test('a damaged state is refused: every bit of it, every shorter and some longer ones', () => {
    const STATE = { code: 'ERR_SHA1DC_STATE' };
    const { bytes } = vectors.attack('shattered-1-320');
    const states = [
      impl.createHash('sha1').save(),
      impl.createHash('sha1').update(pattern(100)).save(),
      impl.createHash('sha1', { mode: 'report', reducedRounds: true }).update(bytes).update('tail').save(),
    ];
    for (const state of states) {
      impl.restoreHash(state);
      for (let i = 0; i < state.length; i++) {
        for (let bit = 0; bit < 8; bit++) {
          const damaged = state.slice();
          damaged[i] ^= 1 << bit;
          throws(() => impl.restoreHash(damaged), STATE, `byte ${i}, bit ${bit}`);
        }
      }
      for (let length = 0; length < state.length; length++)
        throws(() => impl.restoreHash(state.slice(0, length)), STATE, `cut to ${length}`);
      for (const more of [1, 4, 64]) {
        const longer = new Uint8Array(state.length + more);
        longer.set(state);
        throws(() => impl.restoreHash(longer), STATE, `${more} bytes more`);
      }
    }
  });

  test('hostile states are refused', () => {
    const random = new Random(99);
    const STATE = { code: 'ERR_SHA1DC_STATE' };
    for (let round = 0; round < 2000; round++) throws(() => impl.restoreHash(random.bytes(random.below(300))), STATE);
    for (const length of [0, 1, 20, 64, 100, 4096, 1 << 20]) {
      for (const byte of [0, 0xff])
        throws(() => impl.restoreHash(new Uint8Array(length).fill(byte)), STATE, `${length} times ${byte}`);
    }
    for (const value of [undefined, null, 5, 'state', {}, [1, 2], { length: 4 }])
      throws(() => impl.restoreHash(value), { code: 'ERR_INVALID_ARG_TYPE' }, String(value));
  });

  test('states, twins and partners are plain Uint8Arrays, on every backend (a slice of a Buffer would share memory)', () => {
    const { bytes } = vectors.attack('shattered-1-320');
    for (const given of [
      impl.createHash('sha1').save(),
      impl.createHash('sha1').update(bytes).save(),
      impl.twin(bytes),
      impl.inspect(bytes).collisions[0].partner,
      impl.createHash('sha1').update(bytes).collisions[0].partner,
      impl.inspectMany([bytes, bytes])[1].collisions[0].partner,
      throws(() => impl.sha1(bytes)).collisions[0].partner,
    ]) {
      equal(Object.getPrototypeOf(given), Uint8Array.prototype);
      equal(given.buffer.byteLength, given.length, 'it has memory of its own');
    }
  });

  test('a state may lie anywhere in memory and is only read', () => {
    const state = impl.createHash('sha1').update('abc').save();
    const memory = new Uint8Array(state.length + 40);
    for (let offset = 0; offset < 40; offset++) {
      memory.fill(0xee);
      memory.set(state, offset);
      equal(impl.restoreHash(memory.subarray(offset, offset + state.length)).digest('hex'), ABC, `offset ${offset}`);
    }
    const copy = state.slice();
    const restored = impl.restoreHash(copy);
    copy.fill(0);
    equal(restored.digest('hex'), ABC);
    equal(impl.restoreHash(state).digest('hex'), ABC);
  });

  test('collision and collisions follow the stream block by block', () => {
    const { bytes, full, reduced } = vectors.attack('shattered-1.pdf');
    for (const step of [1, 3, 64, 100]) {
      const hash = impl.createHash('sha1', { mode: 'report', reducedRounds: true });
      for (let at = 0; at < 640; at += step) {
        hash.update(bytes.subarray(at, Math.min(at + step, 640)));
        const done = Math.min(at + step, 640);
        const expected = reduced.collisions.filter(({ offset }) => offset + 64 <= done);
        equal(hash.collision, expected.length > 0, `after ${done} bytes`);
        deepEqual([...hash.collisions], expected, `after ${done} bytes`);
      }
    }
    const hash = impl.createHash('sha1').update(bytes);
    equal(hash.collision, true);
    deepEqual([...hash.collisions], full.collisions);
  });

  test('collisions given out cannot change the hash', () => {
    const { bytes, full } = vectors.attack('shattered-1-320');
    const hash = impl.createHash('sha1').update(bytes);
    for (let round = 0; round < 2; round++) {
      const list = hash.collisions;
      try {
        list.length = 0;
        list.push(1);
      } catch {
        // Frozen is as good as copied.
      }
      try {
        hash.collisions[0].partner.fill(0);
        hash.collisions[0].offset = 1;
      } catch {
        // Likewise.
      }
    }
    try {
      hash.collision = false;
      hash.collisions = [];
    } catch {
      // Read-only properties throw in strict code.
    }
    const error = throws(() => hash.digest('hex'), { code: 'ERR_SHA1_COLLISION' });
    equal(error.collisions.length, 1);
    equal(error.collisions[0].offset, full.collisions[0].offset);
    equal(hash.collision, true);
  });

  test('a digest that throws ends the hash as any digest does', () => {
    const { bytes, full } = vectors.attack('shattered-1-320');
    const hash = impl.createHash('sha1').update(bytes);
    throws(() => hash.digest('hex'), { code: 'ERR_SHA1_COLLISION' });
    throws(() => hash.digest('hex'), FINALIZED);
    throws(() => hash.update('a'), FINALIZED);
    equal(hash.collision, true);
    deepEqual([...hash.collisions], full.collisions);
  });

  test('createHash objects are instances of Hash, also when that is called without new', () => {
    if (impl.Hash === undefined) return;
    ok(impl.createHash('sha1') instanceof impl.Hash);
  });

  test('the default export is sha1, and without arguments gives a Hash', () => {
    const fn = facts.defaultExport;
    equal(typeof fn, 'function');
    equal(fn('abc'), ABC);
    equal(fn(ascii('abc'), 'base64'), impl.sha1('abc', 'base64'));
    equal(fn().update('abc').digest('hex'), ABC);
    equal(fn().update('a').update('b').update('c').digest('hex'), ABC);
    let value;
    try {
      value = fn(undefined);
    } catch (error) {
      equal(error.code, 'ERR_INVALID_ARG_TYPE');
      return;
    }
    fail(`sha1(undefined) gave ${typeof value}: a missing value must not pass for a call without arguments`);
  });
}

// The known attacks, in every mode and cut, and what is reported of them.
import { deepEqual, equal, ok, throws } from './lib/assert.mjs';
import { concat, pattern, Random, toHex, xor } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

const FLAGS = [];
for (const reducedRounds of [false, true]) for (const ubc of [true, false]) FLAGS.push({ reducedRounds, ubc });

export default function define({ test, impl, facts }) {
  const { attacks, derived } = vectors;
  const short = attacks.filter(({ bytes }) => bytes.length <= 640);

  function verdictOf(entry, { reducedRounds }) {
    return reducedRounds ? entry.reduced : entry.full;
  }

  function isCollisionError(error, { digest, collisions }, label) {
    ok(error instanceof Error, label);
    ok(error instanceof impl.CollisionError, label);
    equal(error.name, 'CollisionError', label);
    equal(error.code, 'ERR_SHA1_COLLISION', label);
    equal(error.digest, digest, label);
    equal(error.message, `SHA-1 appears to be part of a collision attack: ${digest}`, label);
    deepEqual([...error.collisions], collisions, label);
    equal(error.index, undefined, label);
  }

  /** All that can be said of one message under one set of flags, by every one-call function. */
  function check(entry, bytes, flags, label) {
    const verdict = verdictOf(entry, flags);
    const { digest, safeDigest } = verdict;
    deepEqual(impl.inspect(bytes, flags), verdict, label);
    equal(impl.sha1(bytes, 'hex', { ...flags, mode: 'report' }), digest, label);
    equal(impl.sha1(bytes, 'hex', { ...flags, mode: 'plain' }), digest, label);
    equal(impl.sha1(bytes, 'hex', { ...flags, mode: 'mitigate' }), safeDigest, label);
    equal(impl.hash('sha1', bytes, 'hex', { ...flags, mode: 'mitigate' }), safeDigest, label);
    for (const call of [
      () => impl.sha1(bytes, 'hex', flags),
      () => impl.sha1(bytes, 'hex', { ...flags, mode: 'detect' }),
      () => impl.hash('sha1', bytes, 'hex', flags),
    ]) {
      if (verdict.collision) isCollisionError(throws(call, {}, label), verdict, label);
      else equal(call(), digest, label);
    }
  }

  function checkHash(entry, bytes, flags, cuts, label) {
    const verdict = verdictOf(entry, flags);
    for (const mode of ['detect', 'mitigate', 'report', 'plain']) {
      const hash = impl.createHash('sha1', { ...flags, mode });
      for (let i = 1; i < cuts.length; i++) hash.update(bytes.subarray(cuts[i - 1], cuts[i]));
      const here = `${label}, mode ${mode}`;
      if (mode === 'detect' && verdict.collision)
        isCollisionError(
          throws(() => hash.digest('hex'), {}, here),
          verdict,
          here,
        );
      else equal(hash.digest('hex'), mode === 'mitigate' ? verdict.safeDigest : verdict.digest, here);
      if (mode === 'plain') {
        equal(hash.collision, false, here);
        deepEqual([...hash.collisions], [], here);
      } else {
        equal(hash.collision, verdict.collision, here);
        deepEqual([...hash.collisions], verdict.collisions, here);
      }
    }
  }

  test('the two files of each pair differ and have one digest', { node: true }, () => {
    for (const { name, bytes, digest, other } of attacks) {
      equal(impl.createHash('sha1', { mode: 'report' }).update(bytes).digest('hex'), digest, name);
      if (other === null) continue;
      const half = vectors.attack(other);
      equal(digest, half.digest, name);
      ok(toHex(bytes) !== toHex(half.bytes), name);
    }
  });

  test('golden values of the C library', () => {
    const golden = [
      [
        'shattered-1.pdf',
        '38762cf7f55934b34d179ae6a4c80cadccbb7f0a',
        '16e96b70000dd1e7c85b8368ee197754400e58ec',
        'd3a1d09969c3b57113fd17b23e01dd3de74a99bb',
      ],
      [
        'shattered-2.pdf',
        '38762cf7f55934b34d179ae6a4c80cadccbb7f0a',
        'e1761773e6a35916d99f891b77663e6405313587',
        '92246b0b718f4c704d37bb025717cbc66babf102',
      ],
      [
        'sha-mbles-1.bin',
        '8ac60ba76f1999a1ab70223f225aefdc78d4ddc0',
        '4f3d9be4a472c4dae83c6314aa6c36a064c1fd14',
        '4f3d9be4a472c4dae83c6314aa6c36a064c1fd14',
      ],
      [
        'sha-mbles-2.bin',
        '8ac60ba76f1999a1ab70223f225aefdc78d4ddc0',
        '9ed5d77a4f48be1dbf3e9e15650733eb850897f2',
        '9ed5d77a4f48be1dbf3e9e15650733eb850897f2',
      ],
      [
        'sha1_reducedsha_coll.bin',
        'a56374e1cf4c3746499bc7c0acb39498ad2ee185',
        'a56374e1cf4c3746499bc7c0acb39498ad2ee185',
        'dd39885a2a5d8f59030b451e00cb45da9f9d3828',
      ],
    ];
    for (const [name, digest, safe, reducedSafe] of golden) {
      const { bytes } = vectors.attack(name);
      equal(impl.sha1(bytes, 'hex', { mode: 'report' }), digest, name);
      equal(impl.sha1(bytes, 'hex', { mode: 'mitigate' }), safe, name);
      equal(impl.sha1(bytes, 'hex', { mode: 'mitigate', reducedRounds: true }), reducedSafe, name);
    }
    equal(
      impl.sha1(vectors.attack('shattered-1-320').bytes, 'hex', { mode: 'report' }),
      'f92d74e3874587aaf443d1db961d4e26dde13e9c',
    );
  });

  for (const entry of attacks) {
    test(`${entry.name}: every mode and flag, in one call`, () => {
      for (const flags of FLAGS) check(entry, entry.bytes, flags, JSON.stringify(flags));
    });

    test(`${entry.name}: every mode and flag, in pieces`, () => {
      const random = new Random(entry.bytes.length);
      const { length } = entry.bytes;
      for (const flags of FLAGS) {
        checkHash(entry, entry.bytes, flags, [0, length], `${JSON.stringify(flags)}, whole`);
        for (let round = 0; round < (length > 640 ? 1 : 4); round++) {
          const cuts = random.cuts(length, random.between(2, 10));
          checkHash(entry, entry.bytes, flags, cuts, `${JSON.stringify(flags)}, cut at ${cuts}`);
        }
      }
    });
  }

  for (const entry of short) {
    test(`${entry.name}: cut in two at every position`, () => {
      const { length } = entry.bytes;
      for (let cut = 0; cut <= length; cut++)
        checkHash(entry, entry.bytes, { reducedRounds: cut % 2 === 1 }, [0, cut, length], `cut at ${cut}`);
    });

    test(`${entry.name}: byte by byte`, () => {
      const cuts = Array.from({ length: entry.bytes.length + 1 }, (_, i) => i);
      for (const reducedRounds of [false, true]) checkHash(entry, entry.bytes, { reducedRounds }, cuts, 'byte by byte');
    });

    test(`${entry.name}: at every alignment in memory`, () => {
      const memory = new Uint8Array(entry.bytes.length + 64);
      for (let offset = 0; offset < 64; offset++) {
        memory.set(entry.bytes, offset);
        deepEqual(impl.inspect(memory.subarray(offset, offset + entry.bytes.length)), entry.full, `offset ${offset}`);
      }
    });
  }

  test('attacks moved, damaged, continued and joined: as the reference says', () => {
    for (const [i, entry] of derived.entries()) {
      const label = `derived ${i}: ${entry.before.length / 2} bytes ++ ${entry.base}${entry.flip ? ` (bit ${entry.flip.bit} of byte ${entry.flip.at} flipped)` : ''} ++ ${entry.after.length / 2} bytes`;
      for (const flags of FLAGS) check(entry, entry.bytes, flags, `${label}, ${JSON.stringify(flags)}`);
      const { length } = entry.bytes;
      for (const cuts of [[0, length], [0, 100, length].filter((cut) => cut <= length)])
        checkHash(entry, entry.bytes, { reducedRounds: i % 2 === 0 }, cuts, label);
    }
  });

  test('every bit of the attacked block matters: flipped, the message is clean', async () => {
    const { bytes } = vectors.attack('shattered-1-320');
    for (let bit = 0; bit < 512; bit++) {
      const damaged = bytes.slice();
      damaged[256 + (bit >> 3)] ^= 1 << (bit & 7);
      const digest = await facts.oracle(damaged);
      const { collision, safeDigest, digest: own } = impl.inspect(damaged);
      equal(own, digest, `bit ${bit}`);
      equal(collision, false, `bit ${bit}`);
      equal(safeDigest, digest, `bit ${bit}`);
      equal(impl.sha1(damaged), digest, `bit ${bit}`);
    }
  });

  test('an attack stays an attack whatever follows, up to many blocks', async () => {
    const { bytes, full } = vectors.attack('shattered-2-320');
    const random = new Random(320);
    for (const tail of [1, 63, 64, 65, 128, 511, 512, 513, 960, 1024, 4096, 65536, 100001, 1 << 20]) {
      const message = concat(bytes, random.bytes(tail));
      const digest = await facts.oracle(message);
      const verdict = impl.inspect(message);
      equal(verdict.digest, digest, `${tail} bytes after`);
      equal(verdict.collision, true, `${tail} bytes after`);
      deepEqual(verdict.collisions, full.collisions, `${tail} bytes after`);
      throws(() => impl.sha1(message), { code: 'ERR_SHA1_COLLISION', digest }, `${tail} bytes after`);
    }
  });

  test('the blocks stand where they are said to stand, and the partner is the other half\u2019s block', () => {
    for (const name of ['shattered-1.pdf', 'shattered-2.pdf', 'sha-mbles-1.bin', 'sha-mbles-2.bin']) {
      const { bytes, other } = vectors.attack(name);
      for (const { offset, partner, disturbanceVector } of impl.inspect(bytes, { reducedRounds: true }).collisions) {
        equal(disturbanceVector, 'II(52,0)', name);
        equal(toHex(partner), toHex(vectors.attack(other).bytes.subarray(offset, offset + 64)), `${name} at ${offset}`);
      }
    }
    const [first, second] = impl.inspect(vectors.attack('shattered-1.pdf').bytes, { reducedRounds: true }).collisions;
    equal(first.offset, 192);
    equal(first.reducedRound, true);
    equal(second.offset, 256);
    equal(second.reducedRound, false);
  });

  test('twin gives the other file, byte for byte, and there and back again', () => {
    for (const { name, bytes, twin } of attacks) {
      const found = impl.twin(bytes);
      if (twin === null) {
        equal(found, null, name);
        continue;
      }
      ok(found instanceof Uint8Array, name);
      equal(toHex(found), toHex(vectors.attack(twin).bytes), name);
      equal(toHex(impl.twin(found)), toHex(bytes), name);
    }
  });

  test('twin of clean, damaged and empty messages is null', () => {
    for (const length of [0, 1, 64, 128, 320, 640, 5000]) equal(impl.twin(pattern(length)), null, `${length}`);
    equal(impl.twin('text'), null);
    const { bytes } = vectors.attack('shattered-1.pdf');
    for (const at of [0, 191, 192, 255, 256, 319]) {
      const damaged = bytes.slice();
      damaged[at] ^= 1;
      equal(impl.twin(damaged), null, `byte ${at}`);
    }
    equal(impl.twin(concat(new Uint8Array(1), bytes)), null, 'moved by one byte');
    equal(impl.twin(concat(pattern(64), bytes)), null, 'moved by a block');
  });

  test('twin takes views, and the twin is the caller\u2019s own', () => {
    const { bytes, twin } = vectors.attack('shattered-1-640');
    const memory = concat(new Uint8Array(13), bytes, new Uint8Array(9));
    const view = new DataView(memory.buffer, 13, bytes.length);
    const found = impl.twin(view);
    equal(toHex(found), toHex(vectors.attack(twin).bytes));
    found.fill(0);
    equal(toHex(impl.twin(view)), toHex(vectors.attack(twin).bytes));
    equal(toHex(memory.subarray(13, 13 + bytes.length)), toHex(bytes));
  });

  test('messages that twin() joins really collide, by the platform\u2019s own SHA-1', async () => {
    for (const { bytes, twin } of attacks.filter((attack) => attack.twin)) {
      const found = impl.twin(bytes);
      equal(await facts.oracle(found), await facts.oracle(bytes));
      ok(
        xor(found, bytes).some((byte) => byte !== 0),
        `is not the same message as ${twin}`,
      );
    }
  });

  test('inspect is never plain, whatever mode it is given', () => {
    const { bytes, full } = vectors.attack('sha-mbles-1.bin');
    for (const mode of ['plain', 'detect', 'report', 'mitigate']) deepEqual(impl.inspect(bytes, { mode }), full, mode);
  });

  test('the error is an Error as others are: a stack, a name, JSON-safe fields, instanceof across copies', () => {
    const { bytes, digest } = vectors.attack('shattered-1-320');
    const error = throws(() => impl.sha1(bytes));
    equal(Object.prototype.toString.call(error), '[object Error]');
    equal(String(error), `CollisionError: SHA-1 appears to be part of a collision attack: ${digest}`);
    equal(typeof error.stack, 'string');
  });

  test('messages all of one byte, and of repeated blocks, are clean', async () => {
    const random = new Random(1);
    for (let byte = 0; byte < 256; byte += 5) {
      const message = new Uint8Array(1000).fill(byte);
      equal(impl.sha1(message), await facts.oracle(message));
    }
    for (let round = 0; round < 20; round++) {
      const block = random.bytes(64);
      const message = concat(...Array(random.between(1, 70)).fill(block));
      equal(impl.sha1(message), await facts.oracle(message));
      equal(impl.inspect(message, { reducedRounds: true }).collision, false);
    }
  });
}

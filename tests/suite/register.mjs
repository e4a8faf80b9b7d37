// The shim over SubtleCrypto.digest, in this very realm: everything but SHA-1 as before, SHA-1 checked, and restored.
import { deepEqual, equal, ok, rejects } from './lib/assert.mjs';
import { concat, pattern, toHex } from './lib/bytes.mjs';
import { skip } from './lib/harness.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const attack = vectors.attack('shattered-1-320');

  async function registered(options, body) {
    if (typeof globalThis.crypto?.subtle?.digest !== 'function') skip('there is no crypto.subtle here');
    const { register, unregister } = await facts.entries.register();
    unregister();
    const original = SubtleCrypto.prototype.digest;
    const handle = register(options);
    try {
      return await body(handle, original);
    } finally {
      unregister();
      equal(SubtleCrypto.prototype.digest, original, 'unregister() restores');
    }
  }

  const digest = (algorithm, data) => crypto.subtle.digest(algorithm, data);

  test('subtle.digest: SHA-1 of clean data is as before, by every name it has', () =>
    registered(undefined, async () => {
      for (const name of ['SHA-1', 'sha-1', 'Sha-1', { name: 'SHA-1' }, { name: 'sha-1', other: 1 }]) {
        for (const length of [0, 1, 64, 1000, 1025]) {
          const result = await digest(name, pattern(length));
          ok(result instanceof ArrayBuffer, 'an ArrayBuffer');
          equal(toHex(new Uint8Array(result)), vectors.lengths.pattern[length]);
        }
      }
      const bytes = pattern(200);
      equal(toHex(new Uint8Array(await digest('SHA-1', bytes.buffer))), vectors.lengths.pattern[200]);
      equal(
        toHex(new Uint8Array(await digest('SHA-1', new DataView(bytes.buffer, 0, 100)))),
        vectors.lengths.pattern[100],
      );
      equal(
        toHex(new Uint8Array(await digest('SHA-1', new Uint16Array(bytes.buffer, 0, 32)))),
        vectors.lengths.pattern[64],
      );
    }));

  test('subtle.digest: an attack is refused and remembered', () =>
    registered(undefined, async (handle) => {
      const error = await rejects(digest('SHA-1', attack.bytes), {
        name: 'CollisionError',
        code: 'ERR_SHA1_COLLISION',
        digest: attack.digest,
      });
      deepEqual([...error.collisions], attack.full.collisions);
      await rejects(digest({ name: 'sha-1' }, vectors.attack('sha-mbles-1.bin').bytes), { code: 'ERR_SHA1_COLLISION' });
      await digest('SHA-1', pattern(10));
      equal(handle.collisions.length, 2);
      equal(handle.collisions[0].digest, attack.digest);
      equal(handle.collisions[1].digest, vectors.attack('sha-mbles-1.bin').digest);
    }));

  test('onCollision is told', async () => {
    const seen = [];
    await registered({ onCollision: (error) => seen.push(error.digest) }, async () => {
      await rejects(digest('SHA-1', attack.bytes), { code: 'ERR_SHA1_COLLISION' });
      await digest('SHA-1', pattern(64));
    });
    deepEqual(seen, [attack.digest]);
  });

  test('other algorithms pass through untouched', () =>
    registered(undefined, async (_, original) => {
      for (const name of ['SHA-256', 'sha-384', { name: 'SHA-512' }]) {
        const expected = await original.call(crypto.subtle, name, attack.bytes);
        deepEqual(new Uint8Array(await digest(name, attack.bytes)), new Uint8Array(expected));
      }
    }));

  test('errors are the platform\u2019s own', () =>
    registered(undefined, async (_, original) => {
      const wrong = [
        ['SHA1', pattern(1)],
        ['MD5', pattern(1)],
        [undefined, pattern(1)],
        [null, pattern(1)],
        [{}, pattern(1)],
        [{ name: 5 }, pattern(1)],
        ['SHA-1', 'text'],
        ['SHA-1', 5],
        ['SHA-1', null],
        ['SHA-1', undefined],
        ['SHA-1', [1, 2]],
        ['SHA-1', { byteLength: 3 }],
      ];
      if (typeof SharedArrayBuffer !== 'undefined')
        wrong.push(['SHA-1', new SharedArrayBuffer(4)], ['SHA-1', new Uint8Array(new SharedArrayBuffer(4))]);
      for (const [name, data] of wrong) {
        const outcome = async (fn) => {
          try {
            return ['fulfilled', toHex(new Uint8Array(await fn()))];
          } catch (error) {
            return [error.name, error.constructor.name, error instanceof Error];
          }
        };
        const theirs = await outcome(() => original.call(crypto.subtle, name, data));
        deepEqual(
          await outcome(() => digest(name, data)),
          theirs,
          `${JSON.stringify(name)}, ${Object.prototype.toString.call(data)}`,
        );
      }
      const both = [];
      for (const fn of [SubtleCrypto.prototype.digest, original]) {
        try {
          await Reflect.apply(fn, {}, ['SHA-1', pattern(1)]);
          both.push('fulfilled');
        } catch (error) {
          both.push(error.name);
        }
      }
      equal(both[0], both[1], 'a wrong this');
      for (const args of [[], ['SHA-1']]) {
        const names = [];
        for (const fn of [SubtleCrypto.prototype.digest, original]) {
          try {
            await Reflect.apply(fn, crypto.subtle, args);
            names.push('fulfilled');
          } catch (error) {
            names.push(error.name);
          }
        }
        equal(names[0], names[1], `${args.length} arguments`);
      }
    }));

  test('the data is taken at the call: changing it afterwards changes nothing', () =>
    registered(undefined, async () => {
      const bytes = pattern(1000);
      const promise = digest('SHA-1', bytes);
      bytes.fill(0);
      equal(toHex(new Uint8Array(await promise)), vectors.lengths.pattern[1000]);
      const moving = concat(attack.bytes, pattern(100000));
      const attacked = digest('SHA-1', moving);
      moving[300] ^= 1;
      await rejects(attacked, { code: 'ERR_SHA1_COLLISION' });
    }));

  test('registering twice is registering once, and unregistering twice too', async () => {
    await registered(undefined, async (first, original) => {
      const { register, unregister } = await facts.entries.register();
      const second = register();
      const shim = SubtleCrypto.prototype.digest;
      await rejects(digest('SHA-1', attack.bytes), { code: 'ERR_SHA1_COLLISION' });
      equal(first.collisions.length, 1);
      equal(second.collisions.length, 1);
      ok(shim !== original);
      unregister();
      equal(SubtleCrypto.prototype.digest, original);
      equal((await digest('SHA-1', attack.bytes)).byteLength, 20);
      unregister();
      equal(SubtleCrypto.prototype.digest, original);
    });
  });

  test('the shim looks like what it replaces', () =>
    registered(undefined, async (_, original) => {
      const shim = SubtleCrypto.prototype.digest;
      equal(shim.name, original.name);
      // Web IDL says 2; workerd's own says 0.
      equal(shim.length, original.length || 2);
      const { register, unregister } = await facts.entries.register();
      const before = Object.getOwnPropertyDescriptor(SubtleCrypto.prototype, 'digest');
      unregister();
      const stock = Object.getOwnPropertyDescriptor(SubtleCrypto.prototype, 'digest');
      register();
      for (const key of ['enumerable', 'configurable', 'writable']) equal(before[key], stock[key], key);
    }));

  test('this package\u2019s own functions are not affected', () =>
    registered(undefined, async () => {
      equal(impl.sha1(attack.bytes, 'hex', { mode: 'report' }), attack.digest);
      equal(await impl.sha1Async(pattern(1000)), vectors.lengths.pattern[1000]);
    }));
}

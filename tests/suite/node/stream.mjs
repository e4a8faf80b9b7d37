// createHash() in Node is a Transform stream, as crypto's. Each case runs on ours and on node:crypto's Hash alike.
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { deepEqual, equal, ok, rejects } from '../lib/assert.mjs';
import { pattern } from '../lib/bytes.mjs';
import * as vectors from '../../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;
  const attack = vectors.attack('shattered-1-640');

  /** The same scenario on both; what they give must be equal. */
  function alike(name, scenario) {
    test(name, async () => {
      const ours = await scenario(impl);
      const theirs = await scenario(facts.nodeCrypto);
      deepEqual(ours, theirs);
    });
  }

  test('it is a Transform', () => {
    ok(impl.createHash('sha1') instanceof Transform);
    equal(facts.nodeCrypto.createHash('sha1') instanceof Transform, true);
  });

  alike('write, end, read', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.write('a');
    hash.write(Buffer.from('b'));
    hash.end('c');
    await once(hash, 'readable');
    const digest = hash.read();
    return [Buffer.isBuffer(digest), digest.toString('hex'), hash.read()];
  });

  alike('setEncoding', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.setEncoding('hex');
    hash.end('abc');
    const chunks = [];
    for await (const chunk of hash) chunks.push(chunk);
    return chunks;
  });

  alike('write with an encoding', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.write('616263', 'hex');
    hash.write('ZGVm', 'base64');
    hash.end('é', 'latin1');
    return (await once(hash, 'data'))[0].toString('hex');
  });

  alike('pipeline from a file', async ({ createHash }) => {
    const folder = mkdtempSync(join(tmpdir(), 'sha1dc-'));
    try {
      writeFileSync(join(folder, 'file'), pattern(200000));
      const hash = createHash('sha1');
      await pipeline(createReadStream(join(folder, 'file')), hash);
      return hash.digest('hex');
    } catch (error) {
      return error.code;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  alike('pipeline into another stream', async ({ createHash }) => {
    const chunks = [];
    await pipeline(
      Readable.from([pattern(1000), pattern(500)]),
      createHash('sha1'),
      new Writable({
        write(chunk, _, done) {
          chunks.push(chunk.toString('hex'));
          done();
        },
      }),
    );
    return chunks;
  });

  alike('for await over a piped hash', async ({ createHash }) => {
    const chunks = [];
    for await (const chunk of Readable.from([Buffer.from('abc')]).pipe(createHash('sha1')))
      chunks.push(chunk.toString('hex'));
    return chunks;
  });

  alike('digest after finish', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.end('abc');
    await once(hash, 'finish');
    try {
      return hash.digest('hex');
    } catch (error) {
      return [error.name, error.code, error.message];
    }
  });

  alike('read, then digest', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.end('abc');
    const [data] = await once(hash, 'data');
    try {
      return [data.toString('hex'), hash.digest('hex')];
    } catch (error) {
      return [data.toString('hex'), error.name, error.code, error.message];
    }
  });

  alike('update mixed with write', async ({ createHash }) => {
    const hash = createHash('sha1').update('a');
    hash.write('b');
    hash.update('c');
    hash.end();
    return (await once(hash, 'data'))[0].toString('hex');
  });

  test('write after digest is an error, as in Node from 24 on: the bytes would be lost', async () => {
    const hash = impl.createHash('sha1');
    hash.digest();
    const errors = [];
    hash.on('error', (error) => errors.push(error.code));
    hash.write('a');
    await new Promise((resolve) => setTimeout(resolve, 20));
    deepEqual(errors, ['ERR_CRYPTO_HASH_UPDATE_FAILED']);
  });

  alike('write after end', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.end('a');
    const errors = [];
    hash.on('error', (error) => errors.push([error.name, error.code, error.message]));
    hash.write('b');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return errors;
  });

  alike('writing what is no data', async ({ createHash }) => {
    const outcomes = [];
    for (const value of [5, {}, [], null, true]) {
      const hash = createHash('sha1');
      hash.on('error', () => {});
      try {
        outcomes.push(hash.write(value));
      } catch (error) {
        outcomes.push([error.name, error.code, error.message]);
      }
    }
    return outcomes;
  });

  alike('an empty stream', async ({ createHash }) => {
    const hash = createHash('sha1');
    await pipeline(Readable.from([]), hash);
    return hash.read()?.toString('hex');
  });

  alike('options of the stream', async ({ createHash }) => {
    const hash = createHash('sha1', { encoding: 'hex' });
    hash.end('abc');
    const [data] = await once(hash, 'data');
    return data;
  });

  alike('many writes, back pressure heeded', async ({ createHash }) => {
    const hash = createHash('sha1', { highWaterMark: 100 });
    for (let i = 0; i < 500; i++) if (!hash.write(pattern(i))) await once(hash, 'drain').catch(() => {});
    hash.end();
    return (await once(hash, 'data'))[0].toString('hex');
  });

  alike('copy of a stream half written', async ({ createHash }) => {
    const hash = createHash('sha1');
    await new Promise((resolve) => hash.write('abc', resolve));
    const copy = hash.copy();
    hash.end('def');
    copy.end('ghi');
    return [(await once(hash, 'data'))[0].toString('hex'), (await once(copy, 'data'))[0].toString('hex')];
  });

  alike('destroy', async ({ createHash }) => {
    const hash = createHash('sha1');
    hash.write('abc');
    hash.destroy();
    await once(hash, 'close');
    return [hash.destroyed, hash.writable, hash.readable];
  });

  alike('events in their order', async ({ createHash }) => {
    const hash = createHash('sha1');
    const events = [];
    for (const name of ['prefinish', 'finish', 'data', 'end', 'close']) hash.on(name, () => events.push(name));
    hash.end('abc');
    await once(hash, 'close');
    return events;
  });

  test('an attack errors the stream', async () => {
    for (const size of [1, 64, 640]) {
      const pieces = [];
      for (let at = 0; at < 640; at += size) pieces.push(attack.bytes.subarray(at, at + size));
      const hash = impl.createHash('sha1');
      const error = await rejects(
        pipeline(Readable.from(pieces), hash, async (source) => {
          for await (const chunk of source) ok(false, `a digest was given: ${chunk}`);
        }),
        { code: 'ERR_SHA1_COLLISION', digest: attack.digest },
        `pieces of ${size}`,
      );
      ok(error instanceof impl.CollisionError);
      deepEqual([...error.collisions], attack.full.collisions);
      equal(hash.destroyed, true);
    }
  });

  test('an attack in the other modes', async () => {
    for (const [mode, digest] of [
      ['report', attack.digest],
      ['plain', attack.digest],
      ['mitigate', attack.full.safeDigest],
    ]) {
      const hash = impl.createHash('sha1', { mode });
      hash.end(attack.bytes);
      equal((await once(hash, 'data'))[0].toString('hex'), digest, mode);
      equal(hash.collision, mode !== 'plain', mode);
    }
  });

  test('a stream of an object hash', async () => {
    const hash = impl.createObjectHash('blob', 1000);
    await pipeline(Readable.from([pattern(1000)]), hash);
    equal(hash.read().toString('hex'), impl.hashObject('blob', pattern(1000)));
    const short = impl.createObjectHash('blob', 1001);
    await rejects(
      pipeline(
        Readable.from([pattern(1000)]),
        short,
        new Writable({
          write(_chunk, _encoding, done) {
            done();
          },
        }),
      ),
    );
  });

  test('a restored hash is a stream too', async () => {
    const restored = impl.restoreHash(impl.createHash('sha1').update(pattern(500)).save());
    restored.end(pattern(1025).subarray(500));
    equal((await once(restored, 'data'))[0].toString('hex'), lengths.pattern[1025]);
  });

  test('two thousand streams at once', async () => {
    const digests = await Promise.all(
      Array.from({ length: 1000 }, async (_, i) => {
        const hash = impl.createHash('sha1');
        await pipeline(Readable.from([pattern(i).subarray(0, i >> 1), pattern(i).subarray(i >> 1)]), hash);
        return hash.read().toString('hex');
      }),
    );
    deepEqual(digests, lengths.pattern.slice(0, 1000));
  });

  test('Node\u2019s own streams as sources of sha1Stream', async () => {
    equal(
      await impl.sha1Stream(Readable.from([pattern(100), pattern(200)])),
      impl.sha1(Buffer.concat([pattern(100), pattern(200)])),
    );
    const boom = new Error('boom');
    const failing = new Readable({
      read() {
        this.destroy(boom);
      },
    });
    equal(await rejects(impl.sha1Stream(failing)), boom);
    const closed = Readable.from([pattern(10), pattern(10), pattern(10)]);
    await rejects(
      impl.sha1Stream(closed, 'hex', {
        onProgress() {
          throw boom;
        },
      }),
    );
    equal(closed.destroyed, true);
  });
}

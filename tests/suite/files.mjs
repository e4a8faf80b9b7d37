// sha1File, where there are files: Node, Deno, Bun.
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { deepEqual, equal, ok, rejects } from './lib/assert.mjs';
import { pattern, Random, toHex } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;

  async function withFolder(body) {
    const folder = await fs.mkdtemp(join(tmpdir(), 'sha1dc-files-'));
    try {
      return await body({
        folder,
        path: (name) => join(folder, name),
        async file(name, bytes) {
          await fs.writeFile(join(folder, name), bytes);
          return join(folder, name);
        },
      });
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  }

  test('a path, a file URL, a FileHandle; names that are not ASCII', () =>
    withFolder(async ({ file }) => {
      for (const name of ['plain', 'with space', 'ünï#%?.bin', '日本']) {
        const path = await file(name, pattern(1000));
        equal(await impl.sha1File(path), lengths.pattern[1000], name);
        equal(await impl.sha1File(pathToFileURL(path)), lengths.pattern[1000], name);
        const handle = await fs.open(path);
        try {
          equal(await impl.sha1File(handle), lengths.pattern[1000], name);
        } finally {
          await handle.close();
        }
      }
    }));

  test('every size around the buffers\u2019', () =>
    withFolder(async ({ file }) => {
      const random = new Random(1);
      for (const power of [0, 6, 12, 14, 15, 16, 17, 18, 20, 21]) {
        for (const size of [2 ** power - 1, 2 ** power, 2 ** power + 1]) {
          const bytes = random.bytes(size);
          equal(await impl.sha1File(await file('f', bytes)), await facts.oracle(bytes), `${size} bytes`);
        }
      }
    }));

  test('files of more than four gigabytes, and a stream of one', { long: true, seconds: 1200 }, () =>
    withFolder(async ({ path, file }) => {
      for (const { length, digest } of vectors.large.zeros.filter(({ length }) => length > 2 ** 31)) {
        const sparse = await file('zeros', new Uint8Array(0));
        await fs.truncate(sparse, length);
        equal(await impl.sha1File(path('zeros')), digest, `${length} bytes, file`);
        const handle = await fs.open(sparse);
        const stream = handle.createReadStream ? handle.createReadStream() : handle.readableWebStream();
        equal(await impl.sha1Stream(stream), digest, `${length} bytes, stream`);
      }
    }),
  );

  test('encodings and modes, attacks', () =>
    withFolder(async ({ file }) => {
      for (const name of [
        'shattered-1.pdf',
        'shattered-2.pdf',
        'sha-mbles-1.bin',
        'sha-mbles-2.bin',
        'shattered-1-320',
      ]) {
        const { bytes, digest, full } = vectors.attack(name);
        const path = await file(name, bytes);
        equal(await impl.sha1File(path, 'hex', { mode: 'report' }), digest, name);
        equal(await impl.sha1File(path, 'hex', { mode: 'plain' }), digest, name);
        equal(await impl.sha1File(path, undefined, { mode: 'mitigate' }), full.safeDigest, name);
        equal(toHex(await impl.sha1File(path, 'buffer', { mode: 'report' })), digest, name);
        const error = await rejects(impl.sha1File(path), { code: 'ERR_SHA1_COLLISION', digest }, name);
        ok(error instanceof impl.CollisionError);
        deepEqual([...error.collisions], full.collisions);
      }
      const { bytes, reduced } = vectors.attack('sha1_reducedsha_coll.bin');
      const path = await file('reduced', bytes);
      equal(await impl.sha1File(path, 'hex', { mode: 'mitigate', reducedRounds: true }), reduced.safeDigest);
    }));

  test('files that are not there, that are folders', () =>
    withFolder(async ({ folder, path }) => {
      await rejects(impl.sha1File(path('missing')), { code: 'ENOENT' });
      await rejects(impl.sha1File(folder), { code: 'EISDIR' });
      equal(await impl.sha1Async('abc'), impl.sha1('abc'));
    }));

  test('a FileHandle is read from where it stands, and stays open', () =>
    withFolder(async ({ file }) => {
      const handle = await fs.open(await file('f', pattern(500)));
      try {
        equal(await impl.sha1File(handle), lengths.pattern[500]);
        equal((await handle.stat()).size, 500);
      } finally {
        await handle.close();
      }
    }));

  test('progress over a file has the total and ends there', () =>
    withFolder(async ({ file }) => {
      const size = 5 << 20;
      const path = await file('big', new Random(3).bytes(size));
      const calls = [];
      await impl.sha1File(path, 'hex', { onProgress: (done, total) => calls.push([done, total]) });
      ok(calls.length > 1, `${calls.length} calls`);
      calls.forEach(([done, total], i) => {
        equal(total, size);
        ok(i === 0 || done >= calls[i - 1][0]);
      });
      equal(calls.at(-1)[0], size);
    }));

  test('abort before and during', () =>
    withFolder(async ({ file }) => {
      const path = await file('big', new Uint8Array(64 << 20));
      const reason = new Error('stop');
      equal(await rejects(impl.sha1File(path, 'hex', { signal: AbortSignal.abort(reason) })), reason);
      const controller = new AbortController();
      const promise = impl.sha1File(path, 'hex', {
        signal: controller.signal,
        onProgress: () => controller.abort(reason),
      });
      equal(await rejects(promise), reason);
    }));

  test('an error in onProgress rejects', () =>
    withFolder(async ({ file }) => {
      const boom = new Error('boom');
      const path = await file('big', new Uint8Array(4 << 20));
      equal(
        await rejects(
          impl.sha1File(path, 'hex', {
            onProgress() {
              throw boom;
            },
          }),
        ),
        boom,
      );
    }));

  test('many files at once', () =>
    withFolder(async ({ file }) => {
      const paths = [];
      for (let i = 0; i < 200; i++) paths.push(await file(`f${i}`, pattern(i * 5)));
      deepEqual(
        await Promise.all(paths.map((path) => impl.sha1File(path))),
        paths.map((_, i) => lengths.pattern[i * 5]),
      );
    }));
}

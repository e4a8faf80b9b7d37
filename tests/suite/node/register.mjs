// `sha1dc/register` in Node: crypto.createHash and crypto.hash too, for require and import alike. Each case has a process
// of its own, since the shim is global.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { deepEqual, equal, ok } from '../lib/assert.mjs';

const { attacks } = JSON.parse(readFileSync(new URL('../../vectors/attacks.json', import.meta.url), 'utf8'));

export default function define({ test, facts }) {
  const ATTACK = attacks.find(({ name }) => name === 'sha-mbles-1.bin');

  let cases = 0;

  /** Runs a module beside the entries (so that bare names resolve as for the suite) and gives what it prints as JSON. */
  function outcome(code, { extension = 'mjs', flags = [] } = {}) {
    const file = join(dirname(facts.entriesFile), `.register-case-${process.pid}-${cases++}.${extension}`);
    writeFileSync(file, code);
    try {
      const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file], {
        env: { ...process.env, ATTACK: ATTACK.base64 },
        encoding: 'utf8',
      });
      equal(status, 0, stderr);
      return JSON.parse(stdout.trim().split('\n').at(-1));
    } finally {
      rmSync(file, { force: true });
    }
  }

  const TRY = `
    const attack = Buffer.from(process.env.ATTACK, 'base64');
    const attempt = (fn) => { try { const value = fn(); return Buffer.isBuffer(value) ? value.toString('hex') : value; } catch (error) { return error.code ?? String(error); } };
  `;
  const SAFE = 'ERR_SHA1_COLLISION';

  test('import sha1dc/register by itself: every way to node:crypto is covered', () => {
    const results = outcome(`
      import 'sha1dc/register';
      import * as namespace from 'node:crypto';
      import crypto, { createHash } from 'node:crypto';
      import { createRequire } from 'node:module';
      ${TRY}
      const required = createRequire(import.meta.url)('crypto');
      console.log(JSON.stringify({
        named: attempt(() => createHash('sha1').update(attack).digest('hex')),
        namespace: attempt(() => namespace.createHash('SHA1').update(attack).digest()),
        default: attempt(() => crypto.createHash('sha-1').update(attack).digest('base64')),
        required: attempt(() => required.createHash('RSA-SHA1').update(attack).digest('hex')),
        hash: crypto.hash ? attempt(() => crypto.hash('sha1', attack)) : '${SAFE}',
        clean: createHash('sha1').update('abc').digest('hex'),
        other: createHash('sha256').update(attack).digest('hex').length,
      }));`);
    deepEqual(results, {
      named: SAFE,
      namespace: SAFE,
      default: SAFE,
      required: SAFE,
      hash: SAFE,
      clean: 'a9993e364706816aba3e25717850c26c9cd0d89d',
      other: 64,
    });
  });

  test('node --import sha1dc/register, and --require', () => {
    const code = `import { createHash } from 'node:crypto'; ${TRY} console.log(JSON.stringify(attempt(() => createHash('sha1').update(attack).digest('hex'))));`;
    const target = facts.require.resolve('sha1dc/register');
    equal(outcome(code, { flags: ['--import', `file://${target}`] }), SAFE);
    equal(
      outcome(
        `const { createHash } = require('crypto'); ${TRY} console.log(JSON.stringify(attempt(() => createHash('sha1').update(attack).digest('hex'))));`,
        { extension: 'cjs', flags: ['--require', target] },
      ),
      SAFE,
    );
  });

  test("require('sha1dc/register')", () => {
    const results = outcome(
      `const { createHash: before } = require('crypto');
       const { register, unregister } = require('sha1dc/register'); register();
       const crypto = require('node:crypto'); ${TRY}
       const results = [attempt(() => crypto.createHash('sha1').update(attack).digest('hex'))];
       unregister();
       results.push(attempt(() => crypto.createHash('sha1').update(attack).digest('hex')), crypto.createHash === before);
       console.log(JSON.stringify(results));`,
      { extension: 'cjs' },
    );
    deepEqual(results, [SAFE, ATTACK.digest, true]);
  });

  test('import and require of register are one registration', () => {
    const results = outcome(`
      import { register, unregister } from 'sha1dc/register';
      import { createHash } from 'node:crypto';
      import { createRequire } from 'node:module';
      ${TRY}
      const other = createRequire(import.meta.url)('sha1dc/register');
      const first = register(); const second = other.register();
      const results = [attempt(() => createHash('sha1').update(attack).digest('hex')), first.collisions.length, second.collisions.length];
      other.unregister();
      results.push(attempt(() => createHash('sha1').update(attack).digest('hex')));
      console.log(JSON.stringify(results));`);
    deepEqual(results, [SAFE, 1, 1, ATTACK.digest]);
  });

  test('streams, copies and wrong values through the shim are as Node\u2019s', () => {
    const results = outcome(`
      import crypto from 'node:crypto';
      import { Readable, Transform } from 'node:stream';
      import { pipeline } from 'node:stream/promises';
      import { register, unregister } from 'sha1dc/register';
      ${TRY}
      const scenario = async () => {
        const out = [];
        const hash = crypto.createHash('sha1');
        await pipeline(Readable.from([Buffer.from('abc')]), hash);
        out.push(hash.read().toString('hex'), hash instanceof Transform, hash instanceof crypto.Hash);
        out.push(attempt(() => crypto.createHash('sha1').update(5)), attempt(() => crypto.createHash('nope')), attempt(() => crypto.createHash()));
        out.push(crypto.createHash('sha1').update('a').copy().update('bc').digest('base64'), attempt(() => crypto.createHash('sha1').update(new ArrayBuffer(3))));
        out.push(crypto.createHash.length, crypto.createHash.name, crypto.createHash('sha256').update('abc').digest('hex'));
        out.push(crypto.createHmac('sha1', 'key').update('abc').digest('hex'), attempt(() => crypto.createHash('sha1', { outputLength: 20 }).update('abc').digest('hex')));
        if (crypto.hash) out.push(crypto.hash('sha1', 'abc'), crypto.hash('sha1', 'abc', 'base64'), attempt(() => crypto.hash('sha1', 5)), attempt(() => crypto.hash('sha1', 'abc', 'nope')));
        return out;
      };
      unregister();
      const stock = await scenario();
      register();
      const shim = await scenario();
      console.log(JSON.stringify([stock, shim]));`);
    deepEqual(results[1], results[0]);
  });

  test('the pack trailers and object names of git through the shim', () => {
    const results = outcome(`
      import 'sha1dc/register';
      import { createHash } from 'node:crypto';
      import { hashObject } from 'sha1dc';
      console.log(JSON.stringify([createHash('sha1').update('blob 3\\0').update('abc').digest('hex'), hashObject('blob', 'abc')]));`);
    equal(results[0], results[1]);
    ok(results[0].length === 40);
  });
}

// How the package loads in Node: by import and require, in worker threads, and whatever is wrong with the native module.
// Each case runs in a process of its own, on a copy of the package.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { deepEqual, equal, ok } from '../lib/assert.mjs';
import { skip } from '../lib/harness.mjs';

const REPORT = `
  const attack = Buffer.from(process.env.ATTACK, 'base64');
  let error;
  try { sha1dc.sha1(attack); } catch (thrown) { error = thrown; }
  console.log(JSON.stringify({ ...sha1dc.backend, abc: sha1dc.sha1('abc'), code: error?.code, message: error?.message }));
`;

export default function define({ test, impl, facts }) {
  const attack = new URL('../../vectors/attacks.json', import.meta.url);
  const ATTACK = JSON.parse(readFileSync(attack, 'utf8')).attacks.find(({ name }) => name === 'sha-mbles-1.bin').base64;
  const ABC = 'a9993e364706816aba3e25717850c26c9cd0d89d';

  /** A folder with the package (without tests and sources) in node_modules, and the native module's file if there is one. */
  async function withCopy(body) {
    const folder = mkdtempSync(join(tmpdir(), 'sha1dc-load-'));
    try {
      const copy = join(folder, 'node_modules', 'sha1dc');
      mkdirSync(dirname(copy), { recursive: true });
      const manifest = JSON.parse(readFileSync(join(facts.packageFolder, 'package.json'), 'utf8'));
      for (const name of ['package.json', 'dist', 'native', ...(manifest.files ?? [])]) {
        const from = join(facts.packageFolder, name);
        if (existsSync(from)) cpSync(from, join(copy, name), { recursive: true });
      }
      for (const sibling of siblings())
        cpSync(sibling.path, join(folder, 'node_modules', sibling.name), { recursive: true });
      return await body({ folder, natives: findNatives(join(folder, 'node_modules')) });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Platform packages beside the installed package. */
  function siblings() {
    const parent = dirname(join(facts.packageFolder, 'x', '..'));
    if (!parent.endsWith('node_modules')) return [];
    return readdirSync(parent)
      .filter((name) => name.startsWith('sha1dc-') && name !== 'sha1dc-tests')
      .map((name) => ({ name, path: join(parent, name) }));
  }

  function findNatives(folder) {
    return readdirSync(folder, { recursive: true })
      .filter((name) => String(name).endsWith('.node'))
      .map((name) => join(folder, String(name)));
  }

  function start(folder, code, { env = {}, flags = [], module = 'mjs' } = {}) {
    const file = join(folder, `case.${module}`);
    writeFileSync(file, code);
    const { SHA1DC_BACKEND: _, ...inherited } = process.env;
    const result = spawnSync(process.execPath, [...flags, file], {
      cwd: folder,
      env: { ...inherited, ATTACK, ...env },
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      // For a process that would never end.
      timeout: 120_000,
    });
    return {
      ...result,
      json: () =>
        result.status === 0
          ? JSON.parse(result.stdout.trim().split('\n').at(-1))
          : { failed: result.stderr || result.stdout || result.signal },
    };
  }

  const IMPORT = `import * as sha1dc from 'sha1dc';${REPORT}`;

  function works(outcome, label) {
    equal(outcome.failed, undefined, label);
    equal(outcome.abc, ABC, label);
    equal(outcome.code, 'ERR_SHA1_COLLISION', label);
    equal(
      outcome.message,
      'SHA-1 appears to be part of a collision attack: 8ac60ba76f1999a1ab70223f225aefdc78d4ddc0',
      label,
    );
  }

  test('import, require, both in one process, named and default', () =>
    withCopy(({ folder }) => {
      works(start(folder, IMPORT).json(), 'import');
      works(start(folder, `const sha1dc = require('sha1dc');${REPORT}`, { module: 'cjs' }).json(), 'require');
      const both = start(
        folder,
        `import { createRequire } from 'node:module'; import sha1, { createHash, CollisionError, backend } from 'sha1dc';
         const required = createRequire(import.meta.url)('sha1dc');
         let error; try { required.sha1(Buffer.from(process.env.ATTACK, 'base64')); } catch (thrown) { error = thrown; }
         const call = typeof required === 'function' ? required : required.default;
         console.log(JSON.stringify({ a: sha1('abc'), b: call('abc'), c: call().update('abc').digest('hex'), d: createHash('sha1').update('abc').digest('hex'),
           same: backend.name === required.backend.name, instance: error instanceof CollisionError, name: error.name,
           state: required.restoreHash(createHash('sha1').update('ab').save()).update('c').digest('hex') }));`,
      ).json();
      deepEqual(both, {
        a: ABC,
        b: ABC,
        c: ABC,
        d: ABC,
        same: true,
        instance: both.instance,
        name: 'CollisionError',
        state: ABC,
      });
      ok(both.instance === true, 'an error of the required package is an instance of the imported class');
    }));

  test("require('sha1dc') is the function, as git-sha1's and sha1's users call it", () =>
    withCopy(({ folder }) => {
      const outcome = start(
        folder,
        `const sha1 = require('sha1dc');
         console.log(JSON.stringify([typeof sha1, sha1('abc'), sha1().update('abc').digest('hex'), typeof sha1.sha1, typeof sha1.createHash, sha1.default === sha1 || typeof sha1.default]));`,
        { module: 'cjs' },
      ).json();
      deepEqual(outcome.slice(0, 5), ['function', ABC, ABC, 'function', 'function']);
    }));

  test('without a native module: wasm, and the reason', () =>
    withCopy(({ folder, natives }) => {
      for (const file of natives) rmSync(file);
      const outcome = start(folder, IMPORT).json();
      works(outcome);
      equal(outcome.kind, 'wasm');
      ok(outcome.reason?.length > 0, 'the reason is told');
    }));

  test('with a native module that is empty, cut short, garbage, a folder, of another system: wasm, and the reason', () =>
    withCopy(({ folder, natives }) => {
      if (natives.length === 0) skip('this package has no native module here');
      const [file] = natives;
      for (const other of natives.slice(1)) rmSync(other);
      const whole = readFileSync(file);
      const elsewhere = Buffer.from(whole);
      elsewhere[18] = 0xf7; // e_machine of an ELF file
      const damage = {
        empty: () => writeFileSync(file, ''),
        garbage: () => writeFileSync(file, 'this is no library'),
        'another machine': () => writeFileSync(file, elsewhere),
        'the head only': () => (writeFileSync(file, whole), truncateSync(file, 4096)),
        'a folder': () => (rmSync(file), mkdirSync(file)),
        'a dangling link': () => (rmSync(file, { recursive: true }), symlinkSync(join(folder, 'nowhere'), file)),
      };
      for (const [what, make] of Object.entries(damage)) {
        make();
        const outcome = start(folder, IMPORT).json();
        works(outcome, what);
        equal(outcome.kind, 'wasm', what);
        ok(outcome.reason?.length > 0, `${what}: the reason is told`);
      }
    }));

  test('with a native module that is another library: wasm, and the reason', () =>
    withCopy(({ folder, natives }) => {
      if (natives.length === 0) skip('this package has no native module here');
      if (process.platform !== 'linux') skip('looks for a shared library where Linux has one');
      const libraries = execFileSync('sh', [
        '-c',
        'ls /lib/*/libm.so.6 /lib64/libm.so.6 /usr/lib/libm.so.6 2>/dev/null || true',
      ])
        .toString()
        .trim()
        .split('\n')
        .filter(Boolean);
      if (libraries.length === 0) skip('no other shared library was found');
      for (const file of natives) cpSync(libraries[0], file, { dereference: true });
      const outcome = start(folder, IMPORT).json();
      works(outcome);
      equal(outcome.kind, 'wasm');
      ok(outcome.reason?.length > 0);
    }));

  test('SHA1DC_BACKEND: each kind; one that does not exist is not silently another', () =>
    withCopy(({ folder, natives }) => {
      for (const kind of ['native', 'wasm', 'js']) {
        if (kind === 'native' && natives.length === 0) continue;
        const outcome = start(folder, IMPORT, { env: { SHA1DC_BACKEND: kind } }).json();
        works(outcome, kind);
        equal(outcome.kind, kind);
      }
      const unknown = start(folder, IMPORT, { env: { SHA1DC_BACKEND: 'x86_64/nope' } });
      if (unknown.status === 0)
        ok(unknown.json().reason?.includes('x86_64/nope'), `the reason names it: ${unknown.stdout}`);
      else ok(unknown.stderr.includes('x86_64/nope'), unknown.stderr);
      works(start(folder, IMPORT, { env: { SHA1DC_BACKEND: '' } }).json(), 'empty means not set');
    }));

  test('WebAssembly absent and no native module: js, and the reason', () =>
    withCopy(({ folder, natives }) => {
      for (const file of natives) rmSync(file);
      for (const prelude of [
        'delete globalThis.WebAssembly;',
        "WebAssembly.Module = function () { throw new WebAssembly.CompileError('forbidden by policy'); };",
      ]) {
        const outcome = start(folder, `${prelude} const sha1dc = await import('sha1dc');${REPORT}`).json();
        works(outcome, prelude);
        equal(outcome.kind, 'js', prelude);
        ok(outcome.reason?.length > 0, prelude);
      }
    }));

  test('under --frozen-intrinsics, --disable-proto=throw, --disallow-code-generation-from-strings, --jitless', () =>
    withCopy(({ folder }) => {
      for (const flags of [
        ['--frozen-intrinsics'],
        ['--disable-proto=throw'],
        ['--disable-proto=delete'],
        ['--disallow-code-generation-from-strings'],
        ['--jitless'],
      ]) {
        works(start(folder, IMPORT, { flags: ['--no-warnings', ...flags] }).json(), flags[0]);
      }
    }));

  test('in worker threads: several at once, ended midway, the module loaded once for each and unloaded cleanly', () =>
    withCopy(({ folder }) => {
      const outcome = start(
        folder,
        `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
         import { fileURLToPath } from 'node:url';
         import * as sha1dc from 'sha1dc';
         if (isMainThread) {
           const results = await Promise.all(Array.from({ length: 8 }, () => new Promise((resolve, reject) => {
             const worker = new Worker(fileURLToPath(import.meta.url));
             worker.once('message', resolve); worker.once('error', reject);
           })));
           const ended = await Promise.all(Array.from({ length: 8 }, async (_, i) => {
             const worker = new Worker(fileURLToPath(import.meta.url));
             await new Promise((resolve) => setTimeout(resolve, 5 * i));
             return worker.terminate();
           }));
           console.log(JSON.stringify({ results: [...new Set(results)], here: sha1dc.sha1('abc'), name: sha1dc.backend.name, ended: ended.length }));
         } else {
           const hash = sha1dc.createHash('sha1');
           for (let i = 0; i < 1000; i++) hash.update('x'.repeat(i));
           const pending = Array.from({ length: 20 }, () => sha1dc.sha1Async(new Uint8Array(100000)));
           await Promise.all(pending);
           parentPort.postMessage(JSON.stringify([sha1dc.backend.name, sha1dc.sha1('abc'), hash.digest('hex')]));
         }`,
      ).json();
      equal(outcome.failed, undefined);
      equal(outcome.results.length, 1, 'all workers agree');
      const [name, abc] = JSON.parse(outcome.results[0]);
      equal(name, outcome.name);
      equal(abc, ABC);
      equal(outcome.here, ABC);
      equal(outcome.ended, 8);
    }));

  test('a process ends by itself: nothing is left that keeps it alive', () =>
    withCopy(({ folder }) => {
      const { status } = start(
        folder,
        `import * as sha1dc from 'sha1dc'; await sha1dc.sha1Async(new Uint8Array(1e6)); await sha1dc.sha1Stream(['a']); sha1dc.createHash();`,
      );
      equal(status, 0);
    }));

  test('a process that exits while work is under way does not crash', () =>
    withCopy(({ folder }) => {
      const { status, signal } = start(
        folder,
        `import * as sha1dc from 'sha1dc'; for (let i = 0; i < 50; i++) sha1dc.sha1Async(new Uint8Array(1e7)); process.exit(7);`,
      );
      equal(signal, null);
      equal(status, 7);
    }));

  test('the native module asks for no external buffers (Electron forbids them) and no more than N-API 8', () =>
    withCopy(({ natives }) => {
      if (natives.length === 0) skip('this package has no native module here');
      for (const file of natives) {
        const text = readFileSync(file).toString('latin1');
        for (const name of [
          'napi_create_external_arraybuffer',
          'napi_create_external_buffer',
          'node_api_create_external_string',
          'node_api_create_buffer_from_arraybuffer',
        ]) {
          ok(!text.includes(name), `${file} imports ${name}`);
        }
        ok(text.includes('napi_register_module_v1'), 'it is context-aware');
      }
    }));

  test('the package has no install script', () => {
    const { scripts = {} } = JSON.parse(readFileSync(join(facts.packageFolder, 'package.json'), 'utf8'));
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      ok(!(name in scripts) || name === 'prepare', `scripts.${name}`);
    equal(impl.sha1('abc'), ABC);
  });
}

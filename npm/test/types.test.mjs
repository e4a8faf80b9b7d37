// Users' TypeScript, under every way in which TypeScript resolves packages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const tsc = require.resolve('typescript/bin/tsc');
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));
let folder;

const MODULE = `
import sha1, {
  CollisionError, backend, createHash, hash, hashObjects, inspect, sha1File, sha1Many, sha1Stream, twin,
  type CollisionBlock, type Hash, type Inspection, type Options,
} from 'sha1dc';
import * as js from 'sha1dc/js';
import { register, type Registration } from 'sha1dc/register';
import Sha1 from 'sha1dc/sha1.js';
import * as wasm from 'sha1dc/wasm';

export const text: string[] = [sha1('x'), sha1('x', 'hex'), hash('sha1', 'x'), createHash('sha1').digest('hex')];
export const bytes: Uint8Array[] = [sha1('x', 'buffer'), sha1Many(['x'], 'buffer'), createHash().save()];
export const buffers: Buffer[] = [createHash().digest(), sha1('x', 'buffer')];
export const many: string[][] = [sha1Many(['x']), hashObjects([{ type: 'blob', content: 'x' }])];
export const promises: Promise<string>[] = [sha1File('x'), sha1Stream(new Blob([])), sha1Stream(createHash())];
export const options: Options = { mode: 'report' };
export const inspection: Inspection = inspect(new Uint8Array(3), options);
export const other: Uint8Array | null = twin('x');
export const hashes: Hash[] = [sha1(), js.createHash(), wasm.sha1(), new Sha1()];
export const registration: Registration = register({ onCollision: (error) => error.collisions });
export const kind: 'native' | 'wasm' | 'js' = backend.kind;
createHash().pipe(process.stdout);
// What the platform takes only with memory of its own.
export const blob = new Blob([createHash().digest(), sha1('x', 'buffer'), createHash().save()]);
export const name = (error: unknown): [string, CollisionBlock[]] | undefined =>
  error instanceof CollisionError ? [error.code, error.collisions] : undefined;
wasm.initSync(new Uint8Array(1));
// @ts-expect-error
sha1(5);
// @ts-expect-error
sha1('x', 'nope');
// @ts-expect-error
createHash('sha1', { mode: 'nope' });
`;

const COMMON = `
import sha1 = require('sha1dc');
import Sha1 = require('sha1dc/sha1.js');
import wasm = require('sha1dc/wasm');
import { CollisionError, createHash, type Options } from 'sha1dc';
import { register } from 'sha1dc/register';

export const text: string[] = [sha1('x'), sha1.sha1('x'), createHash().digest('hex'), new Sha1().digest('hex'), wasm('x')];
export const hash: sha1.Hash = sha1();
export const options: Options = {};
export const same: sha1.Options = options;
export const error = (value: unknown): sha1.CollisionError | undefined =>
  value instanceof CollisionError ? value : undefined;
wasm.initSync(new Uint8Array(0));
register();
`;

const BROWSER = `
import sha1, { createHash } from 'sha1dc';
export const text: string = createHash().update('x').digest('hex');
export const bytes: Uint8Array = createHash().digest();
export const blob = new Blob([sha1('x', 'buffer')]);
`;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sha1dc-types-'));
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules/sha1dc'), 'junction');
  symlinkSync(packageFolder('@types/node'), join(folder, 'node_modules/@types/node'), 'junction');
  writeFileSync(join(folder, 'module.mts'), MODULE);
  writeFileSync(join(folder, 'common.cts'), COMMON);
  writeFileSync(join(folder, 'browser.mts'), BROWSER);
  // With esModuleInterop, CommonJS is mostly written like modules.
  writeFileSync(join(folder, 'plain.ts'), MODULE);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const resolutions = {
  node16: [
    ['--module', 'node16', '--types', 'node'],
    ['module.mts', 'common.cts'],
  ],
  nodenext: [
    ['--module', 'nodenext', '--types', 'node'],
    ['module.mts', 'common.cts'],
  ],
  bundler: [['--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'], ['module.mts']],
  CommonJS: [['--module', 'commonjs', '--moduleResolution', 'node10', '--types', 'node'], ['plain.ts']],
  'bundler, without the types of Node': [
    [
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom',
      '--preserveSymlinks',
      '--typeRoots',
      'none',
    ],
    ['browser.mts'],
  ],
};

for (const [name, [flags, files]] of Object.entries(resolutions)) {
  test(name, () => {
    if (name.includes('without')) rmSync(join(folder, 'node_modules/@types'), { recursive: true });
    const args = [tsc, '--noEmit', '--strict', '--target', 'es2022', '--esModuleInterop', ...flags, ...files];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
}

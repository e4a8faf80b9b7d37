// Native modules that are not this package's: of another version, or of another C library.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('..', import.meta.url));
const natives = existsSync(join(source, 'native')) ? readdirSync(join(source, 'native')) : [];
const skip = natives.length > 0 ? false : 'no native module has been built';
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sha1dc-loader-'));
  const copy = join(folder, 'node_modules/sha1dc');
  mkdirSync(copy, { recursive: true });
  for (const name of ['package.json', 'dist', 'native']) {
    if (existsSync(join(source, name))) cpSync(join(source, name), join(copy, name), { recursive: true });
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

function backend(env = {}) {
  const code = "const { backend, sha1 } = require('sha1dc'); console.log(JSON.stringify([backend, sha1('abc')]))";
  const { SHA1DC_BACKEND: _, ...inherited } = process.env;
  const options = { cwd: folder, encoding: 'utf8', env: { ...inherited, ...env } };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', code], options);
  if (status !== 0) return { error: stderr };
  const [found, abc] = JSON.parse(stdout);
  assert.equal(abc, 'a9993e364706816aba3e25717850c26c9cd0d89d');
  return found;
}

test('the module in a package of its own', { skip }, () => {
  const native = join(folder, 'node_modules/sha1dc/native');
  const moved = natives.map((file) => file.split('.')[1]);
  for (const platform of moved) {
    const home = join(folder, `node_modules/sha1dc-${platform}`);
    mkdirSync(home, { recursive: true });
    cpSync(join(native, `sha1dc.${platform}.node`), join(home, `sha1dc.${platform}.node`));
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: `sha1dc-${platform}`, version: '0.0.0' }));
  }
  rmSync(native, { recursive: true });
  const there = backend();
  for (const platform of moved) rmSync(join(folder, `node_modules/sha1dc-${platform}`), { recursive: true });
  const gone = backend();
  cpSync(join(source, 'native'), native, { recursive: true });
  assert.equal(there.kind, 'native', there.reason);
  assert.equal(gone.kind, 'wasm');
  assert.match(gone.reason, /no native module for /);
});

test('a module of another version is not used', { skip }, () => {
  const file = join(folder, 'node_modules/sha1dc/dist/node/index.cjs');
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(/(var version = )"[^"]*"/, '$1"999.0.0"');
  assert.notEqual(changed, text);
  writeFileSync(file, changed);
  const found = backend();
  const forced = backend({ SHA1DC_BACKEND: 'native' });
  writeFileSync(file, text);
  assert.equal(found.kind, 'wasm');
  assert.match(found.reason, /is of version .*, and this package of 999\.0\.0/);
  assert.match(forced.error, /SHA1DC_BACKEND is 'native', which cannot be had: .*999\.0\.0/);
});

test('a backend that this machine does not have is an error that names those it has', { skip }, () => {
  const { error } = backend({ SHA1DC_BACKEND: 'pdp11/portable' });
  assert.match(error, /SHA1DC_BACKEND is 'pdp11\/portable', which cannot be had: .*portable/);
});

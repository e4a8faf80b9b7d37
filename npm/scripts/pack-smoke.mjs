// node npm/scripts/pack-smoke.mjs --from DIR [--platform NAME]
//
// Installs the packed tarballs into empty folders outside the repository, as a user would, and uses them: the main package
// with this machine's platform package, and the main package alone. Also publint, attw and TypeScript on what was packed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { attack } from '../../tests/vectors/index.mjs';

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../..');
const windows = process.platform === 'win32';
const { values } = parseArgs({ options: { from: { type: 'string' }, platform: { type: 'string' } } });
const from = resolve(values.from);
const tarballs = readdirSync(from).filter((file) => file.endsWith('.tgz'));
const platformTarball = tarballs.find((file) => values.platform && file.includes(`-${values.platform}-`));
const mainTarball = tarballs.find((file) => /^sha1dc-\d/.test(file));
const ATTACKS = ['shattered-1.pdf', 'shattered-2.pdf', 'sha-mbles-1.bin', 'sha-mbles-2.bin'];
const ORDINARY = {
  'empty.txt': '',
  'abc.txt': 'abc',
  'a b ü.txt': 'a name with a space',
  'big.bin': Buffer.alloc(3 << 20, 7),
};

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sha1dc-packed-')));
let passed = 0;
let failed = 0;

function check(name, body) {
  try {
    body();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}

/** Runs a program; its exit code and output. Node's own settings of this process do not reach it. */
function run(folder, program, args, env = {}) {
  const { NODE_OPTIONS: _1, SHA1DC_BACKEND: _2, ...clean } = process.env;
  // npm and npx are batch files on Windows, which only a shell starts; nothing that is passed here needs quoting there.
  const shell = windows && program !== process.execPath;
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...clean, ...env },
    shell,
  });
  if (error) throw error;
  return { status, stdout, stderr };
}

function succeed(folder, program, args, env) {
  const result = run(folder, program, args, env);
  assert.equal(result.status, 0, `${program} ${args.join(' ')}\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

function project(name, packed) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // The tarballs have no dependencies but each other. Offline, npm cannot find the other platforms' packages, which must
  // not matter: they are optional.
  const files = packed.map((file) => join(from, file));
  succeed(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', ...files]);
  for (const attackName of ATTACKS) writeFileSync(join(folder, attackName), attack(attackName).bytes);
  for (const [file, content] of Object.entries(ORDINARY)) writeFileSync(join(folder, file), content);
  return folder;
}

const node = (folder, code, ...flags) => succeed(folder, process.execPath, [...flags, '--eval', code]).trim();
const byImport = (folder, code) => node(folder, code, '--input-type=module');
const sha1sum = (file, content) => `${createHash('sha1').update(content).digest('hex')}  ${file}\n`;

function usable(label, folder, kind) {
  check(`${label}: import gives the ${kind} backend`, () => {
    const code = "import { backend, sha1 } from 'sha1dc'; console.log(JSON.stringify([backend, sha1('abc')]))";
    const [backend, digest] = JSON.parse(byImport(folder, code));
    assert.equal(digest, 'a9993e364706816aba3e25717850c26c9cd0d89d');
    assert.equal(backend.kind, kind, JSON.stringify(backend));
    if (kind !== 'native') assert.ok(backend.reason, 'backend.reason says why it is not native');
  });
  check(`${label}: require gives the ${kind} backend`, () => {
    const code =
      "const { backend, sha1 } = require('sha1dc'); console.log(JSON.stringify([backend.kind, sha1('abc')]))";
    assert.deepEqual(JSON.parse(node(folder, code)), [kind, 'a9993e364706816aba3e25717850c26c9cd0d89d']);
  });
  check(`${label}: an attack throws, in git's words`, () => {
    const code = `import { sha1 } from 'sha1dc'; import { readFileSync } from 'node:fs';
      try { sha1(readFileSync('shattered-1.pdf')) } catch (error) { console.log(error.code + '|' + error.message) }`;
    assert.equal(
      byImport(folder, code),
      `ERR_SHA1_COLLISION|SHA-1 appears to be part of a collision attack: ${attack('shattered-1.pdf').digest}`,
    );
  });
  check(`${label}: npx sha1dc on the attacks prints *coll* and exits 3`, () => {
    const { status, stdout } = run(folder, 'npx', ['--offline', 'sha1dc', ...ATTACKS]);
    assert.equal(stdout, ATTACKS.map((file) => `${attack(file).digest} *coll* ${file}\n`).join(''));
    assert.equal(status, 3);
  });
  check(`${label}: npx sha1dcsum on ordinary files prints what sha1sum prints`, () => {
    const files = Object.keys(ORDINARY).filter((file) => !windows || !file.includes(' '));
    const ours = succeed(folder, 'npx', ['--offline', 'sha1dcsum', ...files]);
    assert.equal(ours, files.map((file) => sha1sum(file, ORDINARY[file])).join(''));
    const theirs = windows || process.platform === 'darwin' ? null : run(folder, 'sha1sum', files);
    if (theirs) assert.equal(ours, theirs.stdout);
  });
}

function typed(folder) {
  const consumer = `import sha1dc, { createHash, inspect, sha1, type Inspection } from 'sha1dc';
const digest: string = sha1('abc');
const bytes: Uint8Array = sha1('abc', 'buffer');
const found: Inspection = inspect(new Uint8Array(3));
const hash = createHash('sha1').update('abc');
const text: string = hash.digest('hex');
const same: string = sha1dc('abc');
console.log(digest, bytes, found.collision, text, same);
`;
  writeFileSync(join(folder, 'consumer.mts'), consumer);
  const required = consumer.replace('import sha1dc, {', 'import sha1dc = require("sha1dc");\nimport {');
  writeFileSync(join(folder, 'consumer.cts'), required);
  const tsc = join(workspace, 'node_modules/typescript/bin/tsc');
  const types = join(workspace, 'node_modules/@types');
  const common = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
    '--typeRoots',
    types,
    '--types',
    'node',
  ];
  for (const [module, resolution, file] of [
    ['node16', 'node16', 'consumer.mts'],
    ['node16', 'node16', 'consumer.cts'],
    ['nodenext', 'nodenext', 'consumer.mts'],
    ['nodenext', 'nodenext', 'consumer.cts'],
    ['esnext', 'bundler', 'consumer.mts'],
  ]) {
    check(`types: ${file} compiles under ${module} / ${resolution}`, () => {
      succeed(folder, process.execPath, [tsc, ...common, '--module', module, '--moduleResolution', resolution, file]);
    });
  }
}

try {
  assert.ok(mainTarball, `no main tarball in ${from}`);
  check('SHA256SUMS tells the tarballs apart', () => {
    for (const line of readFileSync(join(from, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
      const [sum, file] = line.split('  ');
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(from, file)))
          .digest('hex'),
        sum,
        file,
      );
    }
  });
  if (values.platform) {
    assert.ok(platformTarball, `no tarball for ${values.platform} in ${from}`);
    usable('with the platform package', project('native', [mainTarball, platformTarball]), 'native');
  }
  const alone = project('alone', [mainTarball]);
  usable('main package alone', alone, 'wasm');
  typed(alone);
  check('no folder of this machine is named in what was packed', () => {
    const folders = [realpathSync(workspace), join(homedir(), '.cargo')];
    for (const file of tarballs) {
      const packed = gunzipSync(readFileSync(join(from, file)));
      for (const folder of folders) assert.ok(!packed.includes(folder), `${folder} stands in ${file}`);
    }
  });
  const bin = (name) => join(workspace, 'node_modules/.bin', windows ? `${name}.cmd` : name);
  const main = join(from, mainTarball);
  check('publint', () => void succeed(workspace, bin('publint'), [main, '--strict']));
  check('attw', () => void succeed(workspace, bin('attw'), [main]));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

// Runs the program on real and on damaged repositories and compares its counts with git's own.
import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

import { createHash, sha1Many } from 'sha1dc';

import { attack } from '../../tests/vectors/index.mjs';
import { BatchParser } from './cat-file.mjs';
import { Verifier, describe } from './verify.mjs';

const program = fileURLToPath(new URL('./verify.mjs', import.meta.url));
const project = fileURLToPath(new URL('../../', import.meta.url));
const backends = ['native', 'wasm'];

const folder = mkdtempSync(join(tmpdir(), 'sha1dc-verify-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const plain = { ...process.env, GIT_CONFIG_GLOBAL: '', GIT_CONFIG_NOSYSTEM: '1' };
for (const name of Object.keys(plain))
  if (/^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/.test(name)) delete plain[name];

function git(path, args, input) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'gc.auto=0'];
  return execFileSync('git', ['-C', path, ...identity, ...args], { input, env: plain, maxBuffer: 1 << 28 });
}

function verify(path, backend, args = ['--json']) {
  const env = { ...plain, SHA1DC_BACKEND: backend };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args, path], { env, encoding: 'utf8' });
  return { status, stdout, stderr, json: args.includes('--json') && stdout ? JSON.parse(stdout) : undefined };
}

/** What git itself counts. */
function countByGit(path) {
  const counts = { commit: 0, tree: 0, blob: 0, tag: 0 };
  let bytes = 0;
  for (const line of git(path, ['cat-file', '--batch-check', '--batch-all-objects']).toString().trim().split('\n')) {
    const [, type, size] = line.split(' ');
    counts[type]++;
    bytes += Number(size);
  }
  return { counts, bytes };
}

function repository(name, blobs) {
  const path = join(folder, name);
  execFileSync('git', ['init', '--quiet', '--object-format=sha1', path], { env: plain });
  const ids = blobs.map((blob) => git(path, ['hash-object', '-w', '--stdin'], blob).toString().trim());
  const tree = git(path, ['mktree'], ids.map((id, i) => `100644 blob ${id}\tfile-${i}\n`).join(''));
  const commit = git(path, ['commit-tree', tree.toString().trim(), '-m', 'all of them']).toString().trim();
  git(path, ['update-ref', 'HEAD', commit]);
  git(path, ['tag', '-a', '-m', 'a tag', 'v1', commit]);
  return { path, ids, loose: (id) => join(path, '.git/objects', id.slice(0, 2), id.slice(2)) };
}

function overwrite(file, content) {
  chmodSync(file, 0o644);
  writeFileSync(file, content);
}

for (const backend of backends) {
  test(`all objects of this project's own repository, ${backend}`, () => {
    // Somebody may be committing meanwhile.
    let before, result;
    let now = countByGit(project);
    do {
      before = now;
      result = verify(project, backend);
      now = countByGit(project);
    } while (JSON.stringify(now) !== JSON.stringify(before));
    equal(result.status, 0, result.stdout + result.stderr);
    equal(result.json.backend.kind, backend);
    deepEqual(result.json.problems, []);
    deepEqual(result.json.counts, now.counts);
    equal(result.json.bytes, now.bytes);
    ok(now.counts.commit > 0 && now.counts.tree > 0 && now.counts.blob > 0, 'a real repository');
  });

  test(`empty, odd and large objects, loose and packed, ${backend}`, () => {
    const lines = Buffer.from('0123456789abcdef0123456789abcdef01234567 blob 5\nhello\n'.repeat(30_000));
    const { path } = repository(`sizes-${backend}`, [
      Buffer.alloc(0),
      Buffer.from('\n'),
      Buffer.from([0, 10, 13, 10, 0xff]),
      lines, // looks like git's answers, and is larger than what is hashed in one piece
      Buffer.alloc(1 << 20, 1),
      Buffer.alloc((1 << 20) + 1, 2),
      ...Array.from({ length: 300 }, (_, i) => Buffer.from(`${i} `.repeat(1 + i * 7))),
    ]);
    for (const packed of [false, true]) {
      if (packed) git(path, ['repack', '-adq']);
      const { status, json, stderr } = verify(path, backend);
      equal(status, 0, stderr);
      deepEqual({ counts: json.counts, bytes: json.bytes }, countByGit(path));
      deepEqual(json.counts, { commit: 1, tree: 1, blob: 306, tag: 1 });
    }
  });

  test(`wrong, damaged and cut objects are all found, and the others still verified, ${backend}`, () => {
    const big = Buffer.alloc(3 << 20, 'big');
    const blobs = [...Array.from({ length: 40 }, (_, i) => Buffer.from(`blob number ${i}`)), big];
    const { path, ids, loose } = repository(`damaged-${backend}`, blobs);
    chmodSync(loose(ids[3]), 0o644);
    copyFileSync(loose(ids[4]), loose(ids[3])); // another object under this name
    overwrite(loose(ids[8]), deflateSync(Buffer.from('blob 13\0Blob number 8'))); // one bit of the content
    overwrite(loose(ids[12]), 'no zlib stream');
    overwrite(loose(ids[20]), deflateSync(Buffer.from(`blob 200000\0${'x'.repeat(200000)}`)).subarray(0, 120));
    const file = readFileSync(loose(ids[40]));
    overwrite(loose(ids[40]), file.subarray(0, file.length - 100));

    const { status, json } = verify(path, backend);
    equal(status, 1);
    const found = Object.fromEntries(json.problems.map(({ id, kind }) => [id, kind]));
    deepEqual(found, {
      [ids[3]]: 'mismatch',
      [ids[8]]: 'mismatch',
      [ids[12]]: 'unreadable',
      [ids[20]]: 'unreadable',
      [ids[40]]: 'unreadable',
    });
    equal(json.problems.find(({ id }) => id === ids[3]).computed, ids[4]);
    equal(json.objects, 41 + 3 - 3);
    equal(json.listed, 41 + 3);
    match(verify(path, backend, []).stdout, /found {7}0 attacks, 2 wrong ids, 3 unreadable/);
  });
}

test('git refuses nothing of the SHAttered files, for as blobs they are clean: the header moves their blocks', () => {
  const pdfs = ['shattered-1.pdf', 'shattered-2.pdf'].map((name) => attack(name).bytes);
  const { path, ids } = repository('shattered', pdfs);
  equal(new Set(ids).size, 2);
  const { status, json } = verify(path, 'native');
  equal(status, 0);
  deepEqual(json.problems, []);
});

test('an attack is reported, with exit code 3', () => {
  // Nobody can make an object of git that collides, so git's header is left out: real attacks, hashed by the real engine.
  const contents = (objects) => objects.map(({ content }) => content);
  const engine = {
    hashObjects: (objects, ...rest) => sha1Many(contents(objects), ...rest),
    createObjectHash: (_type, _size, options) => createHash('sha1', options),
  };
  const names = ['shattered-1-320', 'shattered-1.pdf', 'sha-mbles-2.bin'];
  const clean = Buffer.from('clean');
  const padding = Buffer.alloc(1 << 20); // makes the object one that is hashed piece by piece
  const messages = [
    clean,
    ...names.map((name) => Buffer.from(attack(name).bytes)),
    Buffer.concat([attack('shattered-2.pdf').bytes, padding]),
    clean,
  ];
  const ids = sha1Many(messages, 'hex', { mode: 'report' });
  const stream = Buffer.concat(
    messages.flatMap((content, i) => [Buffer.from(`${ids[i]} blob ${content.length}\n`), content, Buffer.from('\n')]),
  );
  for (const size of [stream.length, 65536, 4099, 61]) {
    const verifier = new Verifier({ engine });
    const parser = new BatchParser(verifier);
    for (let at = 0; at < stream.length; at += size) parser.push(stream.subarray(at, at + size));
    verifier.flush();
    equal(verifier.exitCode, 3);
    equal(verifier.objects, messages.length);
    ok(verifier.problems.every(({ kind }) => kind === 'attack'));
    const attacked = verifier.problems.map(({ id }) => id).sort();
    deepEqual(attacked, ids.slice(1, 5).sort());
    const shattered = verifier.problems.find(({ id }) => id === attack('shattered-1.pdf').digest);
    match(describe(shattered), /^attack {6}38762cf7\w+ blob: block at byte 256, II\(52,0\)$/);
  }
});

test('what is not an answer of git is refused', () => {
  const parser = () => new BatchParser({ object() {}, missing() {} });
  throws(() => parser().push(Buffer.from('0123 blob 5\nhello\n')), /is no header/);
  throws(() => parser().push(Buffer.from(`${'0'.repeat(40)} blob 5\nhello world`)), /no line end/);
});

test('memory does not grow with the objects', () => {
  const few = repository('few', [Buffer.from('small')]);
  const many = Array.from({ length: 80 }, (_, i) => Buffer.alloc(1 << 20, `${i} `));
  const large = repository('large', [Buffer.alloc(96 << 20, 'a'), ...many]);
  for (const backend of backends) {
    const before = verify(few.path, backend).json.peakMemory;
    const { json } = verify(large.path, backend);
    ok(json.bytes > 176 << 20);
    const grown = (json.peakMemory - before) / (1 << 20);
    ok(grown < 64, `${grown.toFixed()} MiB more for 176 MiB of objects, ${backend}`);
  }
});

test('wrong usage and other repositories: exit code 2', () => {
  const other = join(folder, 'sha256');
  execFileSync('git', ['init', '--quiet', '--object-format=sha256', other], { env: plain });
  equal(verify(other, 'native').status, 2);
  match(verify(other, 'native').stderr, /named by sha256, not by SHA-1/);
  equal(verify(join(folder, 'nowhere'), 'native').status, 2);
  equal(verify(project, 'native', ['--nonsense']).status, 2);
});

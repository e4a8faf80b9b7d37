// node tests/bench/run.mjs [--quick] [--only NAME,...] [--repo DIR] [--json FILE] [--list] [--brief]
//
// The JavaScript half of `cargo xtask bench`: this package and its peers, in one process and one run; then the same in
// Chromium. The other half is core/benches/.
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import isomorphicGit from 'isomorphic-git';
import { locate } from '../runners/installed.mjs';
import { chromium } from './chromium/run.mjs';
import { indexPack } from './indexpack.mjs';
import { awaits, calls, callsEach, contest, summary } from './measure.mjs';
import * as peers from './peers.mjs';
import { printSection } from './print.mjs';
import { asciiText, bytesOf, inWords, messagesOf, randomBytes } from './workload.mjs';

const { CREATE_HASH, HASH_WASM, ONE_SHOT, SHA1DC_WASM, mine, nodes, libraries, ours, peer, sha1dc, subtle, wasm } =
  peers;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    repo: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
    // node-sizes without libraries: how the other releases of Node are asked.
    brief: { type: 'boolean', default: false },
  },
});
const only = options.only.flatMap((names) => names.split(','));
const effort = options.quick ? { rounds: 9, milliseconds: 0.5 } : { rounds: 41, milliseconds: 2 };

const quantiles = JSON.parse(
  readFileSync(new URL('../../core/benches/data/git-object-sizes.json', import.meta.url), 'utf8'),
);

/** What a call costs, from nothing to 16 MiB: goal of this package is to be ahead at every size. */
async function* sizes() {
  const all = [0, 16, 64, 256, 1024, 4096, 16384, 65536, 1 << 18, 1 << 20, 1 << 24];
  for (const [kind, make] of [
    ['a Uint8Array', randomBytes],
    ['a string', asciiText],
  ]) {
    // prettier-ignore
    for (const size of options.quick ? all.filter((size) => size <= 1 << 20) : all) {
      const data = make(size);
      // The slowest peers say what they have to say in less.
      const slow = options.brief ? [] : size <= 1 << 20 ? libraries : libraries.slice(0, 1);
      const contestants = [...nodes, ...mine, ...slow].map(([name, facts, hash]) => calls(name, facts, hash, data));
      if (kind === 'a Uint8Array' && size <= 1 << 20 && !options.brief) contestants.push(awaits(...subtle, data));
      const rows = await contest(contestants, effort);
      const title = `${kind} of ${inWords(size)}`;
      yield summary({ name: 'node-sizes', title, messages: 1, bytes: size, bases: [CREATE_HASH, ONE_SHOT] }, rows);
    }
  }
}

/** The same in another release of Node. */
async function* sizesIn(name) {
  const { path, problem } = locate(name, { install: true });
  if (!path) {
    console.log(`${name}-sizes not measured: ${problem}`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-bench-'));
  try {
    const json = join(folder, 'figures.json');
    const words = [fileURLToPath(import.meta.url), '--only', 'node-sizes', '--brief', '--json', json];
    if (options.quick) words.push('--quick');
    const { status, stderr } = spawnSync(path, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    const { machine, sections } = JSON.parse(readFileSync(json, 'utf8'));
    for (const section of sections)
      yield { ...section, name: `${name}-sizes`, title: `${section.title}, Node ${machine.node}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Many messages with one call. */
async function* batches() {
  const small = quantiles.sizes.filter((size) => size <= 1024);
  const kinds = [
    ...[64, 256, 1024].map((size) => [`1000 messages of ${inWords(size)}`, Array(1000).fill(size)]),
    [`${small.length} messages, sizes as git.git's objects of up to 1 KiB`, small],
    // Every tenth: a sample should be short.
    ["100 messages, sizes as git.git's objects", quantiles.sizes.filter((_, i) => i % 10 === 5)],
  ];
  for (const [title, sizes] of kinds) {
    const messages = messagesOf(sizes);
    const contestants = [
      ...nodes.map(([name, facts, hash]) => callsEach(name, facts, hash, messages)),
      calls('sha1Many', ours, (all) => sha1dc.sha1Many(all), messages),
      callsEach('sha1', ours, (message) => sha1dc.sha1(message), messages),
      calls('sha1Many of sha1dc/wasm', ours, (all) => wasm.sha1Many(all), messages),
      callsEach(...libraries[0], messages),
    ];
    const rows = await contest(contestants, effort);
    const about = { messages: messages.length, bytes: bytesOf(messages), bases: [CREATE_HASH, ONE_SHOT, HASH_WASM] };
    yield summary({ name: 'node-batch', title, ...about }, rows);
  }
}

/** Git's objects: header and content. */
async function* objects() {
  const { createHash } = await import('node:crypto');
  const sizes = quantiles.sizes.filter((size) => size <= 1024);
  const contents = messagesOf(sizes);
  const blobs = contents.map((content) => ({ type: 'blob', content }));
  const byNode = ({ type, content }) =>
    createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
  const contestants = [
    callsEach(CREATE_HASH, peer, byNode, blobs),
    calls('hashObjects', ours, (all) => sha1dc.hashObjects(all), blobs),
    callsEach('hashObject', ours, ({ type, content }) => sha1dc.hashObject(type, content), blobs),
    calls('hashObjects of sha1dc/wasm', ours, (all) => wasm.hashObjects(all), blobs),
  ];
  const rows = await contest(contestants, effort);
  const title = `${blobs.length} git objects of up to 1 KiB, header included`;
  const about = { messages: blobs.length, bytes: bytesOf(contents), bases: [CREATE_HASH] };
  yield summary({ name: 'node-objects', title, ...about }, rows);
}

/** WebAssembly against WebAssembly. */
async function* inWasm() {
  const crate = peers.sha1dcInWasm();
  if (crate === null) console.log('node-wasm: without the crate sha1dc, whose module `cargo xtask bench` builds');
  for (const size of [1 << 20, 1 << 14]) {
    const data = randomBytes(size);
    const contestants = [
      libraries[0],
      ...(crate ? [crate] : []),
      ['sha1 of sha1dc/wasm', ours, (data) => wasm.sha1(data)],
    ];
    const rows = await contest(contestants.map(([name, facts, hash]) => calls(name, facts, hash, data)), effort); // prettier-ignore
    const about = {
      title: `one message of ${inWords(size)}`,
      messages: 1,
      bytes: size,
      bases: [HASH_WASM, SHA1DC_WASM],
    };
    yield summary({ name: 'node-wasm', ...about }, rows);
  }
  const messages = messagesOf(quantiles.sizes.filter((_, i) => i % 10 === 5));
  const contestants = [
    callsEach(...libraries[0], messages),
    ...(crate ? [callsEach(...crate, messages)] : []),
    callsEach('sha1 of sha1dc/wasm', ours, (message) => wasm.sha1(message), messages),
    calls('sha1Many of sha1dc/wasm', ours, (all) => wasm.sha1Many(all), messages),
  ];
  const title = "100 messages, sizes as git.git's objects";
  const about = { messages: messages.length, bytes: bytesOf(messages), bases: [HASH_WASM, SHA1DC_WASM] };
  yield summary({ name: 'node-wasm', title, ...about }, await contest(contestants, effort));
}

const SECTIONS = {
  'node-sizes': sizes,
  'node22-sizes': () => sizesIn('node22'),
  'node24-sizes': () => sizesIn('node24'),
  'node-batch': batches,
  'node-objects': objects,
  'node-wasm': inWasm,
  'node-indexpack': () => indexPack(options),
  'chromium-wasm': () => chromium('wasm', effort, { ...options, sizes: quantiles.sizes }),
  'chromium-indexpack': () => chromium('indexpack', effort, options),
};

if (options.list) {
  console.log(Object.keys(SECTIONS).join('\n'));
  process.exit(0);
}
const unknown = only.find(
  (name) => !name.startsWith('native') && !Object.keys(SECTIONS).some((known) => known.startsWith(name)),
);
if (unknown !== undefined) {
  console.error(`no section begins with ${unknown}; there are ${Object.keys(SECTIONS).join(', ')}`);
  process.exit(2);
}

const chosen = Object.entries(SECTIONS).filter(
  ([name]) => only.length === 0 || only.some((start) => name.startsWith(start)),
);
if (chosen.length > 0) {
  console.log(`\nJavaScript: Node ${process.versions.node}, OpenSSL ${process.versions.openssl}; one thread.`);
  console.log(`This: ${sha1dc.backend.name} (${sha1dc.backend.kind}), and ${wasm.backend.name}.`);
}
const sections = [];
for (const [, run] of chosen) {
  for await (const section of run()) {
    printSection(section);
    sections.push(section);
  }
}
if (options.json !== undefined) {
  const figures = {
    program: 'javascript',
    date: new Date().toISOString().slice(0, 10),
    quick: options.quick,
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      arch: process.arch,
      os: process.platform,
      node: process.versions.node,
      v8: process.versions.v8,
      openssl: process.versions.openssl,
      backend: sha1dc.backend.name,
      wasm: wasm.backend.name,
      'isomorphic-git': isomorphicGit.version(),
    },
    sections,
  };
  writeFileSync(options.json, JSON.stringify(figures, null, 2) + '\n');
}

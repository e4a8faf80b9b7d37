// In the page: `wasm` and `indexpack` are called from run.mjs and give sections.
import './buffer.mjs';
import * as git from 'isomorphic-git';
import { createSHA1 } from 'hash-wasm';
import * as sha1dc from 'sha1dc';
import { register, unregister } from 'sha1dc/register';
import { crateInWasm } from '../crate-in-wasm.mjs';
import { forNothing } from '../for-nothing.mjs';
import { calls, callsEach, contest, summary } from '../measure.mjs';
import { bytesOf, inWords, messagesOf, randomBytes } from '../workload.mjs';

const ours = { ours: true, detects: true };
const peer = { ours: false, detects: false };

const HASH_WASM = 'hash-wasm 4.13';
const SHA1DC_WASM = 'crate sha1dc 0.1.5 in wasm';

/** WebAssembly against WebAssembly. */
globalThis.wasm = async ({ effort, sizes }) => {
  unregister();
  const hashWasm = await createSHA1();
  const peers = [[HASH_WASM, peer, (data) => hashWasm.init().update(data).digest('hex')]];
  const answer = await fetch('peer.wasm');
  if (answer.ok) {
    const hash = crateInWasm(await WebAssembly.compile(await answer.arrayBuffer()));
    peers.push([SHA1DC_WASM, { ours: false, detects: true }, hash]);
  }
  // The clock of a page is coarse.
  const longer = { ...effort, milliseconds: 2 * effort.milliseconds };
  const bases = [HASH_WASM, SHA1DC_WASM];
  const sections = [];
  const run = async (title, messages, contestants) => {
    const about = { name: 'chromium-wasm', title: `${title}; ${sha1dc.backend.name}`, messages: messages.length };
    sections.push(summary({ ...about, bytes: bytesOf(messages), bases }, await contest(contestants, longer)));
  };
  for (const size of [1 << 20, 1 << 14]) {
    const data = randomBytes(size);
    const all = [...peers, ['sha1', ours, (data) => sha1dc.sha1(data)]];
    await run(`one message of ${inWords(size)}`, [data], all.map(([...words]) => calls(...words, data))); // prettier-ignore
  }
  const messages = messagesOf(sizes.filter((_, i) => i % 10 === 5));
  await run("100 messages, sizes as git.git's objects", messages, [
    ...peers.map(([...words]) => callsEach(...words, messages)),
    callsEach('sha1', ours, (message) => sha1dc.sha1(message), messages),
    calls('sha1Many', ours, (all) => sha1dc.sha1Many(all), messages),
  ]);
  return sections;
};

/** As much of a file system as indexPack uses, in memory. */
function memory(files) {
  const missing = (path) => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  const stat = async (path) => {
    if (!files.has(path)) throw missing(path);
    return { type: 'file', mode: 0o100644, size: files.get(path).length, isFile: () => true, isDirectory: () => false };
  };
  const readFile = async (path) => {
    if (!files.has(path)) throw missing(path);
    return files.get(path);
  };
  const nothing = async () => {};
  const writeFile = async (path, data) => void files.set(path, data);
  const promises = { readFile, writeFile, stat, lstat: stat, mkdir: nothing, rmdir: nothing, unlink: nothing };
  return { promises: { ...promises, readdir: async () => [], readlink: nothing, symlink: nothing, chmod: nothing } };
}

/** isomorphic-git's indexPack of a real pack: stock, and with `sha1dc/register`. */
globalThis.indexpack = async ({ quick, objects }) => {
  unregister();
  const bytes = new Uint8Array(await (await fetch('it.pack')).arrayBuffer());
  const files = new Map([['/it.pack', Buffer.from(bytes)]]);
  const fs = memory(files);
  const once = () => git.indexPack({ fs, dir: '/', gitdir: '/', filepath: 'it.pack', cache: {} });
  const rows = [
    { name: 'isomorphic-git', ...peer, samples: [], start() {}, stop() {} },
    { name: 'isomorphic-git, sha1dc/register', ...ours, samples: [], start: register, stop: unregister },
    { ...(await forNothing(once)), samples: [] },
  ];
  let index;
  // The first rounds warm up: most of an index is made by code that the engine compiles by and by.
  for (let round = -3; round < (quick ? 7 : 15); round++) {
    for (let turn = 0; turn < rows.length; turn++) {
      const { name, samples, start, stop } = rows[(round + 3 + turn) % rows.length];
      start();
      const from = performance.now();
      const { oids } = await once();
      const took = performance.now() - from;
      stop();
      const made = Buffer.from(files.get('/it.idx'));
      index ??= made;
      if (oids.length !== objects || !index.equals(made)) throw new Error(`${name} made another index`);
      if (round >= 0) samples.push(took);
    }
  }
  const about = {
    name: 'chromium-indexpack',
    title: `indexPack of a pack with ${objects} objects; ${sha1dc.backend.name}`,
  };
  return [summary({ ...about, messages: objects, bytes: bytes.length, bases: ['isomorphic-git'] }, rows)];
};

unregister();
globalThis.ready = true;

// What the server runtimes (Node, its worker threads, Deno, Bun) can tell the suites about themselves.
import * as crypto from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { Worker as NodeWorker } from 'node:worker_threads';

const RECEIVE =
  "const { parentPort } = require('node:worker_threads'); const receive = (fn) => parentPort.on('message', fn);";

export function runtimeOf() {
  if (globalThis.Deno) return { name: 'deno', version: globalThis.Deno.version.deno };
  if (globalThis.Bun) return { name: 'bun', version: globalThis.Bun.version };
  return { name: 'node', version: process.versions.node };
}

export async function makeContext({ implementation, entries, entry, expected }) {
  const runtime = runtimeOf();
  const node = runtime.name === 'node';
  const loaded = await import(entries.startsWith('file:') ? entries : pathToFileURL(entries).href);
  const { load, createRequire, url } = loaded.load ? loaded : loaded.default;
  const require = createRequire(url);
  const peer = implementation === 'node-crypto';
  let impl;
  let module;
  if (peer) impl = await import('./node-crypto.mjs');
  else {
    module = await load[entry]();
    impl = module;
  }
  const facts = {
    runtime: runtime.name,
    version: runtime.version,
    node,
    long: false,
    expected,
    nodeCryptoOnly: peer,
    buffers: true,
    files: true,
    load,
    require,
    defaultExport: typeof impl === 'function' ? impl : impl.default,
    entries: load,
    oracle: async (bytes) => crypto.createHash('sha1').update(bytes).digest('hex'),
    wasmBytes: async () => new Uint8Array(await readFile(require.resolve('sha1dc/sha1dc.wasm'))),
    foreign: node ? (source) => vm.runInNewContext(source) : undefined,
    worker: (source) => new NodeWorker(`${RECEIVE}\n${source}`, { eval: true }),
    packageFolder: peer
      ? undefined
      : fileURLToPath(new URL('.', pathToFileURL(require.resolve('sha1dc/package.json')))),
    entriesFile: entries,
  };
  if (node) {
    facts.nodeCrypto = crypto;
    facts.nodeError = (fn) => {
      try {
        fn();
      } catch (error) {
        return error;
      }
      return undefined;
    };
  }
  return { impl, facts };
}

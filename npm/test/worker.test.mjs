// `worker: true` of the browser's build: with a Worker that is one (a thread of Node's that speaks as a page's Worker does),
// with one that dies, with one that never answers, and where a policy forbids it.
import assert from 'node:assert/strict';
import { resolveObjectURL } from 'node:buffer';
import crypto from 'node:crypto';
import { after, test } from 'node:test';
import { Worker as Thread } from 'node:worker_threads';

const PRELUDE = `
  const { parentPort } = require('node:worker_threads');
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  globalThis.addEventListener = (_, listener) => parentPort.on('message', (data) => listener({ data }));
`;

/** Of all Workers that were made. */
const made = [];

class PageWorker {
  constructor(url) {
    if (PageWorker.forbidden) throw new DOMException('forbidden by policy', 'SecurityError');
    made.push(this);
    this.posted = [];
    this.ready = resolveObjectURL(url)
      .text()
      .then((source) => {
        if (this.terminated) return;
        this.thread = new Thread(PRELUDE + (PageWorker.deaf ? '' : source), { eval: true });
        this.thread.unref();
        this.thread.on('message', (data) => this.onmessage({ data }));
        this.thread.on('error', (error) => this.onerror({ message: error.message, preventDefault() {} }));
      });
  }
  postMessage(message, transfer) {
    this.posted.push(message.do);
    void this.ready.then(() => this.thread?.postMessage(message, transfer));
  }
  terminate() {
    this.terminated = true;
    void this.thread?.terminate();
  }
}

globalThis.Worker = PageWorker;
after(() => made.forEach((worker) => worker.terminate()));

/** The browser's build, new each time: it remembers whether Workers are to be had. */
let copies = 0;
const load = () => import(`../dist/web/index.js?copy=${copies++}`);
const sha1 = (data) => crypto.createHash('sha1').update(data).digest('hex');
const message = Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

test('long messages go to one Worker, short ones do not', async () => {
  const { sha1Async, sha1Stream } = await load();
  const before = made.length;
  assert.equal(await sha1Async('short', 'hex', { worker: true }), sha1('short'));
  assert.equal(made.length, before);
  assert.equal(await sha1Async(message, 'hex', { worker: true }), sha1(message));
  const text = 'é😀'.repeat(100_000);
  assert.equal(await sha1Async(text, 'hex', { worker: true }), sha1(text));
  assert.equal(await sha1Stream(new Blob([message]), 'base64', { worker: true }), Buffer.from(sha1(message), 'hex').toString('base64')); // prettier-ignore
  const lengths = [70_000, 600_000, 1_000_000, 524_288, 65_537];
  const digests = await Promise.all(lengths.map((n) => sha1Async(message.subarray(0, n), 'hex', { worker: true })));
  assert.deepEqual(digests, lengths.map((n) => sha1(message.subarray(0, n)))); // prettier-ignore
  assert.equal(made.length, before + 1);
  const { posted } = made.at(-1);
  assert.ok(posted.filter((what) => what === 'update').length >= 15, posted.join());
  assert.equal(posted.filter((what) => what === 'create').length, posted.filter((what) => what === 'finish').length);
});

test('without the option there is no Worker', async () => {
  const { sha1Async } = await load();
  const before = made.length;
  assert.equal(await sha1Async(message), sha1(message));
  assert.equal(made.length, before);
  await assert.rejects(sha1Async(message, 'hex', { worker: 1 }), { code: 'ERR_INVALID_ARG_TYPE' });
});

test('an attack is found there as here', async () => {
  const { sha1Async, CollisionError } = await load();
  const { readFileSync } = await import('node:fs');
  const { attacks } = JSON.parse(readFileSync(new URL('../../tests/vectors/attacks.json', import.meta.url), 'utf8'));
  const { base64 } = attacks.find(({ name }) => name === 'sha-mbles-1.bin');
  const attacked = new Uint8Array(400_000);
  attacked.set(Buffer.from(base64, 'base64'));
  const error = await sha1Async(attacked, 'hex', { worker: true }).catch((thrown) => thrown);
  assert.ok(error instanceof CollisionError);
  assert.equal(error.collisions[0].disturbanceVector, 'II(52,0)');
  assert.equal(error.digest, sha1(attacked));
});

test('an abort frees the hasher in the Worker', async () => {
  const { sha1Async } = await load();
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error('enough'));
  const options = { worker: true, signal: controller.signal, onProgress };
  await assert.rejects(sha1Async(message, 'hex', options), { message: 'enough' });
  assert.equal(made.at(-1).posted.at(-1), 'free');
});

test('a policy that forbids it: as without, and it is not tried again', async () => {
  const { sha1Async } = await load();
  PageWorker.forbidden = true;
  try {
    assert.equal(await sha1Async(message, 'hex', { worker: true }), sha1(message));
  } finally {
    PageWorker.forbidden = false;
  }
  const before = made.length;
  assert.equal(await sha1Async(message, 'hex', { worker: true }), sha1(message));
  assert.equal(made.length, before);
});

test('a Worker that dies takes its messages with it, and nothing else', async () => {
  const { sha1Async } = await load();
  await sha1Async(message, 'hex', { worker: true });
  const worker = made.at(-1);
  const broken = sha1Async(message, 'hex', { worker: true });
  worker.onerror({ message: 'out of memory', preventDefault() {} });
  await assert.rejects(broken, /the Worker failed: out of memory/);
  assert.equal(await sha1Async(message, 'hex', { worker: true }), sha1(message));
  assert.notEqual(made.at(-1), worker);
});

test('a Worker that never answers is given up', { timeout: 20_000 }, async () => {
  const { sha1Async } = await load();
  PageWorker.deaf = true;
  try {
    assert.equal(await sha1Async(message, 'hex', { worker: true }), sha1(message));
    assert.equal(made.at(-1).terminated, true);
  } finally {
    PageWorker.deaf = false;
  }
});

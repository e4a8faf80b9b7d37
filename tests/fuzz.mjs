#!/usr/bin/env node
// A fuzzer of the JavaScript API against a model that knows nothing of it.
//
//   node tests/fuzz.mjs [--seconds 30] [--seed N] [--rounds N] [--from DIR]
//
// Each round makes a message (random bytes, perhaps begun by a known attack), and hands it over in one of the many ways:
// cut at random, through copies, saved states, other kinds of views, text, batches, objects, streams. What it must give is
// known beforehand: the digest from node:crypto, the verdict from the vectors. A failure prints its seed and round; the
// same seed gives the same rounds. SHA1DC_BACKEND chooses the backend.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { deepEqual, equal, ok, rejects, throws } from './suite/lib/assert.mjs';
import { concat, Random, toHex } from './suite/lib/bytes.mjs';
import { attack } from './vectors/index.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() >>> 0) },
    rounds: { type: 'string', default: 'Infinity' },
    from: { type: 'string' },
  },
});

const require = createRequire(options.from ? pathToFileURL(resolve(options.from, 'x.js')) : import.meta.url);
const sha1dc = require('sha1dc');
const {
  CollisionError,
  createObjectHash,
  hashObjects,
  inspect,
  inspectMany,
  restoreHash,
  sha1,
  sha1Async,
  sha1Many,
  sha1Stream,
  twin,
} = sha1dc;

const seed = Number(options.seed) >>> 0;
const random = new Random(seed);
const MODES = ['detect', 'mitigate', 'report', 'plain'];

// Attacks that stay attacks whatever follows. What is fixed for all continuations: the collisions. The safe digest is not
// known to the model once something follows, so it is only compared between ways of asking.
const OPENINGS = ['shattered-1-320', 'shattered-2-320', 'sha-mbles-1.bin', 'sha-mbles-2.bin'].map(attack);

function makeMessage() {
  const tail = random.bytes(random.below(2 ** random.below(random.below(8) === 0 ? 19 : 13)));
  if (random.below(4) > 0) return { bytes: tail, collisions: [], reduced: [] };
  const opening = random.pick(OPENINGS);
  return {
    bytes: concat(opening.bytes, tail),
    collisions: opening.full.collisions,
    reduced: opening.reduced.collisions,
  };
}

const digestOf = (bytes) => createHash('sha1').update(bytes).digest('hex');

/** The same bytes as another kind of data. */
function dressed(bytes) {
  const kind = random.below(8);
  const offset = random.below(70);
  if (kind === 0) return bytes.slice().buffer;
  if (kind === 1) return Buffer.from(bytes);
  const memory =
    kind === 2 ? new SharedArrayBuffer(offset + bytes.length + 9) : new ArrayBuffer(offset + bytes.length + 9);
  new Uint8Array(memory).set(bytes, offset);
  if (kind === 3) return new DataView(memory, offset, bytes.length);
  if (kind === 4 && bytes.length % 4 === 0 && offset % 4 === 0)
    return new Float32Array(memory, offset, bytes.length / 4);
  if (kind === 5 && bytes.length % 8 === 0 && offset % 8 === 0)
    return new BigInt64Array(memory, offset, bytes.length / 8);
  if (kind === 6 && bytes.every((byte) => byte < 128)) return Buffer.from(bytes).toString('latin1');
  return new Uint8Array(memory, offset, bytes.length);
}

function pieces(bytes) {
  const cuts = random.cuts(bytes.length, random.between(1, 12));
  return cuts.slice(1).map((cut, i) => bytes.subarray(cuts[i], cut));
}

function settings() {
  return { mode: random.pick(MODES), reducedRounds: random.below(2) === 0, ubc: random.below(4) > 0 };
}

/** Asks `call` for a digest and judges the answer, or the error, by the model. */
function judge(message, { mode, reducedRounds }, digest, call) {
  const collisions = reducedRounds ? message.reduced : message.collisions;
  if (collisions.length === 0 || mode === 'plain' || mode === 'report') {
    equal(call(), digest);
    return;
  }
  if (mode === 'mitigate') {
    const safe = call();
    ok(safe !== digest && /^[0-9a-f]{40}$/.test(safe));
    equal(safe, inspect(message.bytes, { reducedRounds }).safeDigest);
    return;
  }
  const error = throws(call, { code: 'ERR_SHA1_COLLISION', digest });
  ok(error instanceof CollisionError);
  deepEqual([...error.collisions], collisions);
}

const ways = {
  'one call'(message, digest) {
    const option = settings();
    judge(message, option, digest, () => sha1(dressed(message.bytes), 'hex', option));
  },
  pieces(message, digest) {
    const option = settings();
    let hash = sha1dc.createHash('sha1', option);
    const bystanders = [];
    for (const piece of pieces(message.bytes)) {
      const what = random.below(10);
      if (what === 0) hash = hash.copy();
      else if (what === 1) hash = restoreHash(hash.save());
      else if (what === 2) bystanders.push(hash.copy().update('something else'));
      hash.update(dressed(piece));
    }
    judge(message, option, digest, () => hash.digest('hex'));
    if (option.mode !== 'plain')
      deepEqual([...hash.collisions], option.reducedRounds ? message.reduced : message.collisions);
    for (const bystander of bystanders) if (random.below(2)) ok(typeof bystander.collision === 'boolean');
  },
  inspect(message, digest) {
    const { reducedRounds, ubc } = settings();
    const collisions = reducedRounds ? message.reduced : message.collisions;
    const verdict = inspect(dressed(message.bytes), { reducedRounds, ubc });
    equal(verdict.digest, digest);
    equal(verdict.collision, collisions.length > 0);
    equal(verdict.safeDigest === digest, collisions.length === 0);
    deepEqual(verdict.collisions, collisions);
  },
  batch() {
    const batch = Array.from({ length: random.below(80) }, makeMessage);
    const digests = batch.map(({ bytes }) => digestOf(bytes));
    const attacked = batch.flatMap(({ collisions }, i) => (collisions.length > 0 ? [i] : []));
    const messages = batch.map(({ bytes }) => dressed(bytes));
    deepEqual(sha1Many(messages, 'hex', { mode: 'report' }), digests);
    deepEqual(
      inspectMany(messages).map(({ collisions }) => collisions),
      batch.map(({ collisions }) => collisions),
    );
    if (attacked.length === 0) equal(toHex(sha1Many(messages, 'buffer')), digests.join(''));
    else
      deepEqual(
        [...throws(() => sha1Many(messages), { code: 'ERR_SHA1_COLLISION', index: attacked[0] }).indexes],
        attacked,
      );
  },
  objects() {
    const objects = Array.from({ length: random.below(60) }, () => ({
      type: random.pick(['blob', 'tree', 'commit', 'tag']),
      content: makeMessage().bytes,
    }));
    const ids = objects.map(({ type, content }) =>
      digestOf(concat(Buffer.from(`${type} ${content.length}\0`), content)),
    );
    deepEqual(hashObjects(objects.map(({ type, content }) => ({ type, content: dressed(content) }))), ids);
    for (const [i, { type, content }] of objects.slice(0, 3).entries()) {
      const hash = createObjectHash(type, content.length);
      for (const piece of pieces(content)) hash.update(dressed(piece));
      equal(hash.digest('hex'), ids[i]);
    }
  },
  async asynchronous(message, digest) {
    const option = settings();
    const sources = [
      () => sha1Async(dressed(message.bytes), 'hex', option),
      () => sha1Stream(pieces(message.bytes).map(dressed), 'hex', option),
      () => sha1Stream(new Blob([message.bytes]), 'hex', option),
    ];
    const promise = random.pick(sources)();
    const collisions = option.reducedRounds ? message.reduced : message.collisions;
    if (option.mode === 'detect' && collisions.length > 0)
      await rejects(promise, { code: 'ERR_SHA1_COLLISION', digest });
    else if (option.mode === 'mitigate') equal(await promise, inspect(message.bytes, option).safeDigest);
    else equal(await promise, digest);
  },
  text() {
    const units = Array.from({ length: random.below(2 ** random.below(12)) }, () =>
      random.pick([random.below(128), random.below(256), random.below(65536), 0xd800 + random.below(2048)]),
    );
    const text = String.fromCharCode(...units);
    const digest = digestOf(Buffer.from(text, 'utf8'));
    equal(sha1(text), digest);
    const cut = random.below(text.length + 1);
    equal(
      sha1dc.createHash('sha1').update(text.slice(0, cut)).update(text.slice(cut)).digest('hex'),
      createHash('sha1').update(text.slice(0, cut)).update(text.slice(cut)).digest('hex'),
    );
    const encoding = random.pick(['hex', 'base64', 'base64url', 'latin1', 'ascii', 'utf16le', 'nope']);
    const outcome = (make) => {
      try {
        return make('sha1').update(text, encoding).digest('base64');
      } catch (error) {
        return `${error.code}: ${error.message}`;
      }
    };
    equal(outcome(sha1dc.createHash), outcome(createHash));
  },
  state(message) {
    const state = sha1dc.createHash('sha1', settings()).update(message.bytes).save();
    const damaged = state.slice(0, random.below(20) === 0 ? random.below(state.length) : undefined);
    for (let i = random.between(1, 4); i > 0 && damaged.length > 0; i--)
      damaged[random.below(damaged.length)] ^= 1 << random.below(8);
    if (toHex(damaged) !== toHex(state)) throws(() => restoreHash(damaged), { code: 'ERR_SHA1DC_STATE' });
  },
  twin(message) {
    const found = twin(dressed(message.bytes));
    const shattered = message.reduced.length === 2;
    equal(found !== null, shattered);
    if (found) equal(digestOf(found), digestOf(message.bytes));
  },
};

const names = Object.keys(ways);
const counts = new Map(names.map((name) => [name, 0]));
const end = Date.now() + Number(options.seconds) * 1000;
let round = 0;
let failure;
for (; round < Number(options.rounds) && Date.now() < end; round++) {
  const message = makeMessage();
  const name = random.pick(names);
  try {
    await ways[name](message, digestOf(message.bytes));
    counts.set(name, counts.get(name) + 1);
  } catch (error) {
    failure = `seed ${seed}, round ${round}, ${name}, ${message.bytes.length} bytes: ${error.stack}`;
    break;
  }
}
console.log(
  `${sha1dc.backend.name}, seed ${seed}: ${round} rounds: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`,
);
if (failure) console.log(`FAILED  ${failure}`);
console.log(`${round} passed, ${failure ? 1 : 0} failed`);
process.exitCode = failure || round === 0 ? 1 : 0;

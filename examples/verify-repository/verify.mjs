#!/usr/bin/env node
// Recomputes the id of every object of a git repository with SHA-1 that detects collision attacks.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import * as sha1dc from 'sha1dc';

import { gitOutput, readObjects } from './cat-file.mjs';

/** Objects are hashed together until they are so many bytes or so many. */
const BATCH_BYTES = 4 << 20;
const BATCH_COUNT = 4096;

/** Collects objects, hashes them in batches and keeps the books. `engine` is sha1dc, or in a test what stands in for it. */
export class Verifier {
  counts = { commit: 0, tree: 0, blob: 0, tag: 0 };
  bytes = 0;
  milliseconds = 0;
  /** Each `{ kind: 'attack' | 'mismatch' | 'unreadable', id, type?, computed?, collisions?, why? }`. */
  problems = [];
  #batch = [];
  #batchBytes = 0;
  #large;
  #engine;
  #onProblem;

  constructor({ engine = sha1dc, onProblem = () => {} } = {}) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  get objects() {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  object(id, type, content) {
    this.#batch.push({ id, type, content });
    this.#batchBytes += content.length;
    if (this.#batchBytes >= BATCH_BYTES || this.#batch.length >= BATCH_COUNT) this.flush();
  }

  start(id, type, size) {
    this.#large = { id, type, size, hash: this.#engine.createObjectHash(type, size, { mode: 'report' }) };
  }

  data(bytes) {
    this.#timed(() => this.#large.hash.update(bytes));
  }

  end() {
    const { id, type, size, hash } = this.#large;
    this.#large = undefined;
    const computed = this.#timed(() => hash.digest('hex'));
    this.#judge({ id, type, size, computed, collisions: hash.collisions });
  }

  missing(id, word) {
    this.#problem({ kind: 'unreadable', id, why: `git says '${word}'` });
  }

  abandon(id, why) {
    this.#large = undefined;
    this.#problem({ kind: 'unreadable', id, why });
  }

  /** Hashes what has been collected. */
  flush() {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    let attacked = [];
    let ids;
    this.#timed(() => {
      try {
        ids = this.#engine.hashObjects(batch);
      } catch (error) {
        if (error.code !== 'ERR_SHA1_COLLISION') throw error;
        attacked = error.indexes;
        ids = this.#engine.hashObjects(batch, 'hex', { mode: 'report' });
      }
    });
    batch.forEach(({ id, type, content }, i) => {
      let collisions = [];
      if (attacked.includes(i)) {
        const hash = this.#engine.createObjectHash(type, content.length, { mode: 'report' }).update(content);
        hash.digest();
        collisions = hash.collisions;
      }
      this.#judge({ id, type, size: content.length, computed: ids[i], collisions });
    });
  }

  #judge({ id, type, size, computed, collisions }) {
    this.counts[type]++;
    this.bytes += size;
    if (collisions.length > 0) this.#problem({ kind: 'attack', id, type, computed, collisions });
    if (computed !== id) this.#problem({ kind: 'mismatch', id, type, computed });
  }

  #problem(problem) {
    this.problems.push(problem);
    this.#onProblem(problem);
  }

  #timed(work) {
    const start = performance.now();
    const result = work();
    this.milliseconds += performance.now() - start;
    return result;
  }

  get exitCode() {
    if (this.problems.some(({ kind }) => kind === 'attack')) return 3;
    return this.problems.length > 0 ? 1 : 0;
  }
}

/** Verifies all objects of the repository at `path`. */
export async function verifyRepository(path, options) {
  const verifier = new Verifier(options);
  const start = performance.now();
  const listed = await readObjects(path, verifier);
  verifier.flush();
  return { verifier, listed, elapsed: performance.now() - start };
}

export function describe({ kind, id, type, computed, collisions, why }) {
  switch (kind) {
    case 'attack':
      return `attack      ${id} ${type}: ${collisions.map((at) => `block at byte ${at.offset}, ${at.disturbanceVector}`).join('; ')}`;
    case 'mismatch':
      return `mismatch    ${id} ${type}: its content is ${computed}`;
    default:
      return `unreadable  ${id}: ${why}`;
  }
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function summary(path, { verifier, listed, elapsed }) {
  const { counts, objects, bytes, milliseconds, problems } = verifier;
  const kinds = Object.entries(counts).map(([type, count]) => `${number.format(count)} ${type}s`);
  const count = (kind) => problems.filter((problem) => problem.kind === kind).length;
  const rate = (ms) => `${number.format(bytes / 1e3 / ms)} MB/s, ${number.format((objects / ms) * 1e3)} objects/s`;
  return [
    `repository  ${path}`,
    `objects     ${number.format(objects)} of ${number.format(listed)}: ${kinds.join(', ')}; ${number.format(bytes / 1e6)} MB`,
    `hashing     ${number.format(milliseconds)} ms (${rate(milliseconds)}) on ${sha1dc.backend.kind}, ${sha1dc.backend.name}`,
    `with git    ${number.format(elapsed)} ms (${rate(elapsed)})`,
    `found       ${count('attack')} attacks, ${count('mismatch')} wrong ids, ${count('unreadable')} unreadable`,
  ].join('\n');
}

async function main() {
  let options, path;
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
    if (positionals.length > 1) throw new Error('one repository at a time');
    options = values;
    path = positionals[0] ?? '.';
    const format = await gitOutput(path, ['rev-parse', '--show-object-format']);
    if (format !== 'sha1') throw new Error(`${path}: its objects are named by ${format}, not by SHA-1`);
  } catch (error) {
    console.error(`${error.message}\nusage: verify.mjs [--json] [PATH]`);
    return 2;
  }
  const result = await verifyRepository(path, {
    onProblem: (problem) => options.json || console.log(describe(problem)),
  });
  const { verifier, listed, elapsed } = result;
  if (options.json) {
    const { counts, objects, bytes, milliseconds, problems } = verifier;
    const { backend } = sha1dc;
    const peakMemory = process.resourceUsage().maxRSS * 1024;
    const answer = { path, backend, listed, objects, counts, bytes, milliseconds, elapsed, peakMemory, problems };
    console.log(JSON.stringify(answer, null, 1));
  } else console.log(summary(path, result));
  return verifier.exitCode;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

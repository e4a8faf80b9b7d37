// Reads objects out of a git repository: `git cat-file` run, fed, parsed, and started again when a damaged object kills it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Larger objects are handed on piece by piece. */
const LARGE = 1 << 20;
/** So many ids are on their way to git at most. Far more than the answers that git may hold back in its buffer. */
const WINDOW = 8192;
/** A damaged object costs a new git process; when so many have died, it is not the objects. */
const DEATHS = 1000;

/** Starts git on a repository. It must read what is there: no replacements, nothing fetched from elsewhere. */
export function git(path, args, stdin = 'ignore') {
  const child = spawn('git', ['-C', path, ...args], {
    stdio: [stdin, 'pipe', 'pipe'],
    env: { ...process.env, GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' },
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (complaints = (complaints + text).slice(-2000)));
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: -1, why: error.message }));
    child.on('close', (code, signal) =>
      resolve({ code: code ?? -1, why: complaints.trim().split('\n').at(-1) || `git ended with ${signal ?? code}` }),
    );
  });
  return { child, ended };
}

/** The output of a short git command, without its line end. */
export async function gitOutput(path, args) {
  const { child, ended } = git(path, args);
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) output += text;
  const { code, why } = await ended;
  if (code !== 0) throw new Error(why);
  return output.trimEnd();
}

/**
 * Parses what `git cat-file --batch` writes: `<id> <type> <size>`, a line feed, that many bytes of anything, a line feed; or
 * `<id> missing`. Calls `sink.object(id, type, content)` for each object, for a large one `sink.start(id, type, size)`,
 * `sink.data(bytes)` as often as it takes and `sink.end()`; and `sink.missing(id, word)`.
 */
export class BatchParser {
  #sink;
  #line = []; // pieces of a header that is not complete
  #object; // { id, type, size, left, content | undefined for a large one }
  #afterBody = false;

  constructor(sink) {
    this.#sink = sink;
  }

  push(chunk) {
    let at = 0;
    while (at < chunk.length) {
      if (this.#object) at = this.#body(chunk, at);
      else if (this.#afterBody) {
        if (chunk[at++] !== 0x0a) throw new Error('git cat-file: no line end after an object');
        this.#afterBody = false;
      } else at = this.#header(chunk, at);
    }
  }

  #header(chunk, at) {
    const end = chunk.indexOf(0x0a, at);
    this.#line.push(chunk.subarray(at, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    const line = Buffer.concat(this.#line).toString('latin1');
    this.#line = [];
    const [id, type, digits] = line.split(' ');
    if (digits === undefined) {
      this.#sink.missing(id, type);
      return end + 1;
    }
    const size = Number(digits);
    if (!/^[0-9a-f]{40}$/.test(id) || !Number.isSafeInteger(size)) {
      throw new Error(`git cat-file: '${line.slice(0, 100)}' is no header`);
    }
    if (size > LARGE) {
      this.#sink.start(id, type, size);
      this.#object = { id, type, size, left: size };
      return end + 1;
    }
    // Most objects lie in one chunk; they are not copied.
    if (chunk.length - end - 1 >= size) {
      this.#sink.object(id, type, chunk.subarray(end + 1, end + 1 + size));
      this.#afterBody = true;
      return end + 1 + size;
    }
    this.#object = { id, type, size, left: size, content: Buffer.allocUnsafe(size) };
    return end + 1;
  }

  #body(chunk, at) {
    const object = this.#object;
    const part = chunk.subarray(at, at + object.left);
    if (object.content) object.content.set(part, object.size - object.left);
    else this.#sink.data(part);
    object.left -= part.length;
    if (object.left === 0) {
      if (object.content) this.#sink.object(object.id, object.type, object.content);
      else this.#sink.end();
      this.#object = undefined;
      this.#afterBody = true;
    }
    return at + part.length;
  }
}

/** The ids of all objects, in the order of the packs: that is the order in which git reads fastest. */
async function* objectIds(path) {
  const list = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
  const { child, ended } = git(path, list);
  yield* createInterface({ input: child.stdout });
  const { code, why } = await ended;
  if (code !== 0) throw new Error(`the objects could not be listed: ${why}`);
}

/**
 * Reads all objects into `sink`, which is as {@link BatchParser} says and also has `abandon(id, why)` for an object on which git
 * gave up, perhaps after some of it was handed on. Gives the number of ids that git listed.
 */
export async function readObjects(path, sink) {
  const ids = objectIds(path);
  const waiting = []; // asked for and not answered, oldest first
  const answered = {
    object: (...args) => (waiting.shift(), sink.object(...args)),
    missing: (...args) => (waiting.shift(), sink.missing(...args)),
    start: (...args) => sink.start(...args),
    data: (...args) => sink.data(...args),
    end: () => (waiting.shift(), sink.end()),
  };
  let listed = 0;
  let allListed = false;
  let deaths = 0;
  try {
    while (!allListed || waiting.length > 0) {
      const { child, ended } = git(path, ['cat-file', '--batch', '--buffer'], 'pipe');
      let gone = false;
      let wake = () => {};
      child.stdin.on('error', () => {}); // that git is gone is told by how it ends
      child.stdin.on('close', () => ((gone = true), wake()));
      child.stdin.on('drain', () => wake());
      const full = () => child.stdin.writableNeedDrain || waiting.length > WINDOW;

      const feed = async () => {
        if (waiting.length > 0) child.stdin.write(`${waiting.join('\n')}\n`);
        while (!allListed && !gone) {
          const { value: id, done } = await ids.next();
          if (done) allListed = true;
          else {
            listed++;
            waiting.push(id);
            child.stdin.write(`${id}\n`);
            while (full() && !gone) await new Promise((resolve) => (wake = resolve));
          }
        }
        child.stdin.end();
      };
      const parse = async () => {
        const parser = new BatchParser(answered);
        for await (const chunk of child.stdout) {
          parser.push(chunk);
          wake();
        }
      };
      try {
        await Promise.all([feed(), parse()]);
      } finally {
        child.kill();
      }
      const { code, why } = await ended;
      if (code === 0 && waiting.length === 0) continue;
      if (waiting.length === 0 || ++deaths > DEATHS) throw new Error(`git cat-file: ${why}`);
      sink.abandon(waiting.shift(), why);
    }
  } finally {
    await ids.return();
  }
  return listed;
}

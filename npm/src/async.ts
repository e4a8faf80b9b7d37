// Messages that are hashed while other things go on.
import { encoded, outputEncoding } from './encoding.js';
import { engine as current } from './engine/current.js';
import { changedMeanwhile, wrongData, wrongType } from './errors.js';
import { byteLength, bytesOf, setBytes, slice } from './intrinsics.js';
import { EngineLane, type Lane } from './lane.js';
import { flagsOf } from './options.js';
import { settle, type Answer } from './report.js';
import { encodeInto, pieces } from './text.js';
import { platform } from '#platform';
import type { BinaryDigest, Data, Encoding, Options, Progress, TextEncoding } from './types.js';

/** Bytes that are hashed at a time: long against the way to another thread and back, short for a person who waits. */
export const PIECE = 512 * 1024;
/** A message up to this size is hashed at once: to hand it over would take longer. */
const AT_ONCE = 64 * 1024;
/** Milliseconds after which an engine without threads lets other work have its turn. */
const PATIENCE = 8;

export interface Settings {
  flags: number;
  output: Encoding;
  watch: Watch;
}

export function settings(encoding: unknown, options: (Options & Progress) | undefined): Settings {
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  return { output, flags: flagsOf(options), watch: new Watch(options) };
}

/** The caller's signal and progress. */
export class Watch {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: Progress['onProgress'];
  /** Whether the caller wants a Worker. */
  readonly worker: boolean;
  total: number | undefined;
  #done = 0;

  constructor(options: Progress | undefined) {
    const signal = options?.signal;
    const onProgress = options?.onProgress;
    const worker = options?.worker;
    if (signal !== undefined && !isSignal(signal)) {
      throw wrongType('options.signal', 'an instance of AbortSignal', signal);
    }
    if (onProgress !== undefined && typeof onProgress !== 'function') {
      throw wrongType('options.onProgress', 'of type function', onProgress);
    }
    if (worker !== undefined && typeof worker !== 'boolean') {
      throw wrongType('options.worker', 'of type boolean', worker);
    }
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.worker = worker ?? false;
  }

  check(): void {
    if (this.#signal?.aborted) throw this.#signal.reason;
  }

  /** So many bytes more are done. */
  progress(bytes: number): void {
    this.#done += bytes;
    this.#onProgress?.(this.#done, this.total);
    this.check();
  }

  /** The promise, or the signal's reason if that comes first. */
  race<T>(promise: PromiseLike<T> | T): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return Promise.resolve(promise);
    return new Promise<T>((resolve, reject) => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is the caller's
      const abort = () => reject(signal.reason);
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      Promise.resolve(promise)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort));
    });
  }
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;
}

/** Buffers that wait for the next asynchronous hash: as many as two of them use. */
const spare: Uint8Array[] = [];

function takeBuffer(size: number): Uint8Array {
  return (size === PIECE ? spare.pop() : undefined) ?? platform.allocate(size);
}

function giveBuffer(buffer: Uint8Array): void {
  if (buffer.length === PIECE && spare.length < 4) spare.push(buffer);
}

/**
 * A message that is hashed while other things go on. What it is given is copied before anyone else can change it, so digest
 * and verdict are of the same bytes.
 *
 * With threads: a buffer is filled here while another is hashed there. Without: everything happens here, with pauses.
 */
export class Feeder {
  readonly #lane: Lane;
  readonly #threaded: boolean;
  readonly #watch: Watch;
  /** The first buffer is small, for most messages are. */
  #capacity = AT_ONCE;
  #filling: Uint8Array | undefined;
  #filled = 0;
  #hashing: Promise<Uint8Array> | undefined;
  #since = Date.now();
  #over = false;

  constructor(lane: Lane, threaded: boolean, watch: Watch) {
    this.#lane = lane;
    this.#threaded = threaded;
    this.#watch = watch;
  }

  #buffer(): Uint8Array {
    return (this.#filling ??= takeBuffer(this.#capacity));
  }

  async add(message: string | Uint8Array): Promise<void> {
    if (typeof message === 'string') {
      for (const piece of pieces(message, Math.floor(AT_ONCE / 3))) {
        if (this.#filled + 3 * piece.length > this.#capacity) await this.#hash();
        const at = this.#filled;
        const written = encodeInto(piece, at === 0 ? this.#buffer() : this.#buffer().subarray(at));
        this.#filled += written;
        this.#watch.progress(written);
      }
      return;
    }
    const length = byteLength(message);
    for (let at = 0; at < length;) {
      // The caller may have run since: a buffer that is gone must not pass for a shorter message.
      if (byteLength(message) < length) throw changedMeanwhile();
      const piece = slice(message, at, Math.min(length, at + this.#capacity - this.#filled));
      setBytes(this.#buffer(), piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === this.#capacity) await this.#hash();
      this.#watch.progress(piece.length);
    }
  }

  /** Adds what `fill` puts into the buffer that it is given, until it puts nothing; about `expected` bytes. */
  async addFrom(fill: (buffer: Uint8Array) => Promise<number>, expected: number): Promise<void> {
    this.#capacity = Math.min(PIECE, Math.max(expected, 4096));
    for (;;) {
      const length = await fill(this.#buffer());
      if (length === 0) return;
      this.#filled = length;
      await this.#hash();
      this.#watch.progress(length);
    }
  }

  /** Hashes what has been filled; returns when there is a buffer to go on with. */
  async #hash(): Promise<void> {
    const length = this.#filled;
    const buffer = this.#filling;
    if (buffer === undefined || length === 0) return;
    this.#filled = 0;
    await this.#settle();
    const now = this.#lane.updateNow !== undefined && (!this.#threaded || length <= AT_ONCE);
    if (now) this.#lane.updateNow!(buffer, length);
    const grown = length === this.#capacity && length < PIECE;
    // There is more than a small buffer's worth.
    if (grown) this.#capacity = PIECE;
    if (grown || !now) this.#filling = undefined;
    if (!now) this.#hashing = this.#lane.update(buffer, length);
    else if (!this.#threaded) await this.#pause();
  }

  /** Lets other work have its turn, when it is time. */
  async #pause(): Promise<void> {
    if (Date.now() - this.#since < PATIENCE) return;
    await platform.pause();
    this.#watch.check();
    this.#since = Date.now();
  }

  /** Waits for the other thread. */
  async #settle(): Promise<void> {
    if (this.#hashing === undefined) return;
    const buffer = await this.#hashing;
    this.#hashing = undefined;
    giveBuffer(buffer);
  }

  async end(): Promise<Answer> {
    await this.#hash();
    await this.#settle();
    this.#watch.check();
    this.#over = true;
    return this.#lane.finish();
  }

  /** Lets everything go, whatever happened. */
  async close(): Promise<void> {
    // A thread may still read the buffer and use the hasher.
    await this.#settle().catch(() => {});
    if (this.#filling !== undefined) giveBuffer(this.#filling);
    this.#filling = this.#hashing = undefined;
    if (!this.#over) this.#lane.free();
  }
}

/** Feeds a message by `feed`, and gives its digest as the settings say. */
export async function feeding(
  { flags, output, watch }: Settings,
  feed: (feeder: Feeder) => Promise<void>,
): Promise<string | BinaryDigest> {
  watch.check();
  const worker = watch.worker ? await platform.offload?.(current, flags) : undefined;
  const lane = worker ?? new EngineLane(current, flags);
  const feeder = new Feeder(lane, worker !== undefined || current.updateAsync !== undefined, watch);
  let answer: Answer;
  try {
    await feed(feeder);
    answer = await feeder.end();
  } finally {
    await feeder.close();
  }
  return encoded(settle(answer, flags), output);
}

/** Text or bytes, or the error that it is neither. */
function messageOf(data: unknown, name: string): string | Uint8Array {
  if (typeof data === 'string') return data;
  const bytes = bytesOf(data);
  if (bytes === undefined) throw wrongData(name, data);
  return bytes;
}

const smallEnough = (message: string | Uint8Array) =>
  (typeof message === 'string' ? 3 * message.length : byteLength(message)) <= AT_ONCE;

function hashAtOnce(message: string | Uint8Array, { flags, output }: Settings): string | BinaryDigest {
  const answer = typeof message === 'string' ? current.hashText(message, flags) : current.hash(message, flags)!;
  return encoded(settle(answer, flags), output);
}

/**
 * Hashes a message off the main thread where the platform can: on threads of the native module in Node; with `worker: true` in
 * a Worker of the page; else in short pieces, with pauses.
 *
 * The data is copied piece by piece while it is hashed. Leave it alone until the promise settles: should it change, digest
 * and verdict still are of the same bytes, but which these are is open. It may not be detached or shrunk.
 *
 * @example
 * await sha1Async(bytes, 'hex', { signal: AbortSignal.timeout(1000) });
 */
export function sha1Async(data: Data, encoding?: TextEncoding, options?: Options & Progress): Promise<string>;
export function sha1Async(data: Data, encoding: 'buffer', options?: Options & Progress): Promise<BinaryDigest>;
export function sha1Async(
  data: Data,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest>;
export async function sha1Async(
  data: Data,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest> {
  const given = settings(encoding, options);
  const { watch } = given;
  const message = messageOf(data, 'data');
  watch.check();
  if (typeof message !== 'string') watch.total = byteLength(message);
  if (smallEnough(message)) {
    const digest = hashAtOnce(message, given);
    if (typeof message !== 'string') watch.progress(byteLength(message));
    return digest;
  }
  return feeding(given, (feeder) => feeder.add(message));
}

/** What {@link sha1Stream} reads from. */
export type Source = Blob | ReadableStream | AsyncIterable<Data> | Iterable<Data>;

interface Reader {
  next(): Promise<{ done?: boolean; value?: unknown }>;
  /** Tells the source that no more will be read, and why. */
  cancel(reason: unknown): unknown;
  /** The source has ended by itself. */
  release(): void;
}

function readerOf(source: unknown, watch: Watch): Reader {
  if (typeof source !== 'object' || source === null || bytesOf(source) !== undefined) throw notASource(source);
  if (typeof Blob !== 'undefined' && source instanceof Blob) {
    watch.total = source.size;
    return readerOfStream(source.stream());
  }
  if (typeof ReadableStream !== 'undefined' && source instanceof ReadableStream) {
    return readerOfStream(source as ReadableStream<unknown>);
  }
  // A Node stream is an async iterable too, and is destroyed when its iterator is told to return.
  const asynchronous = (source as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator];
  const synchronous = asynchronous ?? (source as Partial<Iterable<unknown>>)[Symbol.iterator];
  if (typeof synchronous !== 'function') throw notASource(source);
  const iterator = Reflect.apply(synchronous, source, []) as AsyncIterator<unknown> | Iterator<unknown>;
  return {
    next: async () => iterator.next(),
    cancel: () => iterator.return?.(),
    release: () => {},
  };
}

/** Not awaited: a source that gives nothing may never answer. Nor does it matter whether it could. */
function cancel(reader: Reader, error: unknown): void {
  try {
    void Promise.resolve(reader.cancel(error)).catch(() => {});
  } catch {
    // The source's own error; the first one counts.
  }
}

function notASource(source: unknown): Error {
  return wrongType('source', 'an instance of Blob, ReadableStream, AsyncIterable, or Iterable', source);
}

function readerOfStream(stream: ReadableStream<unknown>): Reader {
  const reader = stream.getReader();
  return {
    next: () => reader.read(),
    cancel: async (reason) => {
      await reader.cancel(reason);
      reader.releaseLock();
    },
    release: () => reader.releaseLock(),
  };
}

/**
 * Hashes what a source gives, piece by piece: a Blob or File, a stream of the web or of Node, any iterable of text and bytes.
 * Memory stays constant. When the promise rejects, the source is cancelled or closed.
 *
 * @example
 * await sha1Stream(file, 'hex', { onProgress: (done, total) => (bar.value = done / total) });
 * await sha1Stream((await fetch(url)).body);
 */
export function sha1Stream(source: Source, encoding?: TextEncoding, options?: Options & Progress): Promise<string>;
export function sha1Stream(source: Source, encoding: 'buffer', options?: Options & Progress): Promise<BinaryDigest>;
export function sha1Stream(
  source: Source,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest>;
export async function sha1Stream(
  source: Source,
  encoding?: Encoding,
  options?: Options & Progress,
): Promise<string | BinaryDigest> {
  const given = settings(encoding, options);
  const { watch } = given;
  watch.check();
  const reader = readerOf(source, watch);
  return feeding(given, async (feeder) => {
    try {
      for (;;) {
        const { done, value } = await watch.race(reader.next());
        if (done) break;
        await feeder.add(messageOf(value, 'chunk'));
      }
    } catch (error) {
      cancel(reader, error);
      throw error;
    }
    reader.release();
  });
}

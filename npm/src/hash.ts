// The Hash object.
import { engine } from './engine/current.js';
import { decodeText, encoded, outputEncoding } from './encoding.js';
import { cannotChange, finalized, updateFailed, wrongData, wrongSize, wrongType, wrongValue } from './errors.js';
import { LONGEST_HEADER, checkSize, checkType, writeHeader } from './git.js';
import { byteLength, bytesOf, setBytes, take } from './intrinsics.js';
import { adopt, type Live } from './live.js';
import { MODE_MASK, PLAIN, flagsOf } from './options.js';
import { LIMIT, hasRoom, poolFor, type Pool } from './pool.js';
import { reportOf, settleReport, type Answer, type Report } from './report.js';
import { framed, refused, unframed } from './state.js';
import { platform } from '#platform';
import type {
  BinaryDigest,
  Bytes,
  CollisionBlock,
  Data,
  Encoding,
  GitType,
  Hash as PublicHash,
  Options,
} from './types.js';

/** Code units up to which text is kept as it is until more comes: most messages are one string. */
const KEPT_TEXT = 16 * 1024;

const SHORT_NAMES = new Set(['sha1', 'sha-1', 'rsa-sha1']);

export function checkAlgorithm(algorithm: unknown): void {
  if (algorithm === 'sha1') return;
  if (typeof algorithm !== 'string') throw wrongType('algorithm', 'of type string', algorithm);
  if (!SHORT_NAMES.has(algorithm.toLowerCase())) {
    throw wrongValue("argument 'algorithm'", algorithm, ['sha1', 'SHA-1', 'RSA-SHA1']);
  }
}

/**
 * What a hasher has found does not depend on what is to happen then, so a copy may have another mode; but what it has not
 * looked for cannot be found any more.
 */
function checkChange(from: number, to: number): void {
  if ((from & MODE_MASK) === PLAIN && (to & MODE_MASK) !== PLAIN) throw cannotChange('mode');
  if ((from & ~MODE_MASK) !== (to & ~MODE_MASK)) throw cannotChange('reducedRounds or ubc');
}

/** Given out again and again, and each time anew: what the caller does with it is the caller's. */
function copyOf(blocks: readonly CollisionBlock[]): CollisionBlock[] {
  return blocks.map(({ offset, disturbanceVector, reducedRound, partner }) => ({
    offset,
    disturbanceVector,
    reducedRound,
    partner: partner.slice(),
  }));
}

/**
 * A message on its way. Its bytes are in one of four places, and go only downwards: nowhere; in a short string; in a pool;
 * in a hasher of the engine.
 */
export class Hash {
  /** The mode in which this hash answers. That of its hasher may be another, after `copy` with options. */
  #flags: number;
  #text = '';
  #pool: Pool | undefined;
  #start = 0;
  #end = 0;
  /** A copy may refer to the bytes in the pool too. */
  #shared = false;
  #live: Live | undefined;
  /** Of an object of git: how many bytes it must have, header included, and how many of them the header has. */
  #size = -1;
  #header = 0;
  #ended = false;
  /** What came out at the end: the digest, or the report of an attack. */
  #digest: string | undefined;
  #report: Report | undefined;

  /** What `digest` gives when it is not told. */
  #output: Encoding = 'buffer';

  /** The options of the stream that this is in Node. */
  declare streamOptions?: object;

  constructor(flags: number) {
    this.#flags = flags;
  }

  static create(options: Options | null | undefined, output: Encoding = 'buffer'): Hash {
    const hash = new Hash(flagsOf(options));
    hash.#output = output;
    if (options != null) hash.streamOptions = options;
    return hash;
  }

  static createForObject(type: GitType, size: number, options: Options | undefined): Hash {
    const header = new Uint8Array(LONGEST_HEADER);
    const start = writeHeader(checkType(type), checkSize(size), header, LONGEST_HEADER);
    const hash = Hash.create(options);
    hash.#append(header.subarray(start));
    hash.#header = LONGEST_HEADER - start;
    hash.#size = hash.#header + size;
    return hash;
  }

  static restore(state: Uint8Array): Hash {
    const given = typeof state === 'string' ? undefined : bytesOf(state);
    if (given === undefined) throw wrongType('state', 'an instance of Uint8Array', state);
    const own = new Uint8Array(byteLength(given));
    if (own.length > 0) setBytes(own, given, 0);
    const { state: inner, frame } = unframed(own);
    const slot = engine.restore(inner);
    if (slot < 0) throw refused(slot);
    const hash = new Hash(frame?.flags ?? engine.optionsOf(slot));
    hash.#live = adopt(engine, slot);
    if (frame) {
      hash.#size = frame.size;
      hash.#header = frame.header;
    }
    return hash;
  }

  update(data: Data, inputEncoding?: unknown): this {
    if (this.#ended) throw finalized();
    if (this.#digest !== undefined || this.#report !== undefined) throw updateFailed();
    if (typeof data === 'string') {
      if (inputEncoding === undefined || !decodeText(data, inputEncoding, (bytes) => this.#append(bytes))) {
        this.#appendText(data);
      }
      return this;
    }
    const bytes = bytesOf(data);
    if (bytes === undefined) throw wrongData('data', data);
    this.#append(bytes);
    return this;
  }

  /** Where `count` more bytes go in the pool; `undefined` when the message has become too long for it. */
  #room(count: number): Pool | undefined {
    let pool = this.#pool;
    if (pool !== undefined && pool.used === this.#end && hasRoom(pool, count)) return pool;
    const length = this.#end - this.#start;
    if (length + count > LIMIT) return undefined;
    // Somebody else has the bytes behind ours, or there are none: move.
    pool = poolFor(length + count);
    const start = pool.used;
    if (length > 0) setBytes(pool.bytes, this.#pool!.bytes.subarray(this.#start, this.#end), start);
    this.#shared = false;
    this.#pool = pool;
    this.#start = start;
    this.#end = pool.used = start + length;
    return pool;
  }

  #append(bytes: Uint8Array): void {
    if (this.#text !== '') this.#poolText();
    if (this.#live === undefined) {
      const length = byteLength(bytes);
      if (length === 0) return;
      if (this.#end - this.#start + length <= LIMIT) {
        const pool = this.#room(length);
        if (pool !== undefined) {
          take(pool.bytes, bytes, length, this.#end);
          this.#end = pool.used = this.#end + length;
          return;
        }
      }
      if (this.#end === this.#start) {
        this.#live = adopt(engine, engine.createWith(this.#flags, bytes));
        return;
      }
    }
    this.#awake().update(bytes);
  }

  #appendText(text: string): void {
    if (this.#live === undefined && text.length <= KEPT_TEXT) {
      if (this.#text === '' && this.#end === this.#start) {
        this.#text = text;
        return;
      }
      if (this.#text !== '') this.#poolText();
      if (text === '' || (this.#live === undefined && this.#writeText(text))) return;
    } else if (this.#text !== '') {
      this.#poolText();
    }
    this.#awake().updateText(text);
  }

  #writeText(text: string): boolean {
    const pool = this.#room(3 * text.length);
    if (pool === undefined) return false;
    this.#end = pool.used = this.#end + platform.write(text, pool.bytes, this.#end);
    return true;
  }

  /** Moves the text kept to the pool, where nothing is yet; or, when it is too long for that, into a hasher. */
  #poolText(): void {
    const text = this.#text;
    this.#text = '';
    if (!this.#writeText(text)) this.#awake().updateText(text);
  }

  /** The hasher of the engine, fed with all there is. */
  #awake(): Live {
    if (this.#text !== '') this.#poolText();
    if (this.#live !== undefined) return this.#live;
    const live = (this.#live = adopt(engine, engine.create(this.#flags)));
    if (this.#end > this.#start) live.updateRange(this.#pool!.bytes, this.#start, this.#end);
    this.#leavePool();
    this.#start = this.#end = 0;
    return live;
  }

  #leavePool(): void {
    if (this.#pool !== undefined && !this.#shared) this.#pool.release(this.#start, this.#end);
    this.#pool = undefined;
  }

  #length(): number {
    if (this.#text !== '') this.#poolText();
    return this.#live === undefined ? this.#end - this.#start : this.#live.bytesHashed();
  }

  /** Ends the message, if it has not ended. */
  #finish(): void {
    if (this.#digest !== undefined || this.#report !== undefined) return;
    if (this.#size >= 0 && this.#length() !== this.#size) {
      throw wrongSize(this.#size - this.#header, this.#length() - this.#header);
    }
    let answer: Answer;
    if (this.#live !== undefined) {
      answer = this.#live.finish();
    } else if (this.#end > this.#start) {
      answer = engine.hashRange(this.#pool!.bytes, this.#start, this.#end, this.#flags);
    } else {
      answer = engine.hashText(this.#text, this.#flags);
    }
    if (typeof answer === 'string') this.#digest = answer;
    else this.#report = reportOf(answer);
    this.#text = '';
    this.#leavePool();
    this.#live = undefined;
  }

  digest(encoding?: Encoding | null): string | BinaryDigest {
    if (this.#ended) throw finalized();
    const output = encoding == null || (encoding as string) === '' ? this.#output : outputEncoding(encoding);
    this.#finish();
    this.#ended = true;
    return encoded(this.#digest ?? settleReport(this.#report!, this.#flags), output);
  }

  copy(options?: Options): Hash {
    if (this.#ended || this.#digest !== undefined || this.#report !== undefined) throw finalized();
    const flags = flagsOf(options, this.#flags);
    if (this.#live !== undefined) checkChange(this.#live.options(), flags);
    const copy = new Hash(flags);
    copy.#text = this.#text;
    // Both refer to the same bytes. Whoever appends first gets the bytes behind them, and the other moves.
    this.#shared = copy.#shared = this.#pool !== undefined;
    copy.#pool = this.#pool;
    copy.#start = this.#start;
    copy.#end = this.#end;
    copy.#size = this.#size;
    copy.#header = this.#header;
    copy.#output = this.#output;
    if (this.#live !== undefined) copy.#live = this.#live.copy();
    const stream = options ?? this.streamOptions;
    if (stream !== undefined) copy.streamOptions = stream;
    return copy;
  }

  get collision(): boolean {
    return this.#found().length > 0;
  }

  get collisions(): readonly CollisionBlock[] {
    return copyOf(this.#found());
  }

  #found(): readonly CollisionBlock[] {
    if (this.#report !== undefined) return this.#report.collisions;
    if (this.#digest !== undefined || (this.#flags & MODE_MASK) === PLAIN) return [];
    // No block is complete: nothing can have been found.
    if (this.#live === undefined && this.#length() < 64) return [];
    const report = this.#awake().reportSoFar();
    return report === undefined ? [] : reportOf(report).collisions;
  }

  save(): Bytes {
    if (this.#ended || this.#digest !== undefined || this.#report !== undefined) throw finalized();
    const live = this.#awake();
    const state = live.save();
    if (this.#size < 0 && live.options() === this.#flags) return state;
    return framed(state, { flags: this.#flags, size: this.#size, header: this.#header });
  }

  /** @internal What a Transform calls. */
  _transform(chunk: Data, encoding: unknown, done: (error?: unknown) => void): void {
    try {
      // As Node's from 24 on: what comes after the digest is not dropped in silence.
      if (this.#ended) throw updateFailed();
      this.update(chunk, encoding);
    } catch (error) {
      done(error);
      return;
    }
    done();
  }

  /** @internal What a Transform calls at the end. */
  _flush(this: Hash & { push(chunk: Uint8Array): void }, done: (error?: unknown) => void): void {
    try {
      this.#finish();
      this.push(encoded(this.#digest ?? settleReport(this.#report!, this.#flags), 'buffer') as Uint8Array);
    } catch (error) {
      done(error);
      return;
    }
    done();
  }
}

platform.equip(Hash);

/**
 * Starts a message that comes bit by bit, as `crypto.createHash` does.
 *
 * @param algorithm `'sha1'` by one of the names that Node knows it by.
 * @example
 * createHash('sha1').update('hello ').update('world').digest('hex'); // '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'
 * @example
 * // In Node, a stream:
 * await pipeline(createReadStream('file'), createHash('sha1').setEncoding('hex'), process.stdout);
 */
export function createHash(algorithm = 'sha1', options?: Options): PublicHash {
  checkAlgorithm(algorithm);
  return Hash.create(options) as unknown as PublicHash;
}

/**
 * The hash that `save` saved, here or elsewhere: the state is the same for all runtimes and backends.
 *
 * Whoever can change a state can make it any other: keep it as safe as the message.
 *
 * @example
 * const state = createHash('sha1').update('hello ').save();
 * restoreHash(state).update('world').digest('hex');
 */
export function restoreHash(state: Uint8Array): PublicHash {
  return Hash.restore(state) as unknown as PublicHash;
}

/**
 * Starts an object of git whose content comes bit by bit. Its size must be known, since it is hashed first; `digest` throws
 * when another number of bytes has been given.
 *
 * @example
 * createObjectHash('blob', 12).update('hello world\n').digest('hex'); // '3b18e512dba79e4c8300dd08aeb37f8e728b8dad'
 */
export function createObjectHash(type: GitType, size: number, options?: Options): PublicHash {
  return Hash.createForObject(type, size, options) as unknown as PublicHash;
}

// One message in one call.
import { encoded, outputEncoding } from './encoding.js';
import { engine } from './engine/current.js';
import { wrongData } from './errors.js';
import { LONGEST_HEADER, checkType, writeHeader } from './git.js';
import { Hash, checkAlgorithm } from './hash.js';
import { byteLength, bytesOf, copyOf, slice, take } from './intrinsics.js';
import { DETECT, PLAIN, REDUCED_ROUNDS, flagsOf, inspecting } from './options.js';
import { LIMIT, poolFor } from './pool.js';
import { inspectionOf, settle, type Answer } from './report.js';
import { lengthOfText } from './text.js';
import { platform } from '#platform';
import type {
  BinaryDigest,
  Bytes,
  Data,
  Encoding,
  GitType,
  Hash as PublicHash,
  Inspection,
  Options,
  TextEncoding,
} from './types.js';

/** What the engine says of any data. */
function answerOf(data: unknown, flags: number, name: string): Answer {
  if (typeof data === 'string') return engine.hashText(data, flags);
  const answer = engine.hash(data, flags);
  if (answer !== undefined) return answer;
  const bytes = bytesOf(data);
  if (bytes === undefined) throw wrongData(name, data);
  return engine.hash(bytes, flags)!;
}

/**
 * Hashes a message.
 *
 * @returns The digest as hex, or as `encoding` says.
 * @throws {@link CollisionError} when the message holds a collision attack, unless `options.mode` says otherwise.
 * @example
 * sha1('hello world'); // '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'
 * sha1(new Uint8Array(3), 'buffer'); // 20 bytes
 * sha1(suspicious, 'hex', { mode: 'mitigate' }); // never throws
 */
export function sha1(data: Data, encoding?: TextEncoding, options?: Options): string;
export function sha1(data: Data, encoding: 'buffer', options?: Options): BinaryDigest;
export function sha1(data: Data, encoding?: Encoding, options?: Options): string | BinaryDigest;
/** Without arguments, as the packages `git-sha1` has it: a {@link Hash} whose `digest()` gives hex. */
export function sha1(): PublicHash;
export function sha1(data?: Data, encoding?: Encoding, options?: Options): string | BinaryDigest | PublicHash {
  // The one path that is worth a few lines: text or bytes, hex, no attack.
  if (encoding === undefined && options === undefined) {
    const answer = typeof data === 'string' ? engine.hashText(data, DETECT) : engine.hash(data, DETECT);
    if (typeof answer === 'string') return answer;
  }
  if (data === undefined && arguments.length === 0) return Hash.create(undefined, 'hex') as unknown as PublicHash;
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  const flags = flagsOf(options);
  return encoded(settle(answerOf(data, flags, 'data'), flags), output);
}

/**
 * Hashes a message, with the arguments of `crypto.hash`.
 *
 * @example
 * hash('sha1', 'hello world'); // '2aae6c35c94fcfb415dbe95f408b9ce91ee846ed'
 */
export function hash(algorithm: string, data: Data, encoding?: TextEncoding, options?: Options): string;
export function hash(algorithm: string, data: Data, encoding: 'buffer', options?: Options): BinaryDigest;
export function hash(algorithm: string, data: Data, encoding?: Encoding, options?: Options): string | BinaryDigest;
export function hash(algorithm: string, data: Data, encoding?: Encoding, options?: Options): string | BinaryDigest {
  checkAlgorithm(algorithm);
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  const flags = flagsOf(options);
  const answer = answerOf(data, flags, 'input');
  return encoded(typeof answer === 'string' ? answer : settle(answer, flags), output);
}

/**
 * Looks at a message: both digests, and every attacked block. Never throws because of an attack.
 *
 * @example
 * const { collision, safeDigest, collisions } = inspect(bytes);
 * if (collision) console.warn(`attacked at byte ${collisions[0].offset}, by ${collisions[0].disturbanceVector}`);
 */
export function inspect(data: Data, options?: Options): Inspection {
  return inspectionOf(answerOf(data, inspecting(flagsOf(options)), 'data'));
}

/**
 * The other message of an identical-prefix collision, made from this one; `null` when there is none.
 *
 * The attacked blocks are replaced by their partners, and the result counts only if it has the same SHA-1. The messages of a
 * chosen-prefix collision differ before the attacked blocks too, so from one the other cannot be told.
 *
 * @example
 * const other = twin(await readFile('shattered-1.pdf')); // shattered-2.pdf, byte for byte
 */
export function twin(data: Data): Bytes | null {
  if (typeof data === 'string') {
    if (typeof engine.hashText(data, DETECT) === 'string') return null;
    const own = new Uint8Array(3 * data.length);
    return twinOf(own.slice(0, platform.write(data, platform.view(own.buffer), 0)));
  }
  const bytes = bytesOf(data);
  if (bytes === undefined) throw wrongData('data', data);
  if (typeof engine.hash(bytes, DETECT) === 'string') return null;
  // A copy is needed now anyway, and shared memory may have changed since.
  const own = copyOf(bytes, 0, byteLength(bytes));
  return twinOf(own);
}

/** Makes the twin of a message that nobody else has. */
function twinOf(message: Bytes): Bytes | null {
  const { digest, collision, collisions } = inspectionOf(engine.hash(message, DETECT)!);
  if (!collision) return null;
  // Of the blocks that prepare the last one, some show only with fewer rounds; but what shows so need not be one of them.
  const all = inspectionOf(engine.hash(message, DETECT | REDUCED_ROUNDS)!).collisions;
  for (const blocks of [all, collisions]) {
    const other = message.slice();
    // A block with padding in it is not the message's own to change.
    if (blocks.some(({ offset }) => offset + 64 > other.length)) continue;
    for (const { offset, partner } of blocks) other.set(partner, offset);
    if (engine.hash(other, PLAIN) === digest) return other;
  }
  return null;
}

/**
 * The name that git gives to an object: the SHA-1 of a header and the content.
 *
 * @example
 * hashObject('blob', 'hello world\n'); // '3b18e512dba79e4c8300dd08aeb37f8e728b8dad'
 */
export function hashObject(type: GitType, content: Data, encoding?: TextEncoding, options?: Options): string;
export function hashObject(type: GitType, content: Data, encoding: 'buffer', options?: Options): BinaryDigest;
export function hashObject(type: GitType, content: Data, encoding?: Encoding, options?: Options): string | BinaryDigest;
export function hashObject(
  type: GitType,
  content: Data,
  encoding?: Encoding,
  options?: Options,
): string | BinaryDigest {
  checkType(type);
  const output = encoding === undefined ? 'hex' : outputEncoding(encoding);
  const flags = flagsOf(options);
  return encoded(settle(objectAnswer(type, content, flags), flags), output);
}

function objectAnswer(type: GitType, content: unknown, flags: number): Answer {
  const text = typeof content === 'string';
  const bytes = text ? undefined : bytesOf(content);
  if (!text && bytes === undefined) throw wrongData('content', content);
  const most = text ? 3 * content.length : byteLength(bytes);

  if (most <= LIMIT) {
    // Header and content side by side in memory that nobody else uses meanwhile.
    const pool = poolFor(LONGEST_HEADER + most);
    const at = pool.used + LONGEST_HEADER;
    const length = text ? platform.write(content, pool.bytes, at) : most;
    if (!text) take(pool.bytes, bytes!, length, at);
    return engine.hashRange(pool.bytes, writeHeader(type, length, pool.bytes, at), at + length, flags);
  }
  const size = text ? lengthOfText(content) : most;
  const header = platform.allocate(LONGEST_HEADER);
  const slot = engine.create(flags);
  engine.updateRange(slot, header, writeHeader(type, size, header, LONGEST_HEADER), LONGEST_HEADER);
  if (text) engine.updateText(slot, content);
  // So many bytes and no more, whatever a growable buffer has by now: the header says so.
  else engine.update(slot, slice(bytes!, 0, size));
  return engine.finish(slot);
}

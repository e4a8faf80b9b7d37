// node:crypto's createHash and hash with detection.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { createHash as createOurs, sha1 } from '#index';
import { remember, type Active } from './registry.js';

type OneShot = (algorithm: string, data: unknown, options?: unknown) => unknown;
type Create = (algorithm: string, options?: crypto.HashOptions) => unknown;
type OurHash = ReturnType<typeof createOurs>;

/** What is changed, seen as what it is changed to. */
const target = crypto as unknown as { createHash: Create; hash?: OneShot; Hash: { prototype: object } };

/** The names that OpenSSL has for SHA-1, in lower case. */
const NAMES = new Set([
  'sha1',
  'sha-1',
  'rsa-sha1',
  'rsa-sha1-2',
  'sha1withrsaencryption',
  'sha1withrsa',
  'ssl3-sha1',
  '1.3.14.3.2.26',
]);

const isSha1 = (algorithm: unknown) => typeof algorithm === 'string' && NAMES.has(algorithm.toLowerCase());

/** What node:crypto takes for data; this package takes more. */
const acceptable = (data: unknown) => typeof data === 'string' || ArrayBuffer.isView(data);

/** Options for the stream that a hash is. None of them are ours: whoever calls node:crypto does not mean them. */
function streamOptions(options: unknown): object | undefined {
  if (options == null || typeof options !== 'object') return undefined;
  return { ...options, mode: undefined, reducedRounds: undefined, ubc: undefined };
}

/**
 * Makes hashes of ours that are as Node's where this package does otherwise: they take no bare ArrayBuffer, and an unknown
 * encoding of the digest means a Buffer.
 */
function hashMaker(active: Active): Create {
  const ours = Object.getPrototypeOf(createOurs('sha1')) as OurHash & {
    _flush(done: (error?: unknown) => void): void;
  };
  const told = (error: unknown) => remember(active, error);

  const methods = {
    update(this: OurHash, data: unknown, encoding?: string): unknown {
      if (acceptable(data)) return Reflect.apply(ours.update, this, [data, encoding]);
      // An error, unless the digest has been called; but then an update with nothing is one.
      Reflect.apply(ours.update, this, ['']);
      return crypto.createHash('sha256').update(data as string);
    },
    digest(this: OurHash, encoding?: unknown): unknown {
      // eslint-disable-next-line @typescript-eslint/no-base-to-string -- as Node does
      const name = encoding == null ? '' : String(encoding);
      try {
        const bytes = Reflect.apply(ours.digest, this, ['buffer']) as Buffer;
        return Buffer.isEncoding(name) ? bytes.toString(name) : bytes;
      } catch (error) {
        throw told(error);
      }
    },
    copy(this: OurHash, options?: object): unknown {
      return adopt(Reflect.apply(ours.copy, this, [streamOptions(options)]) as OurHash);
    },
    _flush(this: OurHash, done: (error?: unknown) => void): void {
      Reflect.apply(ours._flush, this, [(error?: unknown) => done(told(error))]);
    },
  };
  const prototype = Object.create(ours) as object;
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
  Object.defineProperty(prototype, 'constructor', { value: target.Hash, configurable: true, writable: true });
  const adopt = (hash: OurHash) => Object.setPrototypeOf(hash, prototype) as unknown;
  return (_algorithm, options) => adopt(createOurs('sha1', streamOptions(options)));
}

/** The encoding that the third argument of crypto.hash means; `undefined` when Node is to say what is wrong with it. */
function encodingOf(options: unknown, hash: OneShot): BufferEncoding | 'buffer' | undefined {
  let given = options;
  if (typeof options === 'object' && options !== null) {
    // Some Nodes take an object; whether this one does, it says best itself.
    try {
      hash('sha1', '', options);
    } catch {
      return undefined;
    }
    given = (options as { outputEncoding?: unknown }).outputEncoding;
  }
  if (given === undefined) return 'hex';
  if (typeof given !== 'string') return undefined;
  const name = given.toLowerCase();
  if (name === 'buffer') return 'buffer';
  return Buffer.isEncoding(name) ? name : undefined;
}

/**
 * Makes our hashes instances of crypto.Hash while the shims are in place: that class is a Transform too, and ours hides all
 * that it has of its own.
 */
function joinClass(): () => void {
  const prototype = Object.getPrototypeOf(createOurs('sha1')) as object;
  const before = Object.getPrototypeOf(prototype) as object;
  const theirs = target.Hash.prototype;
  if (!Object.prototype.isPrototypeOf.call(before, theirs)) return () => {};
  Object.setPrototypeOf(prototype, theirs);
  return () => void Object.setPrototypeOf(prototype, before);
}

/** Puts the shims in place; gives what takes them away. */
export function shimCrypto(active: Active): () => void {
  const { createHash, hash } = target;
  const create = hashMaker(active);

  // Functions, as the originals are: createHash can be called with `new`.
  const shims = {
    createHash: function (algorithm: string, options?: crypto.HashOptions): unknown {
      // An output of another length is an error of OpenSSL's, and is left to it.
      const length = options?.outputLength;
      if (isSha1(algorithm) && (length === undefined || length === 20)) return create(algorithm, options);
      return createHash(algorithm, options);
    },
    hash: function (algorithm: string, data: unknown, options?: unknown): unknown {
      const encoding = isSha1(algorithm) && acceptable(data) ? encodingOf(options, hash!) : undefined;
      // eslint-disable-next-line prefer-rest-params -- as many arguments as were given
      if (encoding === undefined) return Reflect.apply(hash!, target, arguments) as unknown;
      try {
        const bytes = sha1(data as string, 'buffer') as Buffer;
        return encoding === 'buffer' ? bytes : bytes.toString(encoding);
      } catch (error) {
        throw remember(active, error);
      }
    },
  };
  const asOriginal = (shim: object, original: { length: number }) =>
    Object.defineProperty(shim, 'length', { value: original.length, configurable: true });

  asOriginal(shims.createHash, createHash);
  target.createHash = shims.createHash;
  if (hash) {
    asOriginal(shims.hash, hash);
    target.hash = shims.hash;
  }
  const leaveClass = joinClass();
  syncBuiltinESMExports();
  return () => {
    // Only what still is ours: who has wrapped it since would be lost.
    if (target.createHash === shims.createHash) target.createHash = createHash;
    if (hash && target.hash === shims.hash) target.hash = hash;
    leaveClass();
    syncBuiltinESMExports();
  };
}

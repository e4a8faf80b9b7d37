// SubtleCrypto.prototype.digest with detection.
import { sha1, sha1Async } from '#index';
import { writeDigest } from '../hex.js';
import { byteLength, bytesOf, isShared } from '../intrinsics.js';
import { remember, type Active } from './registry.js';

/** Longer messages are copied, as the platform does, and hashed while others go on. */
const AT_ONCE = 256 * 1024;

type Digest = SubtleCrypto['digest'];

/** Whether the platform would read the algorithm as SHA-1. Whatever is odd about it is left to the platform. */
function isSha1(algorithm: unknown): boolean {
  const name = typeof algorithm === 'object' && algorithm !== null ? (algorithm as { name?: unknown }).name : algorithm;
  return typeof name === 'string' && name.length === 5 && name.toUpperCase() === 'SHA-1';
}

/** The bytes of what the platform accepts: a view or an ArrayBuffer, not shared. */
function acceptable(data: unknown): Uint8Array | undefined {
  const bytes = typeof data === 'object' && data !== null ? bytesOf(data) : undefined;
  return bytes === undefined || isShared(bytes) ? undefined : bytes;
}

function bufferOf(hex: string): ArrayBuffer {
  const digest = new Uint8Array(20);
  writeDigest(hex, digest, 0);
  return digest.buffer;
}

/** A promise that has its answer already, unless the message is long: who awaits it goes on with the next microtask. */
function digestOf(active: Active, bytes: Uint8Array): Promise<ArrayBuffer> {
  const refuse = (error: unknown): never => {
    throw remember(active, error);
  };
  if (byteLength(bytes) > AT_ONCE) return sha1Async(new Uint8Array(bytes)).then(bufferOf, refuse);
  try {
    return Promise.resolve(bufferOf(sha1(bytes)));
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- it is one
    return Promise.reject(remember(active, error));
  }
}

/** Puts the shim in place; gives what takes it away. */
export function shimSubtle(active: Active): () => void {
  if (typeof SubtleCrypto === 'undefined') return () => {};
  const { prototype } = SubtleCrypto;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'digest');
  if (typeof descriptor?.value !== 'function') return () => {};
  const original = descriptor.value as Digest;
  // A method, for that is no constructor, as the original is none.
  const { digest } = {
    digest(this: unknown, algorithm: AlgorithmIdentifier, data: BufferSource): Promise<ArrayBuffer> {
      if (arguments.length >= 2 && this instanceof SubtleCrypto && isSha1(algorithm)) {
        const bytes = acceptable(data);
        if (bytes !== undefined) return digestOf(active, bytes);
      }
      // eslint-disable-next-line prefer-rest-params -- as many arguments as were given
      return Reflect.apply(original, this, arguments) as Promise<ArrayBuffer>;
    },
  };
  Object.defineProperty(prototype, 'digest', { ...descriptor, value: digest });
  return () => {
    // Only if it still is ours: who has wrapped it since would be lost.
    if (prototype.digest === digest) Object.defineProperty(prototype, 'digest', descriptor);
  };
}

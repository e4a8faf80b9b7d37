// Errors, in Node's words where Node has them.
import type { CollisionBlock } from './types.js';

type Constructor = new (message: string) => Error;

function coded(Class: Constructor, code: string, message: string): Error {
  const error = new Class(message);
  Object.defineProperty(error, 'code', { value: code, enumerable: true, configurable: true, writable: true });
  return error;
}

/** How Node's messages call a value of the wrong type. */
function received(value: unknown): string {
  if (value == null) return `Received ${String(value)}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') {
    const { constructor } = value as { constructor?: { name?: unknown } };
    const name = constructor?.name;
    if (typeof name === 'string' && name !== '') return `Received an instance of ${name}`;
    return `Received ${inspectBriefly(value)}`;
  }
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects have been told apart above
  const text = typeof value === 'bigint' ? `${value}n` : typeof value === 'string' ? quoted(value) : String(value);
  return `Received type ${typeof value} (${text})`;
}

function inspectBriefly(value: object): string {
  const keys = Object.keys(value);
  const inside = keys.length === 0 ? '{}' : '[Object]';
  return Object.getPrototypeOf(value) === null ? `[Object: null prototype] ${inside}` : inside;
}

function quoted(text: string): string {
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}

export function wrongType(name: string, expected: string, value: unknown): Error {
  const word = name.includes('.') ? 'property' : 'argument';
  return coded(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" ${word} must be ${expected}. ${received(value)}`);
}

/** Node's words for `data`; that this package takes a bare ArrayBuffer too does not change what a wrong value is. */
export function wrongData(name: string, value: unknown): Error {
  return wrongType(name, 'of type string or an instance of Buffer, TypedArray, or DataView', value);
}

export function wrongValue(what: string, value: string, choices?: readonly string[]): Error {
  const hint = choices ? `; it must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` : '';
  return coded(TypeError, 'ERR_INVALID_ARG_VALUE', `The ${what} is invalid. Received '${value}'${hint}`);
}

export function wrongHexLength(length: number, encoding: string): Error {
  return coded(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The argument 'encoding' is invalid for data of length ${length}. Received '${encoding}'`,
  );
}

export function outOfRange(name: string, range: string, value: unknown): Error {
  return coded(
    RangeError,
    'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ${String(value)}`,
  );
}

export const cannotChange = (what: string) =>
  coded(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `A copy cannot change ${what}: part of the message has been hashed without`,
  );

export const finalized = () => coded(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
export const updateFailed = () => coded(Error, 'ERR_CRYPTO_HASH_UPDATE_FAILED', 'Hash update failed');
export const wrongState = (why: string) => coded(Error, 'ERR_SHA1DC_STATE', why);
export const wrongSize = (expected: number, fed: number) =>
  coded(Error, 'ERR_SHA1DC_SIZE', `The object was said to have ${expected} bytes, but ${fed} were given`);
export const changedMeanwhile = () =>
  coded(Error, 'ERR_SHA1DC_CHANGED', 'The data was detached or shrunk while it was hashed');

/**
 * The message holds a collision attack: another message with the same SHA-1 was made together with it. Thrown in the mode
 * `'detect'`.
 *
 * @example
 * try {
 *   sha1(bytes);
 * } catch (error) {
 *   if (!(error instanceof CollisionError)) throw error;
 *   console.error(error.message, error.collisions);
 * }
 */
export class CollisionError extends Error {
  /** Always this. An own property, so that it is printed as the codes of Node's errors are. */
  readonly code = 'ERR_SHA1_COLLISION';
  /** The standard digest, as hex: no name for the message, since another has it too. */
  readonly digest: string;
  /** The attacked blocks, by offset. */
  readonly collisions: CollisionBlock[];
  /** In a batch: the place of the first attacked message, which `digest` and `collisions` are of. */
  declare readonly index?: number;
  /** In a batch: the places of all attacked messages. */
  declare readonly indexes?: number[];

  /** @internal */
  constructor(digest: string, collisions: CollisionBlock[], indexes?: number[]) {
    super(`SHA-1 appears to be part of a collision attack: ${digest}`);
    this.digest = digest;
    this.collisions = collisions;
    if (indexes) {
      this.index = indexes[0]!;
      this.indexes = indexes;
    }
  }
}
// Not by assignment, which fails where the intrinsics are frozen.
Object.defineProperty(CollisionError.prototype, 'name', {
  value: 'CollisionError',
  configurable: true,
  writable: true,
});

// Git's objects: the digest is of a header and the content.
import { outOfRange, wrongType, wrongValue } from './errors.js';
import type { GitType } from './types.js';

const TYPES: readonly GitType[] = ['blob', 'tree', 'commit', 'tag'];

/** The longest header: 'commit', a space, the sixteen digits of 2^53 - 1, and the zero. */
export const LONGEST_HEADER = 24;

export function checkType(type: unknown, name = 'type'): GitType {
  if (TYPES.includes(type as GitType)) return type as GitType;
  if (typeof type !== 'string') throw wrongType(name, 'of type string', type);
  throw wrongValue(`argument '${name}'`, type, TYPES);
}

export function checkSize(size: unknown): number {
  if (typeof size !== 'number') throw wrongType('size', 'of type number', size);
  if (!Number.isSafeInteger(size) || size < 0) throw outOfRange('size', 'an integer >= 0 && <= 2 ** 53 - 1', size);
  return size;
}

/** Writes an object's header so that it ends before `end`. Gives its start. */
export function writeHeader(type: GitType, size: number, into: Uint8Array, end: number): number {
  let at = end - 1;
  into[at] = 0;
  do {
    const rest = Math.floor(size / 10);
    into[--at] = 0x30 + (size - rest * 10);
    size = rest;
  } while (size > 0);
  into[--at] = 0x20;
  for (let i = type.length - 1; i >= 0; i--) into[--at] = type.charCodeAt(i);
  return at;
}

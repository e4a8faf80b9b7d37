// `sha1dc/sha1.js`: a class in the shape of sha.js's, for code that imports `sha.js/sha1.js` and is made to get this package
// instead.
import { createHash } from '#index';
import type { Hash } from '../types.js';

/** A class without arguments, each object of which is a {@link Hash}. */
interface Sha1Class {
  new (): Hash;
  (): Hash;
  readonly prototype: Hash;
}

/**
 * A message that comes bit by bit, as `new Sha1()` of sha.js.
 *
 * @example
 * import Sha1 from 'sha1dc/sha1.js';
 * new Sha1().update(bytes).digest('hex');
 */
const Sha1 = function Sha1() {
  const hash = createHash('sha1');
  // Of a class that extends this one, an object of that.
  return new.target === undefined || new.target === Sha1
    ? hash
    : (Object.setPrototypeOf(hash, new.target.prototype as object) as Hash);
} as unknown as Sha1Class;
Object.defineProperty(Sha1, 'prototype', { value: Object.getPrototypeOf(createHash('sha1')) });

export default Sha1;

// node:crypto in the shape of this package, as far as the two agree. Tests marked as Node's behaviour run against it too,
// which proves that they ask for what Node really does.
import * as crypto from 'node:crypto';

export const createHash = (algorithm) => crypto.createHash(algorithm);
export const hash =
  crypto.hash ??
  ((algorithm, data, encoding = 'hex') =>
    crypto
      .createHash(algorithm)
      .update(data)
      .digest(encoding === 'buffer' ? undefined : encoding));
export const sha1 = (data, encoding = 'hex') => crypto.createHash('sha1').update(data).digest(encoding);
export const backend = { kind: 'native', name: 'node:crypto' };
export default sha1;

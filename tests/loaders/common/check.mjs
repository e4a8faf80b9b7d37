// What every project here does with the package: a few answers that cannot be right by chance.
import { attack } from './attack.mjs';

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export async function check({ sha1, createHash, inspect, sha1Many, sha1Async, CollisionError, backend }) {
  const bytes = bytesOf(attack);
  let error;
  try {
    sha1(bytes);
  } catch (thrown) {
    error = thrown;
  }
  return {
    kind: backend.kind,
    name: backend.name,
    reason: backend.reason,
    abc: sha1('abc'),
    pieces: createHash('sha1').update('a').update(Uint8Array.of(98, 99)).digest('hex'),
    many: sha1Many(['abc', '']).join(' '),
    code: error?.code,
    instance: error instanceof CollisionError,
    safe: inspect(bytes).safeDigest,
    async: await sha1Async('abc'),
  };
}

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

export const expected = {
  abc: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  pieces: 'a9993e364706816aba3e25717850c26c9cd0d89d',
  many: 'a9993e364706816aba3e25717850c26c9cd0d89d da39a3ee5e6b4b0d3255bfef95601890afd80709',
  code: 'ERR_SHA1_COLLISION',
  instance: true,
  safe: '4f3d9be4a472c4dae83c6314aa6c36a064c1fd14',
  async: 'a9993e364706816aba3e25717850c26c9cd0d89d',
};

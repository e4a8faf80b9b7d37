// The known answers, decoded. See ../gen/ for where they come from.
import { fromBase64, fromHex, concat } from '../suite/lib/bytes.mjs';
import attackFile from './attacks.json' with { type: 'json' };
import gitFile from './git.json' with { type: 'json' };
import largeFile from './large.json' with { type: 'json' };
import lengthFile from './lengths.json' with { type: 'json' };
import nistFile from './nist.json' with { type: 'json' };
import shatteredFile from './shattered.json' with { type: 'json' };
import textFile from './text.json' with { type: 'json' };

const shattered1 = fromBase64(shatteredFile.base64);
const shattered2 = shattered1.slice();
for (const { offset, xor } of shatteredFile.difference)
  fromHex(xor).forEach((byte, i) => (shattered2[offset + i] ^= byte));

const bytesOf = new Map([
  ['shattered-1.pdf', shattered1],
  ['shattered-2.pdf', shattered2],
]);
for (const attack of attackFile.attacks) if (attack.base64) bytesOf.set(attack.name, fromBase64(attack.base64));
for (const attack of attackFile.attacks) {
  if (attack.prefixOf) bytesOf.set(attack.name, bytesOf.get(attack.prefixOf).slice(0, attack.length));
}

function decodeVerdict({ safeDigest, collisions }, digest) {
  return {
    digest,
    safeDigest,
    collision: collisions.length > 0,
    collisions: collisions.map((collision) => ({ ...collision, partner: fromHex(collision.partner) })),
  };
}

function decode(entry, bytes) {
  return {
    ...entry,
    bytes,
    full: decodeVerdict(entry.full, entry.digest),
    reduced: decodeVerdict(entry.reduced, entry.digest),
  };
}

/** Each `{ name, bytes, digest, other, twin, full, reduced }`; `full` and `reduced` have the shape of an Inspection. */
export const attacks = attackFile.attacks.map((attack) => decode(attack, bytesOf.get(attack.name)));

/** Attacks with something before or after them, or damaged: same shape. */
export const derived = attackFile.derived.map((entry) => {
  const base = bytesOf.get(entry.base).slice();
  if (entry.flip) base[entry.flip.at] ^= 1 << entry.flip.bit;
  return decode(entry, concat(fromHex(entry.before), base, fromHex(entry.after)));
});

export function attack(name) {
  return attacks.find((entry) => entry.name === name);
}

/** Short attack messages that are flagged by default: for batches and for tests that need many. */
export const flagged = attacks.filter((entry) => entry.full.collision && entry.bytes.length <= 640);

export const nist = nistFile;
export const lengths = lengthFile;
export const large = largeFile;

export const text = textFile.strings.map(({ pieces, bytes, digest }) => ({
  string: pieces
    .map(([utf16, count]) => utf16.replace(/..../g, (unit) => String.fromCharCode(parseInt(unit, 16))).repeat(count))
    .join(''),
  bytes,
  digest,
}));

export const gitObjects = gitFile.objects.map(({ type, id, base64 }) => ({ type, id, content: fromBase64(base64) }));

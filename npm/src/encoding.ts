// The names of encodings, and digests in each.
import { wrongHexLength, wrongType, wrongValue } from './errors.js';
import { writeDigest } from './hex.js';
import type { BinaryEncoding } from './platform.js';
import { platform } from '#platform';
import type { BinaryDigest, Encoding } from './types.js';

const OUTPUTS: readonly Encoding[] = ['hex', 'base64', 'base64url', 'latin1', 'binary', 'buffer'];

/** The encoding that is meant, in lower case. */
export function outputEncoding(encoding: unknown): Encoding {
  if (typeof encoding !== 'string') throw wrongType('encoding', 'of type string', encoding);
  const known = OUTPUTS.includes(encoding as Encoding) ? encoding : encoding.toLowerCase();
  if (!OUTPUTS.includes(known as Encoding)) throw wrongValue("argument 'encoding'", encoding, OUTPUTS);
  return known as Encoding;
}

/** A digest in hex as the encoding says. */
export function encoded(hex: string, encoding: Encoding): string | BinaryDigest {
  if (encoding === 'hex') return hex;
  const bytes = platform.result(20);
  writeDigest(hex, bytes, 0);
  switch (encoding) {
    case 'buffer':
      return bytes as BinaryDigest;
    case 'base64':
      return platform.base64(bytes);
    case 'base64url':
      return platform.base64(bytes).slice(0, 27).replaceAll('+', '-').replaceAll('/', '_');
    default:
      return String.fromCharCode(...bytes);
  }
}

/** By lower-case name; every other name means UTF-8, as in Node. */
const INPUTS = new Map<string, BinaryEncoding>([
  ['hex', 'hex'],
  ['base64', 'base64'],
  ['base64url', 'base64'],
  ['latin1', 'latin1'],
  ['binary', 'latin1'],
  ['ascii', 'latin1'],
  ['utf16le', 'utf16le'],
  ['utf-16le', 'utf16le'],
  ['ucs2', 'utf16le'],
  ['ucs-2', 'utf16le'],
]);

/** Pieces that keep pairs of hexadecimal digits together. */
const PIECE = 64 * 1024;

/**
 * Feeds text in another encoding than UTF-8 to `take`, piece by piece where that can be. Gives false, and feeds nothing,
 * when it is UTF-8 after all.
 */
export function decodeText(text: string, encoding: unknown, take: (bytes: Uint8Array) => void): boolean {
  if (typeof encoding !== 'string') return false;
  const known = INPUTS.get(encoding) ?? INPUTS.get(encoding.toLowerCase());
  if (known === undefined) return false;
  if (known === 'hex' && text.length % 2 !== 0) throw wrongHexLength(text.length, encoding);
  // Base64 cannot be cut without knowing what in it counts.
  const size = known === 'base64' ? Infinity : PIECE;
  for (let start = 0; start < text.length; start += size) {
    const piece = text.slice(start, start + size);
    const bytes = platform.decode(piece, known);
    take(bytes);
    // Where hexadecimal text stops to be hexadecimal, it ends.
    if (known === 'hex' && bytes.length < piece.length >> 1) break;
  }
  return true;
}

// Text in hexadecimal, base64, latin1 or UTF-16 as bytes, with Node's leniency. For platforms without Buffer.
import { HEX_VALUES } from './hex.js';
import type { BinaryEncoding } from './platform.js';

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64_VALUES = new Uint8Array(256).fill(255);
for (const alphabet of [`${CHARACTERS}+/`, `${CHARACTERS}-_`]) {
  for (let value = 0; value < 64; value++) BASE64_VALUES[alphabet.charCodeAt(value)] = value;
}

// Of a code unit above 255 the low byte counts, in hexadecimal and base64 alike: so it is in every Node.

/** Ends at the first pair that is not hexadecimal. */
function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const high = HEX_VALUES[text.charCodeAt(2 * i) & 255];
    const low = HEX_VALUES[text.charCodeAt(2 * i + 1) & 255];
    if ((high | low) > 15) return bytes.subarray(0, i);
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** Both alphabets at once; what belongs to neither is skipped, and `=` ends the text. */
export function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i) & 255;
    if (unit === 0x3d) break;
    const value = BASE64_VALUES[unit];
    if (value === 255) continue;
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[length++] = bits >> count;
    }
  }
  return bytes.subarray(0, length);
}

function fromUnits(text: string, size: 1 | 2): Uint8Array {
  const bytes = new Uint8Array(text.length * size);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[i * size] = unit;
    if (size === 2) bytes[i * size + 1] = unit >> 8;
  }
  return bytes;
}

export function decode(text: string, encoding: BinaryEncoding): Uint8Array {
  switch (encoding) {
    case 'hex':
      return fromHex(text);
    case 'base64':
      return fromBase64(text);
    case 'latin1':
      return fromUnits(text, 1);
    case 'utf16le':
      return fromUnits(text, 2);
  }
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const alphabet = `${CHARACTERS}+/`;
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const bits = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63];
    text += i + 1 < bytes.length ? alphabet[(bits >> 6) & 63] : '=';
    text += i + 2 < bytes.length ? alphabet[bits & 63] : '=';
  }
  return text;
}

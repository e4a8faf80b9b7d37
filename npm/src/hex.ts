// Digests as hex, which is how they come from the engines, and as bytes.

const DIGITS = '0123456789abcdef';
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => DIGITS[byte >> 4] + DIGITS[byte & 15]);

/** Twenty bytes from `at` on, as hex. */
export function hexOf(bytes: Uint8Array, at: number): string {
  let hex = '';
  for (let i = 0; i < 20; i++) hex += PAIRS[bytes[at + i]];
  return hex;
}

/** The value of each hexadecimal digit's code; 255 for what is none. */
export const HEX_VALUES = new Uint8Array(256).fill(255);
for (let value = 0; value < 16; value++) {
  HEX_VALUES[DIGITS.charCodeAt(value)] = value;
  HEX_VALUES[DIGITS.toUpperCase().charCodeAt(value)] = value;
}

/** Writes a digest in hex as bytes. */
export function writeDigest(hex: string, into: Uint8Array, at: number): void {
  for (let i = 0; i < 20; i++) {
    into[at + i] = (HEX_VALUES[hex.charCodeAt(2 * i)] << 4) | HEX_VALUES[hex.charCodeAt(2 * i + 1)];
  }
}

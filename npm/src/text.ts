// Text as UTF-8, lone surrogates as U+FFFD.

const encoder = typeof TextEncoder === 'undefined' ? undefined : new TextEncoder();

const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;

/** For engines without TextEncoder, such as older Hermes. */
function writeByHand(text: string, into: Uint8Array, at: number): number {
  const start = at;
  for (let i = 0; i < text.length; i++) {
    let point = text.charCodeAt(i);
    if (point < 0x80) {
      into[at++] = point;
      continue;
    }
    if ((point & 0xf800) === 0xd800) {
      const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
      if (isHigh(point) && isLow(next)) {
        point = 0x10000 + ((point & 0x3ff) << 10) + (next & 0x3ff);
        i += 1;
      } else {
        point = 0xfffd;
      }
    }
    if (point >= 0x10000) {
      into[at++] = 0xf0 | (point >> 18);
      into[at++] = 0x80 | ((point >> 12) & 0x3f);
      into[at++] = 0x80 | ((point >> 6) & 0x3f);
    } else if (point >= 0x800) {
      into[at++] = 0xe0 | (point >> 12);
      into[at++] = 0x80 | ((point >> 6) & 0x3f);
    } else {
      into[at++] = 0xc0 | (point >> 6);
    }
    into[at++] = 0x80 | (point & 0x3f);
  }
  return at - start;
}

/** Writes text to the start of `into`, which has three bytes for each code unit. Gives the number of bytes. */
export function encodeInto(text: string, into: Uint8Array): number {
  return encoder ? encoder.encodeInto(text, into).written : writeByHand(text, into, 0);
}

/**
 * The text in pieces of at most `size` code units, in order, no surrogate pair torn apart. So text of any length is
 * hashed in constant memory.
 */
export function* pieces(text: string, size: number): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    let end = start + size;
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** The number of bytes that text has. */
export function lengthOfText(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A pair has four bytes for its two units: one more for each.
    if (isHigh(unit) && i + 1 < text.length && isLow(text.charCodeAt(i + 1))) i += 1;
  }
  return length;
}

// Bytes without Node: the same code runs in a page, a worker and every server runtime.

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

export function toHex(bytes) {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function toLatin1(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function xor(a, b) {
  return a.map((byte, i) => byte ^ b[i]);
}

/** ASCII text as bytes, so that a literal in a test says what is hashed. */
export function ascii(text) {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A small generator with a seed: tests are random but repeatable, and a failure can print its seed. */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** 32 random bits (an additive generator, its output mixed by multiplications and shifts). */
  next() {
    this.state = (this.state + 0x9e3779b9) >>> 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit) {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }

  /** An integer from `low` to `high`, both included. */
  between(low, high) {
    return low + this.below(high - low + 1);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  bytes(length) {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i += 4) {
      const word = this.next();
      for (let j = 0; j < 4 && i + j < length; j++) bytes[i + j] = word >>> (8 * j);
    }
    return bytes;
  }

  /** Sorted cut positions that split `length` bytes into up to `parts` pieces, empty ones included. */
  cuts(length, parts) {
    const cuts = Array.from({ length: parts - 1 }, () => this.between(0, length));
    return [0, ...cuts.sort((a, b) => a - b), length];
  }

  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
}

/** The first `length` bytes of the one pattern that vectors/lengths.json is about. */
export function pattern(length) {
  return new Random(1).bytes(length);
}

// What is hashed: the same kinds as in the native half.

/** A generator of small, quick and seeded numbers (xorshift). */
export function generator(seed = 0x9e3779b9) {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

export function randomBytes(size, next = generator()) {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = next() >>> 11;
  return bytes;
}

/** As many characters as bytes, as in paths, JSON and commit messages. */
export function asciiText(size, next = generator()) {
  let text = '';
  const piece = Array.from({ length: Math.min(size, 4096) }, () =>
    String.fromCharCode(32 + ((next() >>> 9) % 95)),
  ).join('');
  while (text.length + piece.length <= size && piece.length > 0) text += piece;
  text += piece.slice(0, size - text.length);
  // In one piece, as text that was read from somewhere is.
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

/** Messages of random bytes with these sizes, in no order. */
export function messagesOf(sizes, next = generator()) {
  const shuffled = [...sizes];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = next() % (i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled.map((size) => randomBytes(size, next));
}

export const bytesOf = (messages) => messages.reduce((sum, message) => sum + message.length, 0);

export function inWords(size) {
  if (size < 1024) return `${size} B`;
  return size < 1048576 ? `${size >> 10} KiB` : `${size >> 20} MiB`;
}

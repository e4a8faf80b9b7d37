// Node, and what is like it: Deno, Bun.
import { Transform } from 'node:stream';
import type { Platform } from './platform.js';

type StreamState = '_readableState' | '_writableState';

/**
 * Makes hashes streams, but each only when it is first used as one: a Transform costs more than a short message.
 *
 * Everything that a stream does goes through one of its two states, and so the first access to either makes both.
 */
function becomeStream(Hash: { prototype: object }): void {
  Object.setPrototypeOf(Hash, Transform);
  Object.setPrototypeOf(Hash.prototype, Transform.prototype);
  for (const state of ['_readableState', '_writableState'] as StreamState[]) {
    Object.defineProperty(Hash.prototype, state, {
      configurable: true,
      get(this: Transform & Record<StreamState, unknown> & { streamOptions?: object }) {
        // The constructor of Transform is an ordinary function; it sets both states through the setter below.
        Reflect.apply(Transform, this, [this.streamOptions]);
        // Strings come through as they are, with their encoding.
        (this._writableState as { decodeStrings: boolean }).decodeStrings = false;
        return this[state];
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, state, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  }
}

export const platform: Platform = {
  allocate: (size) => Buffer.allocUnsafeSlow(size),
  view: (buffer) => Buffer.from(buffer),
  // Not from the pool: what is given out shares no memory with anything.
  result: (size) => Buffer.allocUnsafeSlow(size),
  write: (text, into, at) => (into as Buffer).write(text, at),
  ascii: (bytes, start, end) => (bytes as Buffer).toString('latin1', start, end),
  base64: (bytes) => (bytes as Buffer).toString('base64'),
  decode: (text, encoding) => Buffer.from(text, encoding),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  equip: becomeStream,
};

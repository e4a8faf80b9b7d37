// Browsers, workers of every kind, workerd, Hermes: nothing but the language, TextEncoder and timers where there are any.
import { decode, toBase64 } from './decode.js';
import type { Platform } from './platform.js';
import { encodeInto } from './text.js';
import { workerLane } from '#offload';

const decoder = typeof TextDecoder === 'undefined' ? undefined : new TextDecoder('latin1');

/** A turn of the event loop. A timer would wait for 4 ms each time; a message does not. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === 'undefined') {
      setTimeout(resolve, 0);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export const platform: Platform = {
  allocate: (size) => new Uint8Array(size),
  view: (buffer) => new Uint8Array(buffer),
  result: (size) => new Uint8Array(size),
  write: (text, into, at) => encodeInto(text, at === 0 ? into : into.subarray(at)),
  ascii: (bytes, start, end) =>
    decoder
      ? decoder.decode(bytes.subarray(start, end))
      : String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]),
  base64: toBase64,
  decode,
  pause,
  offload: async (engine, flags) => (engine.module ? workerLane?.(engine.module, flags) : undefined),
  equip: () => {},
};

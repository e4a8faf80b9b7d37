// What runs in the Worker: an engine of its own, made of the page's compiled module, and hashers that the page names.
import { wasmEngine } from '../engine/portable.js';
import type { WasmEngine } from '../engine/wasm.js';
import type { Reply, Request } from './protocol.js';

declare function postMessage(reply: Reply, transfer?: Transferable[]): void;

let engine: WasmEngine;
const slots = new Map<number, number>();

function handle(request: Request): void {
  if (request.do === 'start') {
    engine = wasmEngine(request.module);
    postMessage({ call: request.call });
    return;
  }
  const { hasher } = request;
  const slot = slots.get(hasher)!;
  switch (request.do) {
    case 'create':
      slots.set(hasher, engine.create(request.flags));
      break;
    case 'update':
      engine.update(slot, new Uint8Array(request.buffer, 0, request.length));
      postMessage({ call: request.call, buffer: request.buffer }, [request.buffer]);
      break;
    case 'finish':
      slots.delete(hasher);
      postMessage({ call: request.call, answer: engine.finish(slot) });
      break;
    case 'free':
      slots.delete(hasher);
      engine.free(slot);
      break;
  }
}

addEventListener('message', ({ data }: MessageEvent<Request>) => handle(data));

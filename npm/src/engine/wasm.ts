// The wasm module as an engine; and the same module as JavaScript, which has the same exports.
import { byteLength, copyOf, slice, take, typedArrayName } from '../intrinsics.js';
import type { Answer } from '../report.js';
import { pieces } from '../text.js';
import type { Bytes } from '../types.js';
import { platform } from '#platform';
import type { Engine, Group, Results } from './engine.js';

/** What bindings-wasm exports: functions from numbers to numbers. */
export interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  arena(): number;
  arenaSize(): number;
  layout(): number;
  batchSize(): number;
  results(): number;
  answer(): number;
  backend(): number;
  hash(length: number, flags: number): number;
  hashMany(count: number, flags: number, asHex: number): number;
  create(flags: number): number;
  update(slot: number, length: number): void;
  finish(slot: number): number;
  free(slot: number): void;
  copy(slot: number): number;
  reportSoFar(slot: number): number;
  optionsOf(slot: number): number;
  bytesHashed(slot: number): number;
  save(slot: number): number;
  stage(length: number, first: number): void;
  restore(): number;
}

/**
 * Bytes of one message that are copied at a time: they should still be in the processor's cache when they are hashed. With
 * 128 KiB a message of 1 MiB takes 2 % less than in one piece, with 16 KiB 1 % more.
 */
const PIECE = 128 * 1024;

/** Forty ASCII bytes as text. Spelled out, this is the fastest of all ways to a flat string. */
function hexAt(a: Uint8Array, o: number): string {
  // prettier-ignore
  return String.fromCharCode(
    a[o], a[o + 1], a[o + 2], a[o + 3], a[o + 4], a[o + 5], a[o + 6], a[o + 7], a[o + 8], a[o + 9],
    a[o + 10], a[o + 11], a[o + 12], a[o + 13], a[o + 14], a[o + 15], a[o + 16], a[o + 17], a[o + 18], a[o + 19],
    a[o + 20], a[o + 21], a[o + 22], a[o + 23], a[o + 24], a[o + 25], a[o + 26], a[o + 27], a[o + 28], a[o + 29],
    a[o + 30], a[o + 31], a[o + 32], a[o + 33], a[o + 34], a[o + 35], a[o + 36], a[o + 37], a[o + 38], a[o + 39],
  );
}

export class WasmEngine implements Engine {
  readonly kind: 'wasm' | 'js';
  readonly name: string;
  declare readonly module?: WebAssembly.Module;
  readonly groupSize: number;
  readonly copied: number;
  readonly takesLarge = false;
  readonly #wasm: Exports;
  readonly #arena: number;
  readonly #arenaSize: number;
  readonly #layout: number;
  readonly #results: number;
  /** Bytes of one message, and code units of its text, that are copied at a time. They always fit the arena. */
  readonly #piece: number;
  readonly #textSize: number;
  /** Views of all of the module's memory, made anew when it has grown. */
  #memory: ArrayBuffer;
  #bytes: Uint8Array;
  #words: Int32Array;
  /** Of the arena alone: what goes there cannot go further, however long it is. */
  #inside: Uint8Array;

  constructor(wasm: Exports, kind: 'wasm' | 'js', module?: WebAssembly.Module) {
    if (module !== undefined) this.module = module;
    this.#wasm = wasm;
    this.#arena = wasm.arena() >>> 0;
    this.#arenaSize = wasm.arenaSize();
    this.#piece = Math.min(this.#arenaSize, PIECE);
    this.#textSize = Math.min(Math.floor(this.#arenaSize / 3), PIECE);
    this.#layout = wasm.layout() >>> 0;
    this.#results = wasm.results() >>> 0;
    this.#memory = wasm.memory.buffer;
    this.#bytes = platform.view(this.#memory);
    this.#words = new Int32Array(this.#memory);
    this.#inside = this.#bytes.subarray(this.#arena, this.#arena + this.#arenaSize);
    const name = this.#answer(wasm.backend());
    this.kind = kind;
    this.name = kind === 'js' ? 'js/portable' : String.fromCharCode(...name);
    this.groupSize = wasm.batchSize();
    this.copied = this.#arenaSize;
  }

  /** The module's memory as it is now. A wasm memory that grows detaches its views; one of JavaScript is replaced. */
  #view(): Uint8Array {
    if (this.#bytes.length === 0 || (this.kind === 'js' && this.#wasm.memory.buffer !== this.#memory)) {
      this.#memory = this.#wasm.memory.buffer;
      this.#bytes = platform.view(this.#memory);
      this.#words = new Int32Array(this.#memory);
      this.#inside = this.#bytes.subarray(this.#arena, this.#arena + this.#arenaSize);
    }
    return this.#bytes;
  }

  #room(): Uint8Array {
    this.#view();
    return this.#inside;
  }

  #answer(length: number): Bytes {
    const start = this.#wasm.answer() >>> 0;
    return copyOf(this.#view(), start, start + length);
  }

  /** What a call that ends a message has given: 0, and the digest is in the results, or the length of a report. */
  #ended(report: number): Answer {
    return report === 0 ? hexAt(this.#view(), this.#results) : this.#answer(report);
  }

  hash(data: unknown, flags: number): Answer | undefined {
    if (typedArrayName(data) !== 'Uint8Array') return undefined;
    const length = byteLength(data);
    if (length <= this.#piece) {
      take(this.#room(), data as Uint8Array, length, 0);
      return this.#ended(this.#wasm.hash(length, flags));
    }
    const slot = this.create(flags);
    this.update(slot, data);
    return this.finish(slot);
  }

  hashText(text: string, flags: number): Answer {
    if (text.length <= this.#textSize) {
      const length = text === '' ? 0 : platform.write(text, this.#room(), 0);
      return this.#ended(this.#wasm.hash(length, flags));
    }
    const slot = this.create(flags);
    this.updateText(slot, text);
    return this.finish(slot);
  }

  hashRange(bytes: Uint8Array, start: number, end: number, flags: number): Answer {
    // Ranges are short: a hash keeps no more than a few thousand bytes to itself.
    const length = end - start;
    take(this.#room(), bytes.subarray(start, end), length, 0);
    return this.#ended(this.#wasm.hash(length, flags));
  }

  create(flags: number): number {
    return this.#wasm.create(flags);
  }

  createWith(flags: number, data: Uint8Array): number {
    const slot = this.create(flags);
    this.update(slot, data);
    return slot;
  }

  update(slot: number, data: unknown): boolean {
    if (typedArrayName(data) !== 'Uint8Array') return false;
    const bytes = data as Uint8Array;
    const length = byteLength(bytes);
    if (length <= this.#piece) {
      if (length > 0) this.#feed(slot, bytes, length);
      return true;
    }
    for (let start = 0; start < length; start += this.#piece) {
      const piece = slice(bytes, start, start + this.#piece);
      this.#feed(slot, piece, byteLength(piece));
    }
    return true;
  }

  #feed(slot: number, bytes: Uint8Array, length: number): void {
    take(this.#room(), bytes, length, 0);
    this.#wasm.update(slot, length);
  }

  updateText(slot: number, text: string): void {
    for (const piece of pieces(text, this.#textSize)) {
      this.#wasm.update(slot, platform.write(piece, this.#room(), 0));
    }
  }

  updateRange(slot: number, bytes: Uint8Array, start: number, end: number): void {
    this.update(slot, bytes.subarray(start, end));
  }

  finish(slot: number): Answer {
    return this.#ended(this.#wasm.finish(slot));
  }

  free(slot: number): void {
    this.#wasm.free(slot);
  }

  copy(slot: number): number {
    return this.#wasm.copy(slot);
  }

  reportSoFar(slot: number): Uint8Array | undefined {
    const length = this.#wasm.reportSoFar(slot);
    return length === 0 ? undefined : this.#answer(length);
  }

  optionsOf(slot: number): number {
    return this.#wasm.optionsOf(slot);
  }

  bytesHashed(slot: number): number {
    return this.#wasm.bytesHashed(slot);
  }

  save(slot: number): Bytes {
    return this.#answer(this.#wasm.save(slot));
  }

  restore(state: Uint8Array): number {
    let first = 1;
    for (let start = 0; start === 0 || start < state.length; start += this.#arenaSize) {
      const piece = state.subarray(start, start + this.#arenaSize);
      take(this.#room(), piece, piece.length, 0);
      this.#wasm.stage(piece.length, first);
      first = 0;
    }
    return this.#wasm.restore();
  }

  group(): Group {
    return {
      arena: this.#room(),
      arenaEnd: this.#arenaSize,
      layout: this.#words,
      layoutStart: this.#layout >> 2,
    };
  }

  hashMany(count: number, _large: readonly Uint8Array[], flags: number, asHex: boolean): Results {
    const length = this.#wasm.hashMany(count, flags, asHex ? 1 : 0);
    const reports = length === 0 ? undefined : this.#answer(length);
    return { bytes: this.#view(), start: this.#results, reports };
  }
}

// The native module as an engine.
import { byteLength, take, typedArrayName } from '../intrinsics.js';
import type { Answer } from '../report.js';
import { pieces } from '../text.js';
import type { Bytes } from '../types.js';
import { platform } from '#platform';
import type { Engine, Group, Results } from './engine.js';

/** What bindings-node exports. `undefined` is its answer to arguments that it does not take. */
export interface Binding {
  version(): string;
  backends(): string[];
  hash(view: unknown, flags: number): Answer | undefined;
  /** Memory for short messages: see bindings-node/src/desk.rs. */
  desk(): Bytes;
  hashDesk(): Answer;
  hashText(text: string): Answer;
  hashLongText(text: string): Answer;
  hashRange(bytes: Uint8Array, start: number, end: number, flags: number): Answer;
  create(flags: number): number;
  createWith(flags: number, view: Uint8Array): number;
  update(slot: number, view: unknown): 0 | undefined;
  updateText(slot: number, text: string): 0;
  updateLongText(slot: number, text: string): 0;
  updateRange(slot: number, bytes: Uint8Array, start: number, end: number): 0;
  updateAsync(slot: number, buffer: Uint8Array, length: number): Promise<void>;
  finish(slot: number): Answer;
  free(slot: number): void;
  copy(slot: number): number;
  reportSoFar(slot: number): Bytes | 0;
  optionsOf(slot: number): number;
  bytesHashed(slot: number): number;
  save(slot: number): Bytes;
  restore(state: Uint8Array, flags: number): number;
  hashMany(
    arena: Uint8Array,
    layout: Int32Array,
    count: number,
    large: readonly Uint8Array[],
    flags: number,
    out: Uint8Array,
    asHex: 0 | 1,
  ): Bytes | 0;
}

/** Bytes up to which a message is copied to the desk; longer ones are faster where they are. */
const SHORT = 1024;
/** Where on the desk the message is, in bytes; its length and its flags, in words. */
const MESSAGE = 64;
const LENGTH = 0;
const FLAGS = 1;
/** Code units of the longest text that the module takes in one call, by one function and by the other. */
const SHORT_TEXT = 1365;
const LONG_TEXT = 64 * 1024;
/** The backend's place in the list, above the options. */
const BACKEND_SHIFT = 8;
const GROUP = 1024;
const COPIED = 2048;
const ARENA = 256 * 1024;

export class NativeEngine implements Engine {
  readonly kind = 'native';
  readonly name: string;
  readonly groupSize = GROUP;
  readonly copied = COPIED;
  readonly takesLarge = true;
  readonly #binding: Binding;
  readonly #backend: number;
  readonly #desk: Uint8Array;
  readonly #head: Uint32Array;
  #group: Group | undefined;
  #out: Uint8Array | undefined;

  /** The module's best backend, or the one that is named. */
  constructor(binding: Binding, backend?: string) {
    const backends = binding.backends();
    const index = backend === undefined ? 0 : backends.indexOf(backend);
    if (index < 0) throw new Error(`this machine has no backend '${backend}'; it has ${backends.join(', ')}`);
    this.name = backends[index]!;
    this.#binding = binding;
    this.#backend = index << BACKEND_SHIFT;
    this.#desk = binding.desk();
    this.#head = new Uint32Array(this.#desk.buffer, 0, 2);
  }

  /** Hashes what is on the desk. */
  #hashDesk(length: number, flags: number): Answer {
    this.#head[LENGTH] = length;
    this.#head[FLAGS] = flags | this.#backend;
    return this.#binding.hashDesk();
  }

  hash(data: unknown, flags: number): Answer | undefined {
    if (typedArrayName(data) === 'Uint8Array') {
      const length = byteLength(data);
      if (length <= SHORT) {
        take(this.#desk, data as Uint8Array, length, MESSAGE);
        return this.#hashDesk(length, flags);
      }
    }
    return this.#binding.hash(data, flags | this.#backend);
  }

  hashText(text: string, flags: number): Answer {
    this.#head[FLAGS] = flags | this.#backend;
    if (text.length <= SHORT_TEXT) return this.#binding.hashText(text);
    if (text.length <= LONG_TEXT) return this.#binding.hashLongText(text);
    const slot = this.create(flags);
    this.updateText(slot, text);
    return this.finish(slot);
  }

  hashRange(bytes: Uint8Array, start: number, end: number, flags: number): Answer {
    return this.#binding.hashRange(bytes, start, end, flags | this.#backend);
  }

  create(flags: number): number {
    return this.#binding.create(flags | this.#backend);
  }

  createWith(flags: number, data: Uint8Array): number {
    return this.#binding.createWith(flags | this.#backend, data);
  }

  update(slot: number, data: unknown): boolean {
    return this.#binding.update(slot, data) === 0;
  }

  updateText(slot: number, text: string): void {
    if (text.length <= SHORT_TEXT) this.#binding.updateText(slot, text);
    else for (const piece of pieces(text, LONG_TEXT)) this.#binding.updateLongText(slot, piece);
  }

  updateRange(slot: number, bytes: Uint8Array, start: number, end: number): void {
    this.#binding.updateRange(slot, bytes, start, end);
  }

  updateAsync(slot: number, buffer: Uint8Array, length: number): Promise<void> {
    return this.#binding.updateAsync(slot, buffer, length);
  }

  finish(slot: number): Answer {
    return this.#binding.finish(slot);
  }

  free(slot: number): void {
    this.#binding.free(slot);
  }

  copy(slot: number): number {
    return this.#binding.copy(slot);
  }

  reportSoFar(slot: number): Uint8Array | undefined {
    return this.#binding.reportSoFar(slot) || undefined;
  }

  optionsOf(slot: number): number {
    return this.#binding.optionsOf(slot);
  }

  bytesHashed(slot: number): number {
    return this.#binding.bytesHashed(slot);
  }

  save(slot: number): Bytes {
    return this.#binding.save(slot);
  }

  restore(state: Uint8Array): number {
    return this.#binding.restore(state, this.#backend);
  }

  group(): Group {
    return (this.#group ??= {
      arena: platform.allocate(ARENA),
      arenaEnd: ARENA,
      layout: new Int32Array(2 * GROUP),
      layoutStart: 0,
    });
  }

  hashMany(count: number, large: readonly Uint8Array[], flags: number, asHex: boolean): Results {
    const { arena, layout } = this.group();
    const out = (this.#out ??= platform.allocate(40 * GROUP));
    const reports = this.#binding.hashMany(arena, layout, count, large, flags | this.#backend, out, asHex ? 1 : 0);
    return { bytes: out, start: 0, reports: reports || undefined };
  }
}

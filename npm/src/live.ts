// Hashers of the engine that belong to an object of JavaScript, and go when it goes.
import type { Engine } from './engine/engine.js';
import type { Answer } from './report.js';
import type { Bytes } from './types.js';

export interface Live {
  readonly engine: Engine;
  update(bytes: Uint8Array): void;
  updateText(text: string): void;
  updateRange(bytes: Uint8Array, start: number, end: number): void;
  finish(): Answer;
  copyFor(owner: object): Live;
  reportSoFar(): Uint8Array | undefined;
  bytesHashed(): number;
  options(): number;
  save(): Bytes;
}

/** A hasher in a slot of the engine; freed when its owner is collected. */
class SlotHasher implements Live {
  constructor(
    readonly engine: Engine,
    public slot: number,
  ) {}

  update(bytes: Uint8Array): void {
    this.engine.update(this.slot, bytes);
  }

  updateText(text: string): void {
    this.engine.updateText(this.slot, text);
  }

  updateRange(bytes: Uint8Array, start: number, end: number): void {
    this.engine.updateRange(this.slot, bytes, start, end);
  }

  finish(): Answer {
    const { slot } = this;
    this.slot = -1;
    return this.engine.finish(slot);
  }

  copyFor(owner: object): Live {
    return adopt(owner, this.engine, this.engine.copy(this.slot));
  }

  reportSoFar(): Uint8Array | undefined {
    return this.engine.reportSoFar(this.slot);
  }

  bytesHashed(): number {
    return this.engine.bytesHashed(this.slot);
  }

  options(): number {
    return this.engine.optionsOf(this.slot);
  }

  save(): Bytes {
    return this.engine.save(this.slot);
  }
}

/**
 * A hasher as a saved state, woken for each use: for engines that do not tell when an object is collected (Hermes). Slower,
 * but nothing is left behind when it is forgotten.
 */
class ParkedHasher implements Live {
  #state: Bytes;

  constructor(
    readonly engine: Engine,
    slot: number,
  ) {
    this.#state = engine.save(slot);
    engine.free(slot);
  }

  #awake<R>(use: (slot: number) => R, changes: boolean): R {
    const slot = this.engine.restore(this.#state);
    try {
      const result = use(slot);
      if (changes) this.#state = this.engine.save(slot);
      return result;
    } finally {
      this.engine.free(slot);
    }
  }

  update(bytes: Uint8Array): void {
    this.#awake((slot) => this.engine.update(slot, bytes), true);
  }

  updateText(text: string): void {
    this.#awake((slot) => this.engine.updateText(slot, text), true);
  }

  updateRange(bytes: Uint8Array, start: number, end: number): void {
    this.#awake((slot) => this.engine.updateRange(slot, bytes, start, end), true);
  }

  finish(): Answer {
    return this.engine.finish(this.engine.restore(this.#state));
  }

  copyFor(): Live {
    return new ParkedHasher(this.engine, this.engine.restore(this.#state));
  }

  reportSoFar(): Uint8Array | undefined {
    return this.#awake((slot) => this.engine.reportSoFar(slot), false);
  }

  bytesHashed(): number {
    return this.#awake((slot) => this.engine.bytesHashed(slot), false);
  }

  options(): number {
    return this.#awake((slot) => this.engine.optionsOf(slot), false);
  }

  save(): Bytes {
    return this.#state.slice();
  }
}

// The hasher tells by its slot whether it still is one: to take it out of the registry when a digest ends it would cost
// more than to be told of it later.
const registry =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<SlotHasher>((hasher) => {
        if (hasher.slot >= 0) hasher.engine.free(hasher.slot);
      });

/** Gives the hasher in a slot to an object. */
export function adopt(owner: object, engine: Engine, slot: number): Live {
  if (registry === undefined) return new ParkedHasher(engine, slot);
  const hasher = new SlotHasher(engine, slot);
  registry.register(owner, hasher);
  return hasher;
}

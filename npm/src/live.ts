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
  copy(): Live;
  reportSoFar(): Uint8Array | undefined;
  bytesHashed(): number;
  options(): number;
  save(): Bytes;
}

/** A slot of an engine; -1 when its hasher is no more. */
interface Slot {
  readonly engine: Engine;
  number: number;
}

/** A hasher in a slot of the engine, which is freed when this object is collected. */
class SlotHasher implements Live {
  readonly #slot: Slot;

  constructor(
    readonly engine: Engine,
    number: number,
  ) {
    this.#slot = { engine, number };
  }

  /** Puts it into the registry, unless its message has ended. */
  enter(slots: FinalizationRegistry<Slot>): void {
    if (this.#slot.number >= 0) slots.register(this, this.#slot);
  }

  update(bytes: Uint8Array): void {
    this.engine.update(this.#slot.number, bytes);
  }

  updateText(text: string): void {
    this.engine.updateText(this.#slot.number, text);
  }

  updateRange(bytes: Uint8Array, start: number, end: number): void {
    this.engine.updateRange(this.#slot.number, bytes, start, end);
  }

  finish(): Answer {
    const { number } = this.#slot;
    this.#slot.number = -1;
    // Mostly it is the last newcomer, and then need not be looked at again.
    if (newcomers > 0 && waiting[newcomers - 1] === this) waiting[--newcomers] = undefined;
    return this.engine.finish(number);
  }

  copy(): Live {
    return adopt(this.engine, this.engine.copy(this.#slot.number));
  }

  reportSoFar(): Uint8Array | undefined {
    return this.engine.reportSoFar(this.#slot.number);
  }

  bytesHashed(): number {
    return this.engine.bytesHashed(this.#slot.number);
  }

  options(): number {
    return this.engine.optionsOf(this.#slot.number);
  }

  save(): Bytes {
    return this.engine.save(this.#slot.number);
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

  copy(): Live {
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

// Objects in a registry outlive the collections of the young, so it is this small object that is in it, not the hash. To take
// it out at the end of a message would cost more than to be told of it later.
const slots =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Slot>(({ engine, number }) => {
        if (number >= 0) engine.free(number);
      });

// To put it in costs a tenth of a microsecond and burdens the collector, and most messages end in the turn in which they
// begin. So newcomers wait here for the end of the turn, or until they are many.
const waiting: (SlotHasher | undefined)[] = Array.from({ length: 64 }, () => undefined);
let newcomers = 0;
let summoned = false;

function enterAll(): void {
  for (let i = 0; i < newcomers; i++) {
    waiting[i]!.enter(slots!);
    waiting[i] = undefined;
  }
  newcomers = 0;
}

function endOfTurn(): void {
  summoned = false;
  enterAll();
}

/** Takes charge of the hasher in a slot. */
export function adopt(engine: Engine, slot: number): Live {
  if (slots === undefined) return new ParkedHasher(engine, slot);
  const hasher = new SlotHasher(engine, slot);
  if (newcomers === waiting.length) enterAll();
  waiting[newcomers++] = hasher;
  if (!summoned) {
    summoned = true;
    void Promise.resolve().then(endOfTurn);
  }
  return hasher;
}

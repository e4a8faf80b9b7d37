// Where a message is hashed while other things go on.
import type { Engine } from './engine/engine.js';
import type { Answer } from './report.js';

/** A hasher on another thread. */
export interface Lane {
  /** Hashes the start of a buffer of the package's own. Resolves with that buffer, or one of the same size in its place. */
  update(buffer: Uint8Array, length: number): Promise<Uint8Array>;
  /** Hashes the same here and now. Not every lane can. */
  updateNow?(buffer: Uint8Array, length: number): void;
  /** Ends the message and the hasher. */
  finish(): Answer | Promise<Answer>;
  /** Forgets the message. */
  free(): void;
}

/** A hasher of the engine here; fed by the engine's threads if it has any. */
export class EngineLane implements Lane {
  readonly #engine: Engine;
  readonly #slot: number;

  constructor(engine: Engine, flags: number) {
    this.#engine = engine;
    this.#slot = engine.create(flags);
  }

  async update(buffer: Uint8Array, length: number): Promise<Uint8Array> {
    if (this.#engine.updateAsync) await this.#engine.updateAsync(this.#slot, buffer, length);
    else this.updateNow(buffer, length);
    return buffer;
  }

  updateNow(buffer: Uint8Array, length: number): void {
    this.#engine.updateRange(this.#slot, buffer, 0, length);
  }

  finish(): Answer {
    return this.#engine.finish(this.#slot);
  }

  free(): void {
    this.#engine.free(this.#slot);
  }
}

// The one registration of a realm, whichever copy of this package made it.
import { CollisionError } from '#index';
import { wrongType } from '../errors.js';

/** What to do besides refusing an attack. */
export interface RegisterOptions {
  /** Told of each attack, before whoever asked for the digest is. What it throws is reported as an uncaught error. */
  onCollision?: ((error: CollisionError) => void) | undefined;
}

/** What the shims have seen. */
export interface Registration {
  /**
   * The attacks, in the order in which they were refused: also those whose error somebody caught and forgot, as isomorphic-git
   * does in the second pass of `indexPack`. No more than the first thousand are kept.
   */
  readonly collisions: readonly CollisionError[];
}

export interface Active extends Registration {
  readonly collisions: CollisionError[];
  readonly listeners: Set<(error: CollisionError) => void>;
  restore: () => void;
}

const KEPT = 1000;
const KEY = Symbol.for('sha1dc.register');
const realm = globalThis as { [KEY]?: Active };

/** Registers, unless that has been done; then only adds the listener. */
export function register(install: (active: Active) => () => void, options: RegisterOptions | undefined): Registration {
  const onCollision = options?.onCollision;
  if (onCollision !== undefined && typeof onCollision !== 'function') {
    throw wrongType('options.onCollision', 'of type function', onCollision);
  }
  let active = realm[KEY];
  if (active === undefined) {
    active = { collisions: [], listeners: new Set(), restore: () => {} };
    active.restore = install(active);
    Object.defineProperty(realm, KEY, { value: active, configurable: true });
  }
  if (onCollision !== undefined) active.listeners.add(onCollision);
  return active;
}

/**
 * Gives the platform its own functions back. Handles keep what they have seen.
 *
 * @example
 * unregister();
 */
export function unregister(): void {
  const active = realm[KEY];
  if (active === undefined) return;
  delete realm[KEY];
  active.restore();
}

/** Remembers an attack and tells the listeners. Gives the error back. */
export function remember(active: Active, error: unknown): unknown {
  if (!(error instanceof CollisionError)) return error;
  if (active.collisions.length < KEPT) active.collisions.push(error);
  for (const listener of active.listeners) {
    try {
      listener(error);
    } catch (thrown) {
      // Not in the way of the refusal.
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }
  return error;
}

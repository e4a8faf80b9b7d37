// `sha1dc/register` in Node, Deno and Bun: SubtleCrypto.prototype.digest, crypto.createHash and crypto.hash.
import { shimCrypto } from '../register/crypto.js';
import { register as registerAll, unregister, type RegisterOptions, type Registration } from '../register/registry.js';
import { shimSubtle } from '../register/subtle.js';

/**
 * Makes the platform's own SHA-1 refuse collision attacks. Importing this module has done so already; call it for the handle,
 * or to be told. Everything that is not SHA-1 passes through untouched.
 *
 * @example
 * import { register } from 'sha1dc/register';
 * const { collisions } = register({ onCollision: (error) => console.error(error.message) });
 */
export function register(options?: RegisterOptions): Registration {
  return registerAll((active) => {
    const undo = [shimSubtle(active), shimCrypto(active)];
    return () => undo.forEach((restore) => restore());
  }, options);
}

export { unregister };
export type { RegisterOptions, Registration };

register();

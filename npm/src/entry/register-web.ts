// `sha1dc/register` where there is no Node: SubtleCrypto.prototype.digest.
import { register as registerAll, unregister, type RegisterOptions, type Registration } from '../register/registry.js';
import { shimSubtle } from '../register/subtle.js';

/**
 * Makes the platform's own SHA-1 refuse collision attacks. Importing this module has done so already; call it for the handle,
 * or to be told. Everything that is not SHA-1 passes through untouched.
 */
export function register(options?: RegisterOptions): Registration {
  return registerAll(shimSubtle, options);
}

export { unregister };
export type { RegisterOptions, Registration };

register();

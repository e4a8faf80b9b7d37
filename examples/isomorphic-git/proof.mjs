// Shows who hashes for isomorphic-git: the platform's SHA-1 is watched while the same work is done without and with the shim.
import { register, unregister } from 'sha1dc/register';

import { commitAndPack } from './git-work.mjs';

/** Counts the calls of the platform's own SHA-1. Gives `{ calls, restore }`. */
function watchPlatform(nodeCrypto) {
  const watch = { calls: 0, restore: () => undo.forEach((restore) => restore()) };
  const undo = [];
  const wrap = (object, name, isSha1) => {
    const descriptor = object && Object.getOwnPropertyDescriptor(object, name);
    if (!descriptor) return;
    const original = descriptor.value;
    function watched(...args) {
      if (isSha1(args[0])) watch.calls++;
      return Reflect.apply(original, this, args);
    }
    Object.defineProperty(object, name, { ...descriptor, value: watched });
    undo.push(() => Object.defineProperty(object, name, descriptor));
  };
  wrap(SubtleCrypto.prototype, 'digest', (algorithm) => /^sha-1$/i.test(algorithm?.name ?? algorithm));
  wrap(nodeCrypto, 'createHash', (algorithm) => /^sha-?1$/i.test(algorithm));
  return watch;
}

async function rejection(promise) {
  try {
    return { resolved: await promise };
  } catch ({ name, code, message, digest }) {
    return { name, code, message, digest };
  }
}

/**
 * Does the work of git-work.mjs without and with `sha1dc/register` and then hands isomorphic-git an attack. `attack` are bytes
 * with a colliding block; `nodeCrypto` is Node's `crypto`, where there is one.
 */
export async function prove({ git, fs, dir, attack, nodeCrypto }) {
  unregister(); // importing sha1dc/register has registered
  const platform = watchPlatform(nodeCrypto);
  const told = [];
  try {
    const stock = await commitAndPack({ git, fs, dir: `${dir}/stock` });
    const callsWithout = platform.calls;

    platform.calls = 0;
    const handle = register({ onCollision: (error) => told.push(error.digest) });
    const ours = await commitAndPack({ git, fs, dir: `${dir}/ours` });
    const callsWith = platform.calls;
    const falseAlarms = handle.collisions.length;

    // Git's header keeps published attacks out of ordinary objects; 'wrapped' means that the caller has put a header there.
    const wrapped = { fs, dir: `${dir}/ours`, format: 'wrapped', object: attack };
    const write = await rejection(git.writeObject(wrapped));
    const direct = await rejection(crypto.subtle.digest('SHA-1', attack));
    const remembered = handle.collisions.map((error) => error.digest);

    unregister();
    await fs.promises.mkdir(`${dir}/unsafe`);
    await git.init({ fs, dir: `${dir}/unsafe` });
    const afterwards = await rejection(git.writeObject({ ...wrapped, dir: `${dir}/unsafe` }));
    return { stock, ours, callsWithout, callsWith, falseAlarms, write, direct, told, remembered, afterwards };
  } finally {
    unregister();
    platform.restore();
  }
}

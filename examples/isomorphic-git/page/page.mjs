// isomorphic-git in a page. With `?insecure` as on a page without HTTPS: there is no crypto.subtle, and isomorphic-git takes
// sha.js, which the alias in vite.config.mjs (or npm's "overrides") makes sha1dc/sha1.js.
import './buffer.mjs';

import LightningFS from '@isomorphic-git/lightning-fs';
import * as git from 'isomorphic-git';
import { backend } from 'sha1dc';

import { shattered } from '../../_shared/shattered.mjs';
import { commitAndPack } from '../git-work.mjs';
import { prove } from '../proof.mjs';

async function insecure(fs) {
  Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
  const ours = await commitAndPack({ git, fs, dir: '/ours' });
  try {
    await git.writeObject({ fs, dir: '/ours', format: 'wrapped', object: shattered });
    return { ours, write: 'resolved' };
  } catch ({ name, code, digest }) {
    return { ours, write: { name, code, digest } };
  }
}

async function run() {
  const fs = new LightningFS('sha1dc-example', { wipe: true });
  if (location.search === '?insecure') return { backend, ...(await insecure(fs)) };
  await fs.promises.mkdir('/work');
  return { backend, ...(await prove({ git, fs, dir: '/work', attack: shattered })) };
}

const output = document.getElementById('result');
run()
  .then((result) => (output.textContent = JSON.stringify(result, null, 1)))
  .catch((error) => (output.textContent = `failed: ${error.stack}`))
  .finally(() => (output.dataset.done = 'yes'));

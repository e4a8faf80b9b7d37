// isomorphic-git's indexPack of a real pack: stock, and with `sha1dc/register`.
import { execFileSync } from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forNothing } from './for-nothing.mjs';
import { summary } from './measure.mjs';

/** A pack with up to `most` objects of the repository, in a new folder. Gives the folder, or null where there is no git. */
export function makePack(repository, most) {
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-pack-'));
  const git = (args, input) => execFileSync('git', ['-C', repository, ...args], { input, maxBuffer: 1 << 30 });
  const names = git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']).toString().trim().split('\n');
  const step = Math.ceil(names.length / most);
  const chosen = names.filter((_, i) => i % step === 0);
  mkdirSync(join(folder, 'pack'));
  const name = git(['pack-objects', '-q', join(folder, 'pack', 'pack')], chosen.join('\n') + '\n')
    .toString()
    .trim();
  renameSync(join(folder, 'pack', `pack-${name}.pack`), join(folder, 'it.pack'));
  return { folder, file: 'it.pack', objects: chosen.length, bytes: statSync(join(folder, 'it.pack')).size };
}

export async function* indexPack({ repo, quick }) {
  const { default: git } = await import('isomorphic-git');
  let pack;
  try {
    pack = makePack(repo, quick ? 500 : 3000);
  } catch (error) {
    console.log(`node-indexpack not measured: ${error.message.split('\n')[0]}`);
    return;
  }
  const { register, unregister } = await import('sha1dc/register');
  unregister();
  const once = async () => {
    const start = performance.now();
    const { oids } = await git.indexPack({ fs, dir: pack.folder, gitdir: pack.folder, filepath: pack.file, cache: {} });
    return { took: performance.now() - start, found: oids.length, index: readFileSync(join(pack.folder, 'it.idx')) };
  };
  const contestants = [
    { name: 'isomorphic-git', ours: false, detects: false, start() {}, stop() {} },
    { name: 'isomorphic-git, sha1dc/register', ours: true, detects: true, start: register, stop: unregister },
    await forNothing(once),
  ];
  const rows = contestants.map(({ name, ours, detects }) => ({ name, ours, detects, samples: [] }));
  let index;
  // The first rounds warm up: most of an index is made by code that the engine compiles by and by.
  for (let round = -3; round < (quick ? 7 : 15); round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const i = (round + 3 + turn) % contestants.length;
      const { name, start, stop } = contestants[i];
      start();
      const result = await once();
      stop();
      index ??= result.index;
      if (result.found !== pack.objects || !index.equals(result.index)) throw new Error(`${name} made another index`);
      if (round >= 0) rows[i].samples.push(result.took);
    }
  }
  rmSync(pack.folder, { recursive: true, force: true });
  const title = `indexPack of a pack with ${pack.objects} objects, time on the clock`;
  const about = { messages: pack.objects, bytes: pack.bytes, bases: ['isomorphic-git'] };
  yield summary({ name: 'node-indexpack', title, ...about }, rows);
}

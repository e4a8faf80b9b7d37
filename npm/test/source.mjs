// Loads a module of the package's source, for tests of what is not exported.
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export async function load(name) {
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-source-'));
  try {
    const outfile = join(folder, 'module.mjs');
    const source = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
    await build({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers that are the same in every run. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

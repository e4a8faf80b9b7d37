// Builds the pages with Vite, resolving `sha1dc` as a user's project does: through node_modules and its `exports`.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('./browser/', import.meta.url));
const target = fileURLToPath(new URL('../../target/tests/', import.meta.url));

const built = new Map();

/** Makes every bare `sha1dc` mean the package installed in another folder, for packed tarballs. */
function resolveFrom(folder) {
  const importer = resolve(folder, 'index.js');
  return {
    name: 'sha1dc-from',
    enforce: 'pre',
    async resolveId(source, from, options) {
      if (!/^sha1dc($|\/)/.test(source) || from === importer) return null;
      return this.resolve(source, importer, { ...options, skipSelf: true });
    },
  };
}

async function buildOnce(from) {
  const outDir = resolve(target, `browser-${built.size}-${process.pid}`);
  const common = {
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: from ? [resolveFrom(from)] : [],
    worker: { format: 'es', plugins: () => (from ? [resolveFrom(from)] : []) },
  };
  await build({
    ...common,
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4000, assetsInlineLimit: 0 },
  });
  await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      copyPublicDir: false,
      chunkSizeWarningLimit: 4000,
      rollupOptions: {
        input: resolve(root, 'service-worker.mjs'),
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  });
  mkdirSync(outDir, { recursive: true });
  const require = createRequire(pathToFileURL(from ? resolve(from, 'index.js') : root));
  cpSync(require.resolve('sha1dc/sha1dc.wasm'), resolve(outDir, 'sha1dc.wasm'));
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  return outDir;
}

/** The folder with the built pages; built once in this process for each package folder. */
export function browserBuild(from) {
  const key = from ?? '';
  if (!built.has(key)) built.set(key, buildOnce(from));
  return built.get(key);
}

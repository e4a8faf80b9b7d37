// Builds the pages with Vite, resolving `sha1dc` as a user's project does: through node_modules and its `exports`.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('./browser/', import.meta.url));
const target = fileURLToPath(new URL('../../target/tests/', import.meta.url));

const built = new Map();

/** Makes every bare `sha1dc` mean the package installed beside `importer`, for packed tarballs. */
function resolveFrom(importer) {
  return {
    name: 'sha1dc-from',
    enforce: 'pre',
    async resolveId(source, from, options) {
      if (!/^sha1dc($|\/)/.test(source) || from === importer) return null;
      return this.resolve(source, importer, { ...options, skipSelf: true });
    },
  };
}

async function buildOnce(importer) {
  const outDir = resolve(target, `browser-${built.size}-${process.pid}`);
  const common = {
    configFile: false,
    root,
    logLevel: 'error',
    plugins: importer ? [resolveFrom(importer)] : [],
    worker: { format: 'es', plugins: () => (importer ? [resolveFrom(importer)] : []) },
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
  const require = createRequire(pathToFileURL(importer ?? root));
  cpSync(require.resolve('sha1dc/sha1dc.wasm'), resolve(outDir, 'sha1dc.wasm'));
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  return outDir;
}

/** The folder with the built pages, made once in this process for each file whose `sha1dc` is meant. */
export function browserBuild(importer) {
  const key = importer ?? '';
  if (!built.has(key)) built.set(key, buildOnce(importer));
  return built.get(key);
}

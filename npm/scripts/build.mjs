// node npm/scripts/build.mjs: the JavaScript and the types of the package, in npm/dist.
//
// The wasm modules must be there, in target/wasm/simd128 and target/wasm/baseline; `cargo xtask build` makes them, and then
// calls this.
import { build } from 'esbuild';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTypes } from './types.mjs';
import { asJavaScript, shippedModule } from './wasm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const wasmFolder = process.env.SHA1DC_WASM ?? join(root, '../target/wasm');
const wasmFile = (form) => join(wasmFolder, form, 'sha1dc_wasm_bg.wasm');

const simd128 = await shippedModule(wasmFile('simd128'));
const baseline = await shippedModule(wasmFile('baseline'));

/** The modules that exist only here: what src/virtual.d.ts declares. */
const virtual = {
  '#wasm': `export const simd128 = '${simd128.toString('base64')}';\nexport const baseline = '${baseline.toString('base64')}';\n`,
  '#wasm2js': await asJavaScript(baseline),
  '#offload': 'export const workerLane = undefined;\n',
  '#version': `export const version = '${version}';\n`,
};

/**
 * `platform` is 'node' or 'web'; `index` the file that stands for the main entry point, for those that build on it; `worker`
 * whether there may be a Worker to hash in.
 */
function modules({ platform, index, worker = false }) {
  return {
    name: 'sha1dc',
    setup(plugin) {
      plugin.onResolve({ filter: /^#/ }, ({ path }) => {
        if (path === '#platform') return { path: join(source, `platform-${platform}.ts`) };
        if (path === '#index') return { path: index, external: true };
        if (path === '#offload' && worker) return { path: join(source, 'worker/client.ts') };
        if (path === '#module') return { path: '../sha1dc.wasm', external: true };
        return { path, namespace: 'sha1dc' };
      });
      // Not by `require`, which bundlers that make ES modules for Node take away.
      plugin.onResolve({ filter: /^node:/ }, ({ path, namespace }) =>
        namespace === 'builtin' ? { path, external: true } : { path, namespace: 'builtin' },
      );
      plugin.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule?.('${path}') ?? require('${path}');`,
      }));
      plugin.onLoad({ filter: /^#/, namespace: 'sha1dc' }, ({ path }) => ({ contents: virtual[path], loader: 'js' }));
    },
  };
}

/** The script of the Worker, which the page carries as text. It has no Worker of its own. */
async function workerScript() {
  const { outputFiles } = await build({
    entryPoints: [join(source, 'worker/script.ts')],
    bundle: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    charset: 'ascii',
    minify: true,
    plugins: [modules({ platform: 'web', index: '' })],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}
virtual['#worker'] = `export const source = ${JSON.stringify(await workerScript())};\n`;

const BANNER = `/*! sha1dc ${version}, MIT OR Apache-2.0 */`;

/** What module.exports is: see types.mjs. */
const FOOTERS = {
  namespace: '',
  default: 'module.exports = module.exports.default;',
  callable: `{
  const api = module.exports;
  module.exports = api.sha1;
  for (const name of Object.keys(api)) {
    Object.defineProperty(api.sha1, name, { value: api[name], enumerable: true, configurable: true });
  }
}`,
};

/** Builds one file. Gives the names that it exports. */
async function bundle(
  entry,
  out,
  { platform, format, style = 'namespace', index = './index.cjs', worker = false, contents },
) {
  const result = await build({
    ...(contents === undefined
      ? { entryPoints: [join(source, 'entry', `${entry}.ts`)] }
      : { stdin: { contents, resolveDir: source, loader: 'js' } }),
    outfile: join(dist, out),
    bundle: true,
    format,
    platform: platform === 'node' ? 'node' : 'neutral',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'inline',
    external: ['./embedded-wasm.cjs', './embedded-js.cjs'],
    banner: { js: entry === 'cli' ? `#!/usr/bin/env node\n${BANNER}` : BANNER },
    footer: { js: format === 'cjs' ? FOOTERS[style] : '' },
    plugins: [modules({ platform, index, worker })],
    metafile: true,
    write: true,
    logLevel: 'warning',
  });
  return Object.values(result.metafile.outputs)[0].exports;
}

/** In Node both kinds of import get the same instance: the one of CommonJS. */
async function nodeEntry(entry, name, style) {
  const names = await bundle(entry, `node/${name}.js`, { platform: 'node', format: 'esm', index: './index.js' });
  await bundle(entry, `node/${name}.cjs`, { platform: 'node', format: 'cjs', style });
  const named = names.filter((found) => found !== 'default');
  const lines = [BANNER, `import api from './${name}.cjs';`];
  if (style !== 'default' && named.length > 0) lines.push(`export const { ${named.join(', ')} } = api;`);
  if (style !== 'namespace') lines.push('export default api;');
  writeFileSync(join(dist, `node/${name}.js`), `${lines.join('\n')}\n`);
}

async function webEntry(entry, name, style, worker = false) {
  await bundle(entry, `web/${name}.js`, { platform: 'web', format: 'esm', index: './index.js', worker });
  await bundle(entry, `web/${name}.cjs`, { platform: 'web', format: 'cjs', style, worker });
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'sha1dc.wasm'), simd128);

for (const [name, contents] of [
  ['embedded-wasm', virtual['#wasm']],
  ['embedded-js', virtual['#wasm2js']],
]) {
  await bundle(name, `node/${name}.cjs`, { platform: 'node', format: 'cjs', contents });
}
await nodeEntry('node', 'index', 'callable');
await nodeEntry('wasm-node', 'wasm', 'callable');
await nodeEntry('js-node', 'js', 'callable');
await nodeEntry('sha1', 'sha1', 'default');
await nodeEntry('register-node', 'register', 'namespace');
await bundle('cli', 'node/cli.cjs', { platform: 'node', format: 'cjs' });
chmodSync(join(dist, 'node/cli.cjs'), 0o755);

await webEntry('web', 'index', 'callable', true);
await webEntry('wasm-web', 'wasm', 'callable', true);
await webEntry('js-web', 'js', 'callable');
await webEntry('sha1', 'sha1', 'default');
await webEntry('register-web', 'register', 'namespace');

for (const [entry, name] of [
  ['workerd', 'index'],
  ['wasm-workerd', 'wasm'],
  ['sha1', 'sha1'],
  ['register-web', 'register'],
]) {
  await bundle(entry, `workerd/${name}.js`, { platform: 'web', format: 'esm', index: './index.js' });
}

await writeTypes({
  root,
  dist,
  entries: {
    index: { source: 'node', style: 'callable' },
    wasm: { source: 'wasm-node', style: 'callable' },
    js: { source: 'js-node', style: 'callable' },
    sha1: { source: 'sha1', style: 'default' },
    register: { source: 'register-node', style: 'namespace' },
  },
});

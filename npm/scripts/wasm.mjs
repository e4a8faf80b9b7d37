// The wasm modules as they are shipped, and the baseline one as JavaScript, out of what wasm-pack made.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { transform } from 'esbuild';

const binaryen = join(dirname(createRequire(import.meta.url).resolve('binaryen/package.json')), 'bin');

/** What the modules use, and what their optimizer may use. */
const FEATURES = [
  'bulk-memory',
  'bulk-memory-opt',
  'multivalue',
  'mutable-globals',
  'nontrapping-float-to-int',
  'reference-types',
  'sign-ext',
  'simd',
].map((feature) => `--enable-${feature}`);

/** The functions that src/engine/wasm.ts calls. wasm-bindgen exports more, for glue that is not used here. */
const EXPORTS = [
  'memory',
  'answer',
  'arena',
  'arenaSize',
  'backend',
  'batchSize',
  'bytesHashed',
  'copy',
  'create',
  'finish',
  'free',
  'hash',
  'hashMany',
  'layout',
  'optionsOf',
  'reportSoFar',
  'restore',
  'results',
  'save',
  'stage',
  'update',
];

function tool(name, ...args) {
  const { status, stderr, error } = spawnSync(process.execPath, [join(binaryen, name), ...args], { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} failed:\n${stderr}`);
}

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-wasm-'));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  return Promise.resolve(work((name) => join(folder, name))).finally(clean);
}

/** Drops everything that only wasm-bindgen's glue calls: then the module imports nothing. */
export function shippedModule(file) {
  return inFolder((path) => {
    const roots = EXPORTS.map((name) => ({ name: `root-${name}`, export: name, root: true }));
    writeFileSync(path('graph.json'), JSON.stringify(roots));
    tool('wasm-metadce', file, '--graph-file', path('graph.json'), ...FEATURES, '-o', path('kept.wasm'));
    const strip = ['--strip-debug', '--strip-producers', '--strip-target-features'];
    tool('wasm-opt', path('kept.wasm'), ...FEATURES, '-O3', '--converge', ...strip, '-o', path('out.wasm'));
    const bytes = readFileSync(path('out.wasm'));
    const module = new WebAssembly.Module(bytes);
    const imports = WebAssembly.Module.imports(module);
    if (imports.length > 0) throw new Error(`${file} imports ${imports.map(({ name }) => name).join(', ')}`);
    const missing = EXPORTS.filter((name) => !WebAssembly.Module.exports(module).some((found) => found.name === name));
    if (missing.length > 0) throw new Error(`${file} does not export ${missing.join(', ')}`);
    return bytes;
  });
}

/** A module of JavaScript that exports `instantiate`, which gives what an instance of the wasm module exports. */
export function asJavaScript(wasm) {
  return inFolder(async (path) => {
    writeFileSync(path('in.wasm'), wasm);
    tool('wasm2js', path('in.wasm'), ...FEATURES, '-O3', '-o', path('out.js'));
    const text = readFileSync(path('out.js'), 'utf8');
    // wasm2js instantiates at once, and exports the functions one by one.
    const [body, rest] = text.split(/^var retasmFunc = .*$/m);
    if (rest === undefined) throw new Error('wasm2js writes its modules in a new way');
    // And its helpers, which copy memory, know one memory: so each instance has helpers of its own.
    const source = `export function instantiate() {\n${body}\nreturn asmFunc({});\n}\n`;
    const { code } = await transform(source, { minify: true, format: 'esm', target: 'es2020' });
    return code;
  });
}

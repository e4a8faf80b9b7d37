// The declarations in dist, out of what tsc writes: for ES modules and, in .d.cts files, for CommonJS.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

const IMPORT = /(from\s+|import\()'(\.{1,2}\/[^']+)\.js'/g;

function emit(root, out) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const args = ['--noEmit', 'false', '--emitDeclarationOnly', '--outDir', out];
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', root, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc:\n${stdout}`);
}

/** Files that the entries lead to. */
function reachable(entries) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, , path] of readFileSync(file, 'utf8').matchAll(IMPORT)) visit(resolve(dirname(file), `${path}.d.ts`));
  };
  entries.forEach(visit);
  return found;
}

function everyFile(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** In declarations `export type` says nothing that `export` does not, but forbids aliases in a namespace. */
const plainExports = (text) =>
  text
    .replace(/^export type (?=[{*])/gm, 'export ')
    .replace(/^export \{.*\}/gm, (list) => list.replace(/\btype /g, ''));

/** Types of Node's are `any` where there are no types of Node: an error there would be the user's to see, not to mend. */
const suppressed = (text) => text.replace(/^(?=import .* from 'node:[^']+';$)/gm, '// @ts-ignore\n');

/** The names that a declaration file exports. */
function exportsOf(file, ts) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker.getExportsOfModule(symbol).map(({ name }) => name);
}

/** `module.exports` is the function sha1, with everything else on it: a function and a namespace of one name. */
function callable(entry, names, out, ts) {
  const text = readFileSync(join(out, 'oneshot.d.ts'), 'utf8');
  const { statements } = ts.createSourceFile('oneshot.d.ts', text, ts.ScriptTarget.Latest);
  const wordsOf = (node) => text.slice(node.getFullStart(), node.getEnd()).trim();
  return [
    ...statements
      .filter(ts.isImportDeclaration)
      .map((node) => wordsOf(node).replace(/'\.\/(.*)\.js'/, "'./types/$1.cjs'")),
    `import * as api from './${entry}.cjs';`,
    ...statements
      .filter((node) => ts.isFunctionDeclaration(node) && node.name.text === 'sha1')
      .map((node) => wordsOf(node).replace('export declare function', 'declare function')),
    'declare namespace sha1 {',
    ...names.filter((name) => name !== 'default').map((name) => `  export import ${name} = api.${name};`),
    '}',
    'export = sha1;',
    '',
  ].join('\n');
}

/**
 * @param entries name in dist -> `{ source, style }`: the entry's file in src, and what `module.exports` is: `'callable'`
 * (sha1 with everything on it), `'default'` (the default export alone) or `'namespace'`.
 */
export async function writeTypes({ root, dist, entries }) {
  const { default: ts } = await import('typescript');
  const out = join(dist, 'types');
  emit(root, out);
  for (const file of everyFile(out)) {
    const index = relative(dirname(file), join(out, 'entry/node.js')).replaceAll('\\', '/');
    const path = index.startsWith('.') ? index : `./${index}`;
    writeFileSync(file, plainExports(suppressed(readFileSync(file, 'utf8'))).replaceAll("'#index'", `'${path}'`));
  }
  const sources = Object.values(entries).map(({ source }) => join(out, `entry/${source}.d.ts`));
  const kept = reachable(sources);
  for (const file of everyFile(out)) if (!kept.has(file)) rmSync(file);
  for (const file of kept) {
    const text = readFileSync(file, 'utf8').replace(IMPORT, "$1'$2.cjs'");
    writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), text);
  }
  for (const folder of readdirSync(out, { withFileTypes: true })) {
    const path = join(out, folder.name);
    if (folder.isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
  for (const [name, { source, style }] of Object.entries(entries)) {
    const entry = `types/entry/${source}`;
    mkdirSync(dist, { recursive: true });
    const hasDefault = style !== 'namespace';
    const named = style === 'default' ? '' : `export * from './${entry}.js';\n`;
    writeFileSync(join(dist, `${name}.d.ts`), named + (hasDefault ? `export { default } from './${entry}.js';\n` : ''));
    let common = `export * from './${entry}.cjs';\n`;
    if (style === 'callable') common = callable(entry, exportsOf(join(out, `entry/${source}.d.ts`), ts), out, ts);
    if (style === 'default') common = `import Sha1 from './${entry}.cjs';\nexport = Sha1;\n`;
    writeFileSync(join(dist, `${name}.d.cts`), common);
  }
  // What workerd, and bundlers that know wasm, make of an import of the file.
  const module = 'declare const module: WebAssembly.Module;\nexport default module;\n';
  writeFileSync(join(dist, 'sha1dc.wasm.d.ts'), module);
  writeFileSync(join(dist, 'sha1dc.wasm.d.cts'), module);
  if (!existsSync(join(dist, 'index.d.ts'))) throw new Error('there are no types of the main entry');
}

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

/** Types of Node's are `any` where there are no types of Node: an error there would be the user's to see, not to mend. */
const suppressed = (text) => text.replace(/^(?=import .* from 'node:[^']+';$)/gm, '// @ts-ignore\n');

/** The names of the types that a declaration file exports. */
function typesOf(file, ts) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker
    .getExportsOfModule(symbol)
    .filter((found) => {
      const real = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
      return real.flags & ts.SymbolFlags.Type;
    })
    .map((found) => found.name);
}

/** `module.exports` is the function sha1, with everything else on it. */
function callable(entry, types) {
  return [
    `import * as api from './${entry}.cjs';`,
    '',
    '/** The function sha1, and on it everything else. */',
    `declare const sha1dc: typeof api.sha1 & Omit<typeof api, 'default'> & { readonly default: typeof api.sha1 };`,
    'declare namespace sha1dc {',
    ...types.map((name) => `  export type ${name} = api.${name};`),
    '}',
    'export = sha1dc;',
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
    writeFileSync(file, suppressed(readFileSync(file, 'utf8')).replaceAll("'#index'", `'${path}'`));
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
    if (style === 'callable') common = callable(entry, typesOf(join(out, `entry/${source}.d.ts`), ts));
    if (style === 'default') common = `import Sha1 from './${entry}.cjs';\nexport = Sha1;\n`;
    writeFileSync(join(dist, `${name}.d.cts`), common);
  }
  if (!existsSync(join(dist, 'index.d.ts'))) throw new Error('there are no types of the main entry');
}

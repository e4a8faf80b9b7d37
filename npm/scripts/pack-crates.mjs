// The Rust crates inside what is shipped: for the bill of materials, the notices and the check of licences.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Licences under which a crate may be part of what is shipped. */
const ALLOWED = new Set([
  'MIT',
  'Apache-2.0',
  'Apache-2.0 WITH LLVM-exception',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);

/**
 * What `root` (a crate of this workspace) is made of: `{ name, version, license, compiledIn, folder, external }`, sorted.
 * Crates that only run while compiling (procedural macros and what those use) have `compiledIn: false`.
 */
export function cratesOf(workspace, root) {
  const options = { cwd: workspace, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] };
  const args = ['metadata', '--locked', '--format-version', '1'];
  const { packages, resolve } = JSON.parse(execFileSync(process.env.CARGO || 'cargo', args, options));
  const packageOf = new Map(packages.map((crate) => [crate.id, crate]));
  const nodeOf = new Map(resolve.nodes.map((node) => [node.id, node]));
  const start = packages.find((crate) => crate.name === root && crate.source === null);
  if (!start) throw new Error(`the workspace has no crate ${root}`);

  const compiledIn = new Map();
  const visit = (id, inside) => {
    const macro = packageOf.get(id).targets.some((target) => target.kind.includes('proc-macro'));
    const here = inside && !macro;
    if (compiledIn.get(id) === true || compiledIn.get(id) === here) return;
    compiledIn.set(id, here);
    for (const dependency of nodeOf.get(id).deps) {
      const kinds = dependency.dep_kinds.map((kind) => kind.kind);
      if (kinds.includes(null)) visit(dependency.pkg, here);
      else if (kinds.includes('build')) visit(dependency.pkg, false);
    }
  };
  visit(start.id, true);
  return [...compiledIn]
    .map(([id, inside]) => {
      const { name, version, license, manifest_path: manifest, source } = packageOf.get(id);
      return { name, version, license, compiledIn: inside, folder: dirname(manifest), external: source !== null };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

/** Whether an SPDX expression can be met with licences of the list: `(MIT OR GPL-3.0) AND Zlib` can. */
export function allowed(expression) {
  const words = expression.replace('/', ' OR ').match(/[()]|[^\s()]+/g) ?? [];
  const either = () => {
    let met = both();
    while (words[0] === 'OR') {
      words.shift();
      met = both() || met;
    }
    return met;
  };
  const both = () => {
    let met = one();
    while (words[0] === 'AND') {
      words.shift();
      met = one() && met;
    }
    return met;
  };
  const one = () => {
    const word = words.shift();
    if (word === '(') {
      const met = either();
      words.shift();
      return met;
    }
    if (words[0] !== 'WITH') return ALLOWED.has(word);
    words.shift();
    return ALLOWED.has(`${word} WITH ${words.shift()}`);
  };
  return words.length > 0 && either();
}

/** The licence texts of other people's crates that are compiled in, as one text file. */
export function notices(crates) {
  const parts = crates
    .filter((crate) => crate.external && crate.compiledIn)
    .map((crate) => {
      const files = readdirSync(crate.folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
      // Of "MIT OR Apache-2.0" this takes MIT, whose notice is the one that has to travel.
      const chosen = files.find((file) => /mit/i.test(file)) ?? files.sort()[0];
      const text = chosen ? readFileSync(join(crate.folder, chosen), 'utf8').trim() : `Licence: ${crate.license}`;
      return `${crate.name} ${crate.version} (${crate.license})\n\n${text.replace(/\r\n/g, '\n')}\n`;
    });
  const head =
    'The compiled modules in this package contain code of these crates and of the standard library of Rust\n' +
    '(MIT OR Apache-2.0, The Rust Project Developers).\n';
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

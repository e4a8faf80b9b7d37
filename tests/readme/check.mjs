#!/usr/bin/env node
// node tests/readme/check.mjs
//
// Holds README.md to the package: every export of every entry point is named, the API section has the package's types, the
// JavaScript runs and gives what its comments say, the terminal session is what the command line prints, links lead somewhere.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { attack } from '../vectors/index.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);

// In target/, so that `sha1dc` is found as from any file of the repository.
let folder;
before(() => {
  mkdirSync(join(root, 'target/tests'), { recursive: true });
  folder = mkdtempSync(join(root, 'target/tests/readme-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const half of [1, 2])
    writeFileSync(join(folder, `shattered-${half}.pdf`), attack(`shattered-${half}.pdf`).bytes);
  copyFileSync(join(root, 'LICENSE-MIT'), join(folder, 'LICENSE-MIT'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const entry of ['', '/wasm', '/js', '/register']) {
  test(`every export of sha1dc${entry} is named`, async () => {
    const names = Object.keys(await import(`sha1dc${entry}`)).filter(
      (name) => !['default', 'module.exports'].includes(name),
    );
    ok(names.length > 1);
    const api = readme.slice(readme.indexOf('## API'), readme.indexOf('## Runtimes'));
    deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(api)), []); // prettier-ignore
  });
}

test('every entry point is named', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'npm/package.json'), 'utf8'));
  const names = Object.keys(exports).map((path) => path.replace('.', 'sha1dc'));
  deepEqual(names.filter((name) => !name.endsWith('package.json') && !readme.includes(`\`${name}\``) && name !== 'sha1dc'), []); // prettier-ignore
});

test("the API section has the package's types", () => {
  const [api] = blocks('ts');
  const names = (kind) => [...api.matchAll(new RegExp(`^${kind} (\\w+)`, 'gm'))].map(([, name]) => name);
  const lines = [
    "import * as actual from 'sha1dc';",
    "import type { FileHandle } from 'node:fs/promises';",
    'declare namespace readme {',
    // What the README says in words.
    'type Source = actual.Source; type File = string | URL | FileHandle;',
    api,
    '}',
    // A function can be used as the README has it; its overloads may promise more.
    ...names('function').map((name) => `export const ${name}: typeof readme.${name} = actual.${name};`),
    // Arguments: what the README allows is allowed, and nothing else is.
    ...['Data', 'Encoding', 'Mode', 'Options', 'Progress', 'GitType', 'GitObject'].flatMap((name) => [
      `export const in${name} = (value: readme.${name}): actual.${name} => value;`,
      `export const all${name} = (value: Required<actual.${name}>): Required<readme.${name}> => value;`,
    ]),
    // Results: what the README promises is there; all that is there is in the README.
    ...['Inspection', 'CollisionBlock', 'Backend', 'CollisionError', 'Hash'].map(
      (name) => `export const out${name} = (value: actual.${name}): readme.${name} => value;`,
    ),
    ...[['Inspection'], ['CollisionBlock'], ['Backend'], ['CollisionError'], ['Hash', 'HashMethods']].map(
      ([name, source = name]) =>
        `export const keys${name} = (key: keyof actual.${source}): keyof readme.${name} => key;`,
    ),
    'export const out: readme.Backend = actual.backend;',
  ];
  // `declare namespace` takes neither bodies nor `declare`; optional properties mean the same with and without undefined here.
  writeFileSync(join(folder, 'api.ts'), lines.join('\n'));
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, 'api.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  equal(status, 0, stdout);
  const missing = Object.keys(createRequire(import.meta.url)('sha1dc')).filter(
    (name) =>
      !['default', 'module.exports', 'CollisionError', 'backend'].includes(name) && !names('function').includes(name),
  );
  deepEqual(missing, []);
});

/** `expression; // 'value'` becomes an assertion. Gives the code and how many there are. */
function asserting(code) {
  let count = 0;
  const changed = code.replace(
    /^( *)([^\s/][^\n]*); \/\/ ('(?:[^'\\]|\\.)*'|\d+)[^\n]*$/gm,
    (_, space, expression, value) => {
      count++;
      return `${space}assert.equal(${expression}, ${value});`;
    },
  );
  return { code: changed, count };
}

for (const [i, code] of blocks('js').entries()) {
  test(`JavaScript ${i + 1} runs and gives what it says`, async () => {
    const { code: changed, count } = asserting(code);
    const file = join(folder, `block-${i}.mjs`);
    const end = "\nimport('sha1dc/register').then(({ unregister }) => unregister());";
    writeFileSync(file, `import assert from 'node:assert/strict';\n${changed}${end}`);
    const { status, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
    equal(status, 0, stderr);
    if (/; \/\/ '/.test(code)) ok(count > 2, `${count} assertions`);
  });
}

test('twin, and git blobs, are as the text says', async () => {
  const { hashObject, twin } = await import('sha1dc');
  const [one, two] = [1, 2].map((half) => readFileSync(join(folder, `shattered-${half}.pdf`)));
  ok(two.equals(twin(one)));
  ok(readme.includes(`blob ${one.length}\\0`));
  ok(hashObject('blob', one) !== hashObject('blob', two));
});

test('the terminal session', () => {
  const [session] = blocks('console');
  const [, arguments_, output, exitCode] = /^\$ npx sha1dc ([^\n]*)\n([^]*?)\n\$ echo \$\?\n(\d)$/m.exec(session);
  const { bin } = JSON.parse(readFileSync(join(root, 'npm/package.json'), 'utf8'));
  const run = (...args) =>
    spawnSync(process.execPath, [join(root, 'npm', bin.sha1dc), ...args], { cwd: folder, encoding: 'utf8' });
  const { status, stdout, stderr } = run(...arguments_.split(' '));
  equal(stdout, `${output}\n`, stderr);
  equal(status, Number(exitCode));
  run('--twin', 'other.pdf', 'shattered-1.pdf');
  ok(readFileSync(join(folder, 'other.pdf')).equals(readFileSync(join(folder, 'shattered-2.pdf'))));
});

test('links lead somewhere', () => {
  const heads = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, head]) =>
    head
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const [, link] of readme.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https:/.test(link)) ok(URL.canParse(link), link);
    else if (link.startsWith('#')) ok(heads.includes(link.slice(1)), link);
    else ok(existsSync(fileURLToPath(new URL(link, pathToFileURL(join(root, 'README.md'))))), link);
  }
});

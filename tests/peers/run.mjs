#!/usr/bin/env node
// Runs other people's test suites, unchanged, against this package. None of their code is here: a checkout is given.
//
//   node tests/peers/run.mjs NAME CHECKOUT [--program NODE] [--filter TEXT]
//   node tests/peers/run.mjs --list
//
// Each suite runs twice on a copy of the checkout: as it is, and with this package in the place of what it tests. A test that
// fails only with this package is a failure; one that fails without it too is skipped and says so.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Report } from '../runners/report.mjs';

const require = createRequire(import.meta.url);
const target = fileURLToPath(new URL('../../target/tests/', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    program: { type: 'string', default: process.execPath },
    filter: { type: 'string', default: '' },
  },
});

function execute(args, { cwd, env = {}, timeout = 1800_000 } = {}) {
  const result = spawnSync(options.program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout,
  });
  return { ...result, output: `${result.stdout}\n${result.stderr}` };
}

function install(folder, packages = []) {
  const { status, stderr } = spawnSync(
    'npm',
    [
      'install',
      '--no-workspaces',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--legacy-peer-deps',
      ...packages,
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) throw new Error(`npm install failed: ${stderr}`);
}

/**
 * Of isomorphic-git's many development packages only those that its tests load, at the versions of its own lock file: the
 * others build its website and its releases, and not all of them can still be had.
 */
function installIsomorphicGit(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  const needed = [
    'jest',
    'jest-junit',
    '@isomorphic-git/lightning-fs',
    '@isomorphic-git/pgp-plugin',
    '@zenfs/core',
    'find-up',
    'pretty-format',
    'signal-exit',
    'git-http-mock-server',
    'rollup',
    'rollup-plugin-node-resolve',
  ];
  const pin = (names) => Object.fromEntries(names.map((name) => [name, lock[`node_modules/${name}`].version]));
  delete manifest.scripts;
  manifest.dependencies = pin(Object.keys(manifest.dependencies));
  manifest.devDependencies = pin(needed);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  install(folder);
  // Its tests load what its build makes of src/http.
  execute(['node_modules/rollup/dist/bin/rollup', '-c'], { cwd: folder });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** The server of repositories that isomorphic-git's tests of submodules and remotes talk to. */
async function withMockServer(folder, body) {
  const PORT = 8888;
  if (await answers(PORT)) throw new Error(`something else listens on port ${PORT}`);
  const server = spawn(options.program, ['node_modules/git-http-mock-server/http-server.js'], {
    cwd: folder,
    env: { ...process.env, GIT_HTTP_MOCK_SERVER_PORT: `${PORT}`, GIT_HTTP_MOCK_SERVER_ROOT: '__tests__/__fixtures__' },
    stdio: 'ignore',
  });
  const gone = new Promise((done) => server.on('exit', done));
  try {
    for (let tries = 0; !(await answers(PORT)); tries++) {
      if (tries === 240 || server.exitCode !== null) throw new Error('git-http-mock-server does not answer');
      await new Promise((done) => setTimeout(done, 250));
    }
    const result = body();
    if (!(await answers(PORT))) throw new Error('git-http-mock-server died');
    return result;
  } finally {
    server.kill();
    // Else the next one finds the port taken.
    await gone;
  }
}

/** Assertions of a TAP stream as [{ name, passed, why }], equal names numbered. Some are named after random bytes. */
function tap(output) {
  const seen = new Map();
  return [...output.matchAll(/^(not )?ok \d+ (.*)$((?:\n {2}.*)*)/gm)].map(([, not, full, more]) => {
    const name = full.replace(/\([0-9a-f]{64}\)$/, '');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name: count > 1 ? `${name} (${count})` : name, passed: !not, why: more };
  });
}

/** What `--require` takes, once it has been seen to work: with it, an attack must be refused. */
function register() {
  const path = require.resolve('sha1dc/register');
  const vectors = readFileSync(new URL('../vectors/attacks.json', import.meta.url), 'utf8');
  const { base64 } = JSON.parse(vectors).attacks.find((attack) => attack.name === 'sha-mbles-1.bin');
  const code = `require('node:crypto').createHash('sha1').update(Buffer.from('${base64}', 'base64')).digest()`;
  if (!/CollisionError/.test(execute(['--require', path, '--eval', code]).stderr)) {
    throw new Error('sha1dc/register is not in effect');
  }
  return path;
}

/** Each: `prepare(folder)` once, then `run({ folder, ours })` giving [{ name, passed, why }]. */
const suites = {
  'sha.js': {
    about: 'sha.js: its tests of SHA-1, on sha1dc/sha1.js',
    prepare: (folder) => install(folder, ['tape@5', 'hash-test-vectors@1', 'safe-buffer', 'inherits', 'to-buffer']),
    run: ({ folder, ours }) =>
      tapFiles(folder, ['test/test.js', 'test/vectors.js'], ours, /^(?!sha(0|224|256|384|512)\b)/),
  },
  'create-hash': {
    about: 'create-hash: its tests of SHA-1, on createHash',
    prepare: (folder) => install(folder, ['tape@5', 'hash-test-vectors@1']),
    run: ({ folder, ours }) =>
      tapFiles(folder, ['test/index.js'], ours, /^(?!sha(224|256|384|512)|md5|rmd160|ripemd160)/),
  },
  node: {
    about: "Node's test/parallel hash cases, with sha1dc/register",
    prepare: () => {},
    run({ folder, ours }) {
      const wanted =
        /^test-(crypto-(hash|oneshot-hash|stream|update-encoding)|webcrypto-digest|crypto-hash-stream-pipe)[-\w]*\.m?js$/;
      const names = readdirSync(join(folder, 'test/parallel')).filter((name) => wanted.test(name));
      return names.map((name) => {
        const path = join(folder, 'test/parallel', name);
        const flags = /^\/\/ Flags: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1].split(' ') ?? [];
        const { status, output } = execute([...flags, ...(ours ? ['--require', register()] : []), path], {
          cwd: folder,
        });
        return { name, passed: status === 0, why: output.slice(-2000) };
      });
    },
  },
  wpt: {
    about: "web-platform-tests: WebCryptoAPI/digest, with sha1dc/register (also Node's copy, under test/fixtures/wpt)",
    prepare: () => {},
    run({ folder, ours }) {
      const root = existsSync(join(folder, 'WebCryptoAPI')) ? folder : join(folder, 'test/fixtures/wpt');
      const args = [
        join(here, 'wpt.mjs'),
        join(root, 'resources/testharness.js'),
        join(root, 'WebCryptoAPI/digest/digest.https.any.js'),
      ];
      const { stdout, output } = execute([...(ours ? ['--require', register()] : []), ...args], { cwd: folder });
      try {
        return JSON.parse(stdout.trim().split('\n').at(-1));
      } catch {
        throw new Error(output);
      }
    },
  },
  'isomorphic-git': {
    about: 'isomorphic-git: its own suite, with sha1dc/register',
    prepare: installIsomorphicGit,
    async run({ folder, ours }) {
      const json = join(folder, `results-${ours}.json`);
      const args = [
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--ci',
        '--forceExit',
        '--json',
        `--outputFile=${json}`,
        '--reporters=default',
        ...(options.filter ? ['--testPathPatterns', options.filter] : []),
      ];
      const { output } = await withMockServer(folder, () =>
        execute(args, { cwd: folder, env: ours ? { NODE_OPTIONS: `--require ${register()}` } : {} }),
      );
      if (!existsSync(json)) throw new Error(output.slice(-4000));
      return JSON.parse(readFileSync(json, 'utf8')).testResults.flatMap(({ name, assertionResults, message }) => {
        const file = basename(name);
        if (assertionResults.length === 0) return [{ name: file, passed: false, why: message }];
        return assertionResults
          .filter(({ status }) => status === 'passed' || status === 'failed')
          .map(({ fullName, status, failureMessages }) => ({
            name: `${file}: ${fullName}`,
            passed: status === 'passed',
            why: failureMessages.join('\n'),
          }));
      });
    },
  },
};

function tapFiles(folder, files, ours, wanted) {
  return files.flatMap((file) => {
    const env = {
      SHA1DC_PEER_CHECKOUT: folder,
      SHA1DC_PEER_MODULE: require.resolve('sha1dc'),
      SHA1DC_PEER_SHA1_MODULE: require.resolve('sha1dc/sha1.js'),
    };
    const { output, status } = execute([...(ours ? ['--require', join(here, 'sha.js.cjs')] : []), file], {
      cwd: folder,
      env,
    });
    const results = tap(output)
      .filter(({ name }) => wanted.test(name))
      .map((result) => ({ ...result, name: `${file}: ${result.name}` }));
    if (results.length === 0) throw new Error(output.slice(-3000));
    const ended = /^# tests \d+/m.test(output);
    if (ours && !/^# sha1dc made [1-9]\d* hashes$/m.test(output)) throw new Error('sha1dc was not used by these tests');
    return [
      ...results,
      { name: `${file} runs to its end`, passed: ended, why: `exit code ${status}\n${output.slice(-2000)}` },
    ];
  });
}

if (options.list) {
  for (const [name, { about }] of Object.entries(suites)) console.log(`${name}: ${about}`);
  process.exit(0);
}
const [name, checkout] = positionals;
if (!suites[name] || !checkout || !existsSync(checkout)) {
  console.error(`a suite (${Object.keys(suites).join(', ')}) and a checkout of it are needed`);
  process.exit(2);
}

mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(target, `peer-${name}-`));
const report = new Report();
report.start(name);
report.event({ event: 'start', runtime: options.program });
try {
  cpSync(resolve(checkout), folder, { recursive: true, filter: (path) => basename(path) !== '.git' });
  suites[name].prepare(folder);
  const before = new Map((await suites[name].run({ folder, ours: false })).map((result) => [result.name, result]));
  const after = await suites[name].run({ folder, ours: true });
  const seen = new Set();
  for (const { name: test, passed, why } of after) {
    if (!`${test}`.includes(options.filter) && name !== 'isomorphic-git') continue;
    seen.add(test);
    if (passed) report.event({ event: 'result', name: test, status: 'passed', milliseconds: 0 });
    else if (before.get(test)?.passed === false) report.skip(test, 'it fails without this package too');
    else report.fail(test, why ?? '');
  }
  for (const [test, { passed }] of before) {
    if (passed && !seen.has(test) && `${test}`.includes(options.filter))
      report.fail(test, 'it ran without this package and not with it');
  }
  report.event({ event: 'end' });
  report.finish();
} catch (error) {
  report.fail('the suite', error.stack);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(join(target, `peer-${name}.json`), JSON.stringify(report.runs, null, 1));
process.exitCode = report.close();

// node npm/scripts/pack-registry.mjs --from DIR --platform NAME
//
// Publishes the packed tarballs to a registry on loopback and installs from there with npm, pnpm and both kinds of yarn:
// with the platform packages as optional dependencies, and without them. For the platforms that are not in DIR, a package
// with nothing but its package.json stands in; no manager may install those here.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { attack } from '../../tests/vectors/index.mjs';
import { PLATFORMS } from './pack.mjs';

/** The newest that run on Node 20. They are no dependencies of the workspace: only this needs them. */
const TOOLS = { verdaccio: '6.3.2', pnpm: '10.34.8', yarn: '1.22.22', '@yarnpkg/cli-dist': '4.18.1' };

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({ options: { from: { type: 'string' }, platform: { type: 'string' } } });
const from = resolve(values.from);
const { version } = JSON.parse(readFileSync(join(workspace, 'npm/package.json'), 'utf8'));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sha1dc-registry-')));
const shell = process.platform === 'win32';
let passed = 0;
let failed = 0;

function run(folder, program, args, env = {}) {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    shell: shell && program !== process.execPath,
  });
  if (error) throw error;
  assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

async function check(name, body) {
  try {
    await body();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}

/** Installs the package managers and the registry, once, and gives the path of a file in there. */
function tools() {
  const folder = join(workspace, 'target/xtask/registry');
  // The registry asks for "node-fetch@cjs": a tag, which mirrors need not carry.
  const manifest = JSON.stringify({ private: true, dependencies: TOOLS, overrides: { 'node-fetch': '2.7.0' } });
  const done = join(folder, 'installed.json');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== manifest) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-package-lock'];
    run(folder, 'npm', ['install', '--no-workspaces', '--prefix', folder, ...quiet]);
    writeFileSync(done, manifest);
  }
  return (path) => join(folder, 'node_modules', path);
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** Starts verdaccio, with no registry behind it. Gives its address and how to stop it. */
async function registry(tool) {
  const config = join(scratch, 'config.yaml');
  const rules = { access: '$all', publish: '$all', unpublish: '$all' };
  const settings = {
    storage: join(scratch, 'storage'),
    uplinks: {},
    packages: { '**': rules },
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  };
  // YAML takes JSON.
  writeFileSync(config, JSON.stringify(settings));
  const port = await freePort();
  const args = [tool('verdaccio/bin/verdaccio'), '--config', config, '--listen', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, args, { cwd: scratch, stdio: ['ignore', 'inherit', 'inherit'] });
  const address = `http://127.0.0.1:${port}/`;
  for (let tries = 0; ; tries++) {
    try {
      await fetch(`${address}-/ping`);
      return { address, stop: () => child.kill() };
    } catch {
      if (tries === 300 || child.exitCode !== null) throw new Error('the registry did not start');
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** What the package managers are told; none of the user's own settings and caches. */
function surroundings(address) {
  const home = join(scratch, 'home');
  mkdirSync(home, { recursive: true });
  const npmrc = join(home, '.npmrc');
  writeFileSync(npmrc, `registry=${address}\n${address.replace('http:', '')}:_authToken=anybody\n`);
  return {
    HOME: home,
    USERPROFILE: home,
    CI: 'true',
    npm_config_userconfig: npmrc,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_registry: address,
    YARN_NPM_REGISTRY_SERVER: address,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_NPM_MINIMAL_AGE_GATE: '0', // what was published a second ago may be used
  };
}

function publish(env) {
  const flags = ['--provenance=false', '--access=public', '--loglevel=error'];
  const tarballs = readdirSync(from).filter((file) => file.endsWith('.tgz'));
  for (const [platform, { os, cpu, libc }] of Object.entries(PLATFORMS)) {
    const tarball = `sha1dc-${platform}-${version}.tgz`;
    if (tarballs.includes(tarball)) {
      run(scratch, 'npm', ['publish', join(from, tarball), ...flags], env);
      continue;
    }
    const folder = join(scratch, `stand-in-${platform}`);
    mkdirSync(folder);
    const manifest = { name: `sha1dc-${platform}`, version, os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    run(folder, 'npm', ['publish', ...flags], env);
  }
  run(scratch, 'npm', ['publish', join(from, `sha1dc-${version}.tgz`), ...flags], env);
}

/** Uses what was installed. `node` is how this project starts Node, `bin` how it starts the command line. */
function use(folder, env, kind, { node = [process.execPath], bin }) {
  const start = (args) => run(folder, node[0], [...node.slice(1), ...args], env);
  // Files, since Yarn's hooks do not reach a module that is given on the command line.
  for (const [file, code] of [
    ['use.mjs', "import { backend } from 'sha1dc'; console.log(JSON.stringify(backend))"],
    ['use.cjs', "console.log(JSON.stringify(require('sha1dc').backend))"],
  ]) {
    writeFileSync(join(folder, file), code);
    const backend = JSON.parse(start([file]).trim());
    assert.equal(backend.kind, kind, JSON.stringify(backend));
    if (kind !== 'native') assert.match(backend.reason, /\S/);
  }
  writeFileSync(join(folder, 'attack.bin'), attack('sha-mbles-1.bin').bytes);
  const [program, ...args] = bin;
  const result = spawnSync(program, [...args, 'attack.bin'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    shell,
  });
  assert.equal(
    result.stdout.trim().split('\n').at(-1),
    `${attack('sha-mbles-1.bin').digest} *coll* attack.bin`,
    result.stderr,
  );
}

function project(name) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true }));
  return folder;
}

const tool = tools();
const pnpm = [process.execPath, tool('pnpm/bin/pnpm.cjs')];
const yarn1 = [process.execPath, tool('yarn/bin/yarn.js')];
const yarn4 = [process.execPath, tool('@yarnpkg/cli-dist/bin/yarn.js')];
const npx = ['npx', '--no-install', 'sha1dc'];
const call = (folder, command, args, env) => run(folder, command[0], [...command.slice(1), ...args], env);

const { address, stop } = await registry(tool);
try {
  const env = surroundings(address);
  await check('all packages are published', () => publish(env));
  const platforms = (folder) => readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('sha1dc-'));

  await check('npm: native', () => {
    const folder = project('npm');
    run(folder, 'npm', ['install', 'sha1dc'], env);
    assert.deepEqual(platforms(folder), [`sha1dc-${values.platform}`]);
    use(folder, env, 'native', { bin: npx });
  });
  await check('npm, again from its lock file', () => {
    const folder = join(scratch, 'npm');
    run(folder, 'npm', ['ci'], env);
    assert.deepEqual(platforms(folder), [`sha1dc-${values.platform}`]);
  });
  await check('npm --omit=optional: wasm', () => {
    const folder = project('npm-omit');
    run(folder, 'npm', ['install', '--omit=optional', 'sha1dc'], env);
    use(folder, env, 'wasm', { bin: npx });
  });
  await check('pnpm: native', () => {
    const folder = project('pnpm');
    call(folder, pnpm, ['add', 'sha1dc'], env);
    use(folder, env, 'native', { bin: [...pnpm, 'exec', 'sha1dc'] });
  });
  await check('pnpm --no-optional: wasm', () => {
    const folder = project('pnpm-omit');
    call(folder, pnpm, ['add', '--no-optional', 'sha1dc'], env);
    use(folder, env, 'wasm', { bin: [...pnpm, 'exec', 'sha1dc'] });
  });
  await check('yarn 1: native', () => {
    const folder = project('yarn1');
    call(folder, yarn1, ['add', 'sha1dc'], env);
    use(folder, env, 'native', { bin: [...yarn1, '--silent', 'sha1dc'] });
  });
  await check('yarn 1 --ignore-optional: wasm', () => {
    const folder = project('yarn1-omit');
    call(folder, yarn1, ['add', '--ignore-optional', 'sha1dc'], env);
    use(folder, env, 'wasm', { bin: [...yarn1, '--silent', 'sha1dc'] });
  });
  await check("yarn 4, Plug'n'Play: native", () => {
    const folder = project('yarn4');
    // An empty lock file says that this folder is a project of its own.
    writeFileSync(join(folder, 'yarn.lock'), '');
    call(folder, yarn4, ['add', 'sha1dc'], env);
    use(folder, env, 'native', { node: [...yarn4, 'node'], bin: [...yarn4, 'sha1dc'] });
  });
} finally {
  stop();
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

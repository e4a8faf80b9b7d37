#!/usr/bin/env node
// Builds a small project with each bundler, framework and test runner, as a user would, and runs what came out.
//
//   node tests/loaders/run.mjs [NAME...] [--list] [--strict] [--from DIR]
//
// Every project is laid out in a folder of its own with its tools and the package in node_modules: the package packed as
// for publishing, or with --from the one installed there. Last line and exit code are those of tests/run.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { installInto } from '../runners/installed.mjs';
import { findChromium, launchChromium } from '../runners/launch.mjs';
import { Report } from '../runners/report.mjs';
import { serve } from '../runners/serve.mjs';
import { expected } from './common/expected.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../target/tests/', import.meta.url));
const all = readdirSync(here, { withFileTypes: true })
  .filter((entry) => existsSync(join(here, entry.name, 'loader.mjs')))
  .map(({ name }) => name);

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    strict: { type: 'boolean' },
    from: { type: 'string' },
    keep: { type: 'boolean' },
  },
});
if (options.list) {
  for (const name of all) console.log(name);
  process.exit(0);
}
for (const name of positionals) {
  if (!all.includes(name)) {
    console.error(`no loader is called "${name}"; there are ${all.join(', ')}`);
    process.exit(2);
  }
}

/** The packages to be tested, as folders to copy into node_modules. */
function packages() {
  if (options.from) {
    const modules = resolve(options.from, 'node_modules');
    return readdirSync(modules)
      .filter((name) => /^sha1dc(-|$)/.test(name))
      .map((name) => ({ name, path: join(modules, name) }));
  }
  const folder = mkdtempSync(join(target, 'packed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const npm = fileURLToPath(new URL('../../npm/', import.meta.url));
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: npm,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
  const tarball = join(folder, packed.stdout.trim().split('\n').at(-1));
  spawnSync('tar', ['-xzf', tarball, '-C', folder]);
  // The native module of this machine is a package of its own when published; here it lies beside the workspace's.
  const natives = join(npm, 'native');
  if (existsSync(natives)) cpSync(natives, join(folder, 'package', 'native'), { recursive: true });
  return [{ name: 'sha1dc', path: join(folder, 'package') }];
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

function makeTools(folder) {
  const children = [];
  const execute = (command, args, { env = {} } = {}) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, ...env, CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const done = new Promise((ok, fail) => {
      child.on('error', fail);
      child.on('close', (code, signal) =>
        code === 0 || signal
          ? ok(output)
          : fail(new Error(`${args.join(' ')} ended with ${code}:\n${output.slice(-4000)}`)),
      );
    });
    done.catch(() => {});
    return Object.assign(done, { child });
  };
  const script = (path, args, settings) => execute(process.execPath, [path, ...args], settings);
  const bin = (name, args, settings) => {
    const manifestPath = join(folder, 'node_modules', name, 'package.json');
    const manifest = existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, 'utf8')) : {};
    const own = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[name];
    if (own && !/\.exe$/.test(own) && name !== 'esbuild')
      return script(join(folder, 'node_modules', name, own), args, settings);
    return execute(join(folder, 'node_modules', '.bin', name), args, settings);
  };

  async function page(subfolder) {
    let tell;
    const told = new Promise((done) => (tell = done));
    const server = await serve(join(folder, subfolder), { onEvent: tell });
    const browser = await launchChromium(`${server.origin}/`);
    const timer = setTimeout(() => tell({ failed: 'the page said nothing within 60 s' }), 60000);
    try {
      return await Promise.race([told, browser.gone.then((failed) => ({ failed }))]);
    } finally {
      clearTimeout(timer);
      await browser.close();
      await server.close();
    }
  }

  async function serverWith(start, body) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const running = start(port);
    let ended;
    running.then(
      (output) => (ended = output),
      (error) => (ended = error.message),
    );
    try {
      for (let tries = 0; ; tries++) {
        if (ended !== undefined) throw new Error(`the server ended: ${ended}`);
        if (tries > 300) throw new Error('the server did not answer within 60 s');
        try {
          await fetch(origin);
          break;
        } catch {
          await new Promise((done) => setTimeout(done, 200));
        }
      }
      const open = async (path, use) => {
        const browser = await launchChromium(`${origin}${path}`);
        try {
          await use(browser.page);
        } finally {
          await browser.close();
        }
      };
      return await body({ origin, open });
    } finally {
      running.child.kill();
      await running.catch(() => {});
    }
  }

  /** A page from a server of the tool's own: what it posts to /events is caught in the browser. */
  function server(start) {
    return serverWith(start, async ({ open }) => {
      let result;
      await open('/', async (tab) => {
        const posted = (request) => request.method() === 'POST' && request.url().endsWith('/events');
        const seen = new Promise((done) => tab.on('request', (request) => posted(request) && done(request.postData())));
        // The page may have posted already: it is loaded again with somebody listening.
        await tab.reload();
        result = await Promise.race([
          seen.then(JSON.parse),
          new Promise((done) => setTimeout(() => done({ failed: 'the page said nothing within 60 s' }), 60000).unref()),
        ]);
      });
      return result;
    });
  }

  async function node(path, { elsewhere = false } = {}) {
    let file = join(folder, path);
    let away;
    if (elsewhere) {
      away = mkdtempSync(join(target, 'elsewhere-'));
      cpSync(dirname(file), away, { recursive: true });
      writeFileSync(join(away, 'package.json'), '{"type":"module"}');
      file = join(away, file.slice(dirname(file).length + 1));
    }
    try {
      return JSON.parse((await script(file, [])).trim().split('\n').at(-1));
    } finally {
      if (away) rmSync(away, { recursive: true });
    }
  }

  return {
    folder,
    script,
    bin,
    page,
    server,
    serverWith,
    node,
    copy: (from, to) => cpSync(join(folder, from), join(folder, to)),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    stop: () => children.forEach((child) => child.exitCode === null && child.kill()),
  };
}

mkdirSync(target, { recursive: true });
const report = new Report();
const sources = packages();
const attacks = JSON.parse(readFileSync(new URL('../vectors/attacks.json', import.meta.url), 'utf8')).attacks;
const attack = attacks.find(({ name }) => name === 'sha-mbles-1.bin').base64;

function judge(result, kind) {
  if (kind === null) return undefined;
  if (result.failed) return result.failed;
  for (const [key, value] of Object.entries(expected)) {
    if (result[key] !== value) return `${key} is ${JSON.stringify(result[key])}, expected ${JSON.stringify(value)}`;
  }
  if (kind && result.kind !== kind)
    return `the backend is ${result.kind} ${result.name} (${result.reason}), expected ${kind}`;
  return undefined;
}

for (const name of positionals.length > 0 ? positionals : all) {
  report.start(name);
  const loader = await import(`./${name}/loader.mjs`);
  const { home, problem } = installInto(`loader-${name}`, loader.dependencies);
  if (problem || !findChromium()) {
    const reason = problem ?? 'no Chromium or Chrome was found (CHROME_BIN names one)';
    if (options.strict) report.fail('the tools', reason);
    else report.skip('the tools', reason);
    continue;
  }
  // The project is laid out beside its tools: bundlers dislike node_modules that are links.
  const kept = new Set(['node_modules', 'installed.json']);
  for (const entry of readdirSync(home)) if (!kept.has(entry)) rmSync(join(home, entry), { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  // Tools look upwards for the root of a project: a lock file says that it is here.
  writeFileSync(join(home, 'package-lock.json'), '{}\n');
  writeFileSync(join(home, 'attack.mjs'), `export const attack = '${attack}';\n`);
  cpSync(join(here, 'common', 'check.mjs'), join(home, 'check.mjs'));
  for (const file of loader.files) {
    const own = join(here, name, file);
    mkdirSync(dirname(join(home, file)), { recursive: true });
    cpSync(existsSync(own) ? own : join(here, 'common', file), join(home, file));
  }
  for (const source of sources) {
    rmSync(join(home, 'node_modules', source.name), { recursive: true, force: true });
    cpSync(source.path, join(home, 'node_modules', source.name), { recursive: true });
  }
  const tools = makeTools(home);
  const started = Date.now();
  try {
    for await (const { what, kind, run } of loader.cases(tools)) {
      let result;
      let error;
      try {
        result = await run();
        error = judge(result, kind);
      } catch (thrown) {
        error = thrown.stack ?? String(thrown);
      }
      if (error) report.fail(what, error);
      else {
        report.event({ event: 'result', name: what, status: 'passed', milliseconds: 0 });
        console.log(`        ${name}, ${what}: ${kind === null ? 'fine' : `${result.kind} ${result.name}`}`);
      }
    }
  } catch (error) {
    report.fail('the project', error.stack ?? String(error));
  } finally {
    tools.stop();
  }
  report.event({ event: 'end' });
  console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
process.exitCode = report.close();

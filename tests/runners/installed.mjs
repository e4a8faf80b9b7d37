// Runtimes that the npm registry carries as packages: installed on first use, at the versions written here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.runtimes/', import.meta.url));

const OS = { linux: 'linux', darwin: 'darwin', win32: 'win' }[process.platform];
const exe = process.platform === 'win32' ? '.exe' : '';
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;

const nodePackage = `node-${OS}-${process.arch}`;
const denoPackage = {
  linux: `@deno/linux-${process.arch}-glibc`,
  darwin: `@deno/darwin-${process.arch}`,
  win32: `@deno/win32-${process.arch}`,
}[process.platform];
const bunCpu = process.arch === 'arm64' ? 'aarch64' : process.arch;
const bunPackage = `@oven/bun-${process.platform === 'win32' ? 'windows' : process.platform}-${bunCpu}${musl ? '-musl' : ''}`;
const workerdPackage = `@cloudflare/workerd-${{ linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform]}-${process.arch === 'x64' ? '64' : process.arch}`;

/** name: [package, version, path of the program inside it] */
const PACKAGES = {
  node20: [nodePackage, '20.20.2', `bin/node${exe}`],
  node22: [nodePackage, '22.23.5', `bin/node${exe}`],
  node24: [nodePackage, '24.22.3', `bin/node${exe}`],
  node26: [nodePackage, '26.12.1', `bin/node${exe}`],
  deno: [denoPackage, '2.9.6', `deno${exe}`],
  bun: [bunPackage, '1.4.5', `bin/bun${exe}`],
  workerd: [workerdPackage, '1.20261117.1', `bin/workerd${exe}`],
  miniflare: ['miniflare', '4.20260730.0', 'dist/src/index.js'],
};

export const installable = Object.keys(PACKAGES);

/** Installs packages into a folder of their own under tests/.runtimes/, unless they are there; says what went wrong. */
export function installInto(name, dependencies) {
  const home = join(folder, name);
  const manifest = `${JSON.stringify({ private: true, dependencies }, null, 1)}\n`;
  const done = join(home, 'installed.json');
  if (existsSync(done) && readFileSync(done, 'utf8') === manifest) return { home };
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), manifest);
  const { status, stderr, error } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      home,
      '--no-workspaces',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    {
      cwd: home,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0)
    return {
      home,
      problem: `npm install failed: ${(error?.message ?? stderr).trim().split('\n').slice(0, 3).join(' ')}`,
    };
  writeFileSync(done, manifest);
  return { home };
}

/** Where the program is, `undefined` when it is not installed (and not to be). */
export function locate(name, { install = false } = {}) {
  const [package_, version, program] = PACKAGES[name];
  if (install) {
    const { problem } = installInto(name, { [package_]: version });
    if (problem) return { problem };
  }
  const path = join(folder, name, 'node_modules', package_, program);
  return existsSync(path)
    ? { path }
    : { problem: `not installed yet (${package_} ${version}); running it installs it` };
}

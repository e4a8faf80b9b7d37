// node npm/scripts/pack.mjs --out DIR [--platform NAME]...
//
// Makes what is published: the main package, and one package per platform with its native module. The main package names
// the platform packages as optional dependencies of exactly its own version; the workspace does not, since they cannot be
// in a registry before they are built. Beside the tarballs: their checksums and the bill of materials.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cratesOf, notices } from './pack-crates.mjs';
import { billOfMaterials } from './pack-sbom.mjs';

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../..');
const source = join(workspace, 'npm');

/** Name -> what package.json says of the systems that npm installs it on, and words for people. */
export const PLATFORMS = {
  'linux-x64-gnu': { os: 'linux', cpu: 'x64', libc: 'glibc', words: 'Linux on x86-64, glibc' },
  'linux-arm64-gnu': { os: 'linux', cpu: 'arm64', libc: 'glibc', words: 'Linux on ARM64, glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl', words: 'Linux on x86-64, musl' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl', words: 'Linux on ARM64, musl' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', words: 'macOS on x86-64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', words: 'macOS on Apple silicon' },
  'win32-x64-msvc': { os: 'win32', cpu: 'x64', words: 'Windows on x86-64' },
  'win32-arm64-msvc': { os: 'win32', cpu: 'arm64', words: 'Windows on ARM64' },
};

const packageName = (platform) => `sha1dc-${platform}`;
const moduleName = (platform) => `sha1dc.${platform}.node`;

function main() {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, platform: { type: 'string', multiple: true, default: [] } },
  });
  if (!values.out) throw new Error('--out DIR is missing');
  const out = resolve(values.out);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  sameVersionAsCrates(manifest.version);

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const stages = mkdtempSync(join(tmpdir(), 'sha1dc-pack-'));
  try {
    const files = [pack(stageMain(join(stages, 'main'), manifest), out)];
    for (const platform of values.platform)
      files.push(pack(stagePlatform(join(stages, platform), platform, manifest), out));
    const tarballs = files.map((file) => ({
      file,
      sha256: createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex'),
    }));
    writeFileSync(join(out, 'SHA256SUMS'), tarballs.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
    const bill = billOfMaterials({ version: manifest.version, tarballs });
    writeFileSync(join(out, 'sbom.cdx.json'), JSON.stringify(bill, null, 2) + '\n');
  } finally {
    rmSync(stages, { recursive: true, force: true });
  }
}

/** One version for the whole repository: a mismatch would be noticed by users only. */
function sameVersionAsCrates(version) {
  const crates = cratesOf(workspace, 'sha1dc-node').filter((crate) => !crate.external);
  for (const crate of crates) {
    if (crate.version !== version) {
      throw new Error(`npm/package.json is version ${version}, but the crate ${crate.name} is ${crate.version}`);
    }
  }
}

function stageMain(stage, manifest) {
  const { scripts: _scripts, devDependencies: _devDependencies, private: _private, ...published } = manifest;
  published.optionalDependencies = Object.fromEntries(
    Object.keys(PLATFORMS).map((platform) => [packageName(platform), manifest.version]),
  );
  mkdirSync(stage, { recursive: true });
  for (const entry of manifest.files ?? []) {
    // A list of files and folders; what npm/package.json excludes with "!" is left to npm, which reads the same list.
    const name = entry.replace(/\/?\*\*.*$/, '').replace(/\/$/, '');
    if (name && !name.startsWith('!') && existsSync(join(source, name))) {
      cpSync(join(source, name), join(stage, name), { recursive: true });
    }
  }
  published.files = [...new Set([...(manifest.files ?? []), 'THIRD-PARTY-LICENSES.txt', 'LICENSE-*', 'CHANGELOG.md'])];
  common(stage, published, 'sha1dc-wasm');
  const readme = [join(source, 'README.md'), join(workspace, 'README.md')].find(existsSync);
  if (!readme) throw new Error('there is no README.md');
  writeFileSync(join(stage, 'README.md'), withAddresses(readFileSync(readme, 'utf8'), manifest));
  const changes = join(workspace, 'CHANGELOG.md');
  if (existsSync(changes)) cpSync(changes, join(stage, 'CHANGELOG.md'));
  return stage;
}

/** The README with whole addresses, at this version, for its links to files of the repository, which the package lacks. */
export function withAddresses(readme, { version, repository }) {
  const base = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const raw = base.replace('https://github.com/', 'https://raw.githubusercontent.com/');
  const address = (bang, path) => {
    if (bang) return `${raw}/v${version}/${path}`;
    const [file] = path.split('#');
    if (!existsSync(join(workspace, file))) throw new Error(`README.md links to ${path}, which is not there`);
    return `${base}/${statSync(join(workspace, file)).isDirectory() ? 'tree' : 'blob'}/v${version}/${path}`;
  };
  return readme.replace(
    /(!?)(\[[^\]]*\]\()(?!https?:|#)([^)\s]+)(?=\))/g,
    (_, bang, words, path) => `${bang}${words}${address(bang, path)}`,
  );
}

function stagePlatform(stage, platform, manifest) {
  const about = PLATFORMS[platform];
  if (!about) throw new Error(`no platform is called ${platform}: ${Object.keys(PLATFORMS).join(', ')}`);
  const module = join(source, 'native', moduleName(platform));
  if (!existsSync(module)) throw new Error(`npm/native/${moduleName(platform)} has not been built`);
  mkdirSync(stage, { recursive: true });
  cpSync(module, join(stage, moduleName(platform)));
  const published = {
    name: packageName(platform),
    version: manifest.version,
    description: `The native module of sha1dc for ${about.words}`,
    license: manifest.license,
    author: manifest.author,
    repository: manifest.repository,
    homepage: manifest.homepage,
    bugs: manifest.bugs,
    engines: manifest.engines,
    main: moduleName(platform),
    files: [moduleName(platform), 'THIRD-PARTY-LICENSES.txt', 'LICENSE-*'],
    os: [about.os],
    cpu: [about.cpu],
    ...(about.libc && { libc: [about.libc] }),
    // A module can be loaded from a real file only, not out of Yarn's archives.
    preferUnplugged: true,
    publishConfig: manifest.publishConfig,
  };
  common(stage, published, 'sha1dc-node');
  const words = `# ${published.name}\n\n${published.description}. It is installed by \`sha1dc\`; do not install it by itself.\n`;
  writeFileSync(join(stage, 'README.md'), words);
  return stage;
}

function common(stage, manifest, crate) {
  writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, 2) + '\n');
  for (const file of readdirSync(workspace)) {
    if (file.startsWith('LICENSE-')) cpSync(join(workspace, file), join(stage, file));
  }
  writeFileSync(join(stage, 'THIRD-PARTY-LICENSES.txt'), notices(cratesOf(workspace, crate)));
}

/** `npm pack` sets times, owners and order itself, so equal files give an equal tarball. Gives the tarball's name. */
function pack(stage, out) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', out];
  const npm = spawnSync('npm', args, { cwd: stage, encoding: 'utf8', shell: process.platform === 'win32' });
  if (npm.status !== 0) throw new Error(`npm pack failed in ${stage}:\n${npm.stderr}`);
  const [{ filename }] = JSON.parse(npm.stdout);
  console.log(filename);
  return filename;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

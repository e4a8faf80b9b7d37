// Packs the example as an application is shipped: an asar archive, with the native module beside it.
const fs = require('node:fs');
const path = require('node:path');

const asar = require('@electron/asar');

const FILES = ['package.json', 'main.cjs', 'preload.cjs', 'worker.cjs', 'serve.cjs', 'index.html', 'renderer.mjs'];

/** The folders of sha1dc and of the native modules that are installed with it, by name. */
function packages() {
  const sha1dc = path.dirname(require.resolve('sha1dc/package.json'));
  const found = { sha1dc };
  const beside = path.dirname(sha1dc);
  for (const name of fs.readdirSync(beside)) {
    const native = /^sha1dc-(linux|darwin|win32)-/.test(name);
    if (native) found[name] = path.join(beside, name);
  }
  return found;
}

/** Writes `folder`/app.asar and `folder`/app.asar.unpacked. Gives the archive's path. */
exports.pack = async function pack(folder) {
  const stage = path.join(folder, 'stage');
  fs.mkdirSync(stage, { recursive: true });
  for (const file of FILES) fs.copyFileSync(path.join(__dirname, file), path.join(stage, file));
  for (const [name, from] of Object.entries(packages())) {
    const to = path.join(stage, 'node_modules', name);
    for (const part of [
      'package.json',
      'dist',
      'native',
      ...fs.readdirSync(from).filter((file) => file.endsWith('.node')),
    ]) {
      if (fs.existsSync(path.join(from, part)))
        fs.cpSync(path.join(from, part), path.join(to, part), { recursive: true });
    }
  }
  const archive = path.join(folder, 'app.asar');
  // A library cannot be loaded out of an archive: Electron would write it to a temporary file at each start.
  await asar.createPackageWithOptions(stage, archive, { unpack: '**/*.node' });
  fs.rmSync(stage, { recursive: true });
  return archive;
};

// Runs the example in a real Electron, from its folder and out of an asar archive, and checks what each process says. For
// machines that have Electron: `npm install --no-save --ignore-scripts=false electron`, then `npm run electron`.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { pack } = require('./pack.cjs');

/** Examines `file` in the application at `app`; further arguments of this program are Electron's. */
function check(electron, app, file, expected) {
  const args = [...process.argv.slice(2), app, `--check=${file}`];
  const { status, stdout, stderr, error } = spawnSync(electron, args, { encoding: 'utf8', timeout: 120_000 });
  const [, line] = /^checked (.*)$/m.exec(stdout ?? '') ?? [];
  assert.ok(line, `${app}: no result (${error ?? `exit code ${status}`})\n${stdout}\n${stderr}`);
  const results = Object.entries(JSON.parse(line));
  assert.equal(results.length, 5);
  for (const [where, { digest, attack, by }] of results) {
    const name = `${path.basename(app)}, ${where}`;
    assert.deepEqual({ digest, attack }, expected, name);
    assert.match(by, where === 'renderer' ? /^wasm, / : /^native, /, name);
    console.log(`${name}: ${digest}, ${attack ? 'attack' : 'clean'} (${by})`);
  }
}

async function main() {
  const electron = require('electron');
  const { shattered } = await import('../_shared/shattered.mjs');
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'sha1dc-electron-'));
  try {
    const attack = path.join(folder, 'attack.bin');
    const clean = path.join(folder, 'clean.bin');
    fs.writeFileSync(attack, shattered);
    fs.writeFileSync(clean, 'abc');
    for (const app of [__dirname, await pack(folder)]) {
      check(electron, app, attack, { digest: 'f92d74e3874587aaf443d1db961d4e26dde13e9c', attack: true });
      check(electron, app, clean, { digest: 'a9993e364706816aba3e25717850c26c9cd0d89d', attack: false });
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

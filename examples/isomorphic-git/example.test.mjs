// The example in Node and in a page, its repositories judged by git itself.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { buildPage, inChromium } from '../_shared/page.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sha1dc-isomorphic-git-'));
const digest = 'f92d74e3874587aaf443d1db961d4e26dde13e9c';
const refusal = {
  name: 'CollisionError',
  code: 'ERR_SHA1_COLLISION',
  message: `SHA-1 appears to be part of a collision attack: ${digest}`,
  digest,
};

let page;
before(async () => (page = await buildPage(here('./page'))));
after(() => {
  page?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What must be so wherever the example ran. */
function checkProof(result) {
  const { stock, ours } = result;
  // Without the shim the platform hashes, and each of these calls is gone with it.
  ok(result.callsWithout > 200, `${result.callsWithout} calls without the shim`);
  equal(result.callsWith, 0);
  equal(result.falseAlarms, 0);
  for (const key of ['head', 'oids', 'indexed', 'commits', 'filename']) deepEqual(ours[key], stock[key], key);
  deepEqual(ours.indexed, ours.oids);
  equal(ours.commits, 20);
  // The attack: refused, told, remembered; and let through again by the platform.
  deepEqual(result.write, refusal);
  deepEqual(result.direct, refusal);
  deepEqual(result.told, [digest, digest]);
  deepEqual(result.remembered, [digest, digest]);
  deepEqual(result.afterwards, { resolved: digest });
}

let node;

for (const backend of ['native', 'wasm']) {
  test(`in Node, ${backend}: git agrees with every id`, () => {
    const dir = mkdtempSync(join(folder, `${backend}-`));
    const env = { ...process.env, SHA1DC_BACKEND: backend };
    const { status, stdout, stderr } = spawnSync(process.execPath, [here('./node.mjs'), dir], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    equal(status, 0, stderr);
    const result = JSON.parse(stdout);
    equal(result.backend.kind, backend);
    checkProof(result);
    node ??= result.ours;

    const gitIn = (path, ...args) =>
      execFileSync('git', ['--git-dir', join(path, '.git'), ...args], {
        env: { ...process.env, GIT_CONFIG_GLOBAL: '', GIT_CONFIG_NOSYSTEM: '1' },
        encoding: 'utf8',
      }).trim();
    const { head, oids, other, filename } = result.ours;
    for (const path of [join(dir, 'ours'), other]) {
      gitIn(path, 'fsck', '--strict', '--full');
      equal(gitIn(path, 'rev-parse', 'refs/heads/main'), head);
      equal(gitIn(path, 'rev-list', '--count', 'refs/heads/main'), '20');
      const ids = gitIn(path, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
      deepEqual(ids.sort(), oids);
    }
    // The index that isomorphic-git made is the one that git makes.
    const packs = join(other, '.git/objects/pack');
    deepEqual(readdirSync(packs).sort(), [filename.replace('.pack', '.idx'), filename]);
    const index = join(folder, `${backend}.idx`);
    gitIn(other, 'index-pack', '--strict', '--index-version=2', '-o', index, join(packs, filename));
    deepEqual(readFileSync(index), readFileSync(join(packs, filename.replace('.pack', '.idx'))));
  });
}

async function run(path) {
  return inChromium(page.folder, path, async (tab) => {
    await tab.waitForSelector('#result[data-done]');
    const text = await tab.$eval('#result', (element) => element.textContent);
    ok(!text.startsWith('failed'), text);
    return JSON.parse(text);
  });
}

test('in Chromium, with sha1dc/register: the same ids as in Node', async () => {
  const result = await run('');
  equal(result.backend.kind, 'wasm');
  checkProof(result);
  // The name of the pack is another: Chromium's deflate is not Node's.
  for (const key of ['head', 'oids', 'indexed']) deepEqual(result.ours[key], node[key], key);
});

test('in Chromium without crypto.subtle, sha1dc/sha1.js in the place of sha.js', async () => {
  const { ours, write } = await run('?insecure');
  for (const key of ['head', 'oids', 'indexed']) deepEqual(ours[key], node[key], key);
  // Nothing but sha1dc's class would have refused this.
  deepEqual(write, { name: 'CollisionError', code: 'ERR_SHA1_COLLISION', digest });
});

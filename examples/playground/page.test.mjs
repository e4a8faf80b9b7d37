// The built page in headless Chromium: files are chosen and dropped, what it says is compared with the known answers.
import { deepEqual, equal, match } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { attack } from '../../tests/vectors/index.mjs';
import { buildPage, inChromium } from '../_shared/page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sha1dc-playground-'));
let page;
before(async () => (page = await buildPage(fileURLToPath(new URL('.', import.meta.url)))));
after(() => {
  page?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const open = (body) =>
  inChromium(page.folder, '', async (tab) => {
    await tab.setViewport({ width: 1240, height: 900 });
    return body(tab);
  });

/** Waits until `count` cards are done and gives what the newest says. */
async function newest(tab, count = 1) {
  await tab.waitForFunction((wanted) => document.querySelectorAll('article[data-done]').length === wanted, {}, count);
  return tab.$eval('article', (card) => {
    const text = (selector) => card.querySelector(selector)?.textContent;
    const visible = (selector) => card.querySelector(selector)?.checkVisibility() ?? false;
    const rows = [...card.querySelectorAll('tbody tr')].map((row) => ({
      kind: row.className,
      offset: parseInt(row.cells[0].textContent, 16),
      mine: row.cells[1].textContent.replace(/ /g, ''),
      twin: row.cells[3].textContent.replace(/ /g, ''),
      marked: row.cells[1].querySelectorAll('b').length,
    }));
    return {
      name: text('h2'),
      meta: text('.meta'),
      verdict: text('.verdict'),
      digest: text('.digest'),
      safe: visible('.safe') ? text('.safe') : undefined,
      twin: visible('.twin button'),
      titles: [...card.querySelectorAll('h3')].map((title) => title.textContent),
      rows,
    };
  });
}

async function choose(tab, name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const input = await tab.$('#files');
  await input.uploadFile(path);
}

async function shot(tab, name) {
  if (process.env.SHA1DC_SCREENSHOTS) {
    await tab.screenshot({ path: join(process.env.SHA1DC_SCREENSHOTS, `${name}.png`), fullPage: true });
  }
}

async function downloaded(tab, name) {
  const session = await tab.createCDPSession();
  // Before it is complete, the file is there and empty.
  let state;
  session.on('Browser.downloadProgress', (progress) => (state = progress.state));
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled: true });
  await tab.click('.twin button');
  for (let tries = 0; tries < 1200 && state !== 'completed' && state !== 'canceled'; tries++) await sleep(50);
  equal(state, 'completed', `the download of ${name}`);
  return readFileSync(join(folder, name));
}

/** The bytes of rows that show `from` up to `to`, of one column. */
const shown = (rows, column, from, to) =>
  rows
    .filter(({ offset }) => offset >= from && offset < to)
    .map((row) => row[column])
    .join('');
const hex = (bytes, from, to) => Buffer.from(bytes.slice(from, to)).toString('hex');

test('the SHAttered prefix: digest, verdict, attacked block, twin', () =>
  open(async (tab) => {
    const first = attack('shattered-1-320');
    const second = attack('shattered-2-320');
    await tab.click('#attack');
    const card = await newest(tab);
    await shot(tab, 'attack');
    equal(card.digest, first.digest);
    equal(card.safe, first.full.safeDigest);
    match(card.verdict, /^Part of a collision attack.*\(1 attacked block\)$/);
    deepEqual(card.titles, ['Block at byte 256, disturbance vector II(52,0)']);
    // The block before it is the first half of the attack; two rows of context before that.
    deepEqual(
      card.rows.map(({ kind, offset }) => `${kind} ${offset}`),
      [
        ...[160, 176].map((offset) => `context ${offset}`),
        ...[192, 208, 224, 240].map((offset) => `near ${offset}`),
        ...[256, 272, 288, 304].map((offset) => `hit ${offset}`),
      ],
    );
    equal(shown(card.rows, 'mine', 160, 320), hex(first.bytes, 160, 320));
    equal(shown(card.rows, 'twin', 160, 320), hex(second.bytes, 160, 320));
    for (const { offset, marked } of card.rows) {
      const differing = first.bytes.slice(offset, offset + 16).filter((byte, i) => byte !== second.bytes[offset + i]);
      equal(marked, differing.length, `marked bytes at ${offset}`);
    }
    deepEqual(new Uint8Array(await downloaded(tab, 'shattered-prefix-twin.bin')), second.bytes);

    await tab.click('#clean');
    const clean = await newest(tab, 2);
    equal(clean.name, 'one-bit-flipped.bin');
    equal(clean.verdict, 'No collision attack detected');
    equal(clean.safe, undefined);
    deepEqual(clean.rows, []);
    await shot(tab, 'both');
    await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await shot(tab, 'dark');
    await tab.setViewport({ width: 400, height: 800 });
    await shot(tab, 'narrow');
  }));

test('a whole file of the pair gives the other, byte for byte', () =>
  open(async (tab) => {
    const file = attack('shattered-2.pdf');
    await choose(tab, 'shattered-2.pdf', file.bytes);
    const card = await newest(tab);
    equal(card.digest, file.digest);
    equal(card.safe, file.full.safeDigest);
    const twin = await downloaded(tab, 'shattered-2-twin.pdf');
    deepEqual(new Uint8Array(twin), attack('shattered-1.pdf').bytes);
    deepEqual(card.rows.at(-1).kind, 'context');
    equal(shown(card.rows, 'mine', 320, 352), hex(file.bytes, 320, 352));
  }));

test('an attack with a chosen prefix has no twin to download, but partner blocks', () =>
  open(async (tab) => {
    const file = attack('sha-mbles-1.bin');
    await choose(tab, 'sha-mbles-1.bin', file.bytes);
    const card = await newest(tab);
    equal(card.digest, file.digest);
    equal(card.safe, file.full.safeDigest);
    equal(card.twin, false);
    for (const { offset, partner } of file.full.collisions) {
      equal(shown(card.rows, 'mine', offset, offset + 64), hex(file.bytes, offset, offset + 64));
      equal(shown(card.rows, 'twin', offset, offset + 64), hex(partner, 0, 64));
    }
    const [context] = card.rows;
    deepEqual([context.kind, context.twin, context.marked], ['context', '', 0]);
    await shot(tab, 'sha-mbles');
  }));

test('ordinary files, dropped, several at once and large', () =>
  open(async (tab) => {
    const large = randomBytes(40_000_003);
    await choose(tab, 'large.bin', large);
    const card = await newest(tab);
    equal(card.digest, createHash('sha1').update(large).digest('hex'));
    equal(card.verdict, 'No collision attack detected');
    match(card.meta, /^40 MB, [\d.]+ [MG]B\/s$/);

    await tab.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'empty'));
      dataTransfer.items.add(new File(['abc'], '<b>abc</b>'));
      dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    const last = await newest(tab, 3);
    equal(last.name, '<b>abc</b>');
    equal(last.digest, 'a9993e364706816aba3e25717850c26c9cd0d89d');
    const digests = await tab.$$eval('.digest', (outputs) => outputs.map((output) => output.textContent));
    equal(digests[1], 'da39a3ee5e6b4b0d3255bfef95601890afd80709');
  }));

// For the tests of the examples that are pages: builds one with Vite, serves it on loopback, opens it in headless Chromium.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'vite';

import { findChromium, launchChromium } from '../../tests/runners/launch.mjs';
import { serve } from '../../tests/runners/serve.mjs';

/** Builds the page that Vite's configuration in `root` says into a folder of its own. Gives `{ folder, remove }`. */
export async function buildPage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-page-'));
  await build({ root, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Serves `folder` and calls `body(page)` with a puppeteer page that shows `path` of it. No error may reach the page. */
export async function inChromium(folder, path, body) {
  if (!findChromium()) throw new Error('no Chromium was found: install one or name it by CHROME_BIN');
  const server = await serve(folder);
  const errors = [];
  const browser = await launchChromium('about:blank');
  try {
    browser.page.setDefaultTimeout(120_000);
    browser.page.on('pageerror', (error) => errors.push(error));
    await browser.page.goto(`${server.origin}/${path}`);
    const result = await Promise.race([
      body(browser.page),
      browser.gone.then((why) => {
        throw new Error(why);
      }),
    ]);
    if (errors.length > 0) throw new AggregateError(errors, `errors in the page: ${errors.join('; ')}`);
    return result;
  } finally {
    await browser.close();
    await server.close();
  }
}

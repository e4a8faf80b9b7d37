// The benchmarks of a page: built with esbuild as a user's would be, served on loopback, run in headless Chromium.
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { findChromium, launchChromium } from '../../runners/launch.mjs';
import { serve } from '../../runners/serve.mjs';
import { makePack } from '../indexpack.mjs';
import { PEER_FILE } from '../peer-file.mjs';

// A page that is isolated gets a clock of 5 microseconds.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** `section` is a function of page.mjs. */
export async function* chromium(section, effort, { repo, quick, sizes }) {
  if (!findChromium()) {
    console.log(`chromium-${section} not measured: no Chromium was found, install one or name it by CHROME_BIN`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-bench-'));
  let pack;
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('./page.mjs', import.meta.url))],
      outfile: join(folder, 'page.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'error',
    });
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
    );
    if (existsSync(PEER_FILE)) copyFileSync(PEER_FILE, join(folder, 'peer.wasm'));
    if (section === 'indexpack') {
      pack = makePack(repo, quick ? 500 : 3000);
      copyFileSync(join(pack.folder, pack.file), join(folder, 'it.pack'));
    }
    const server = await serve(folder, { headers });
    const browser = await launchChromium(`${server.origin}/`);
    try {
      await browser.page.waitForFunction('globalThis.ready === true');
      const run = browser.page.evaluate(
        (name, settings) => globalThis[name](settings),
        section,
        { effort, quick, sizes, objects: pack?.objects }, // prettier-ignore
      );
      const gone = browser.gone.then((why) => {
        throw new Error(why);
      });
      const version = await browser.page.browser().version();
      for (const told of await Promise.race([run, gone])) yield { ...told, note: version };
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (pack) rmSync(pack.folder, { recursive: true, force: true });
  }
}

// Everything of the example but Electron, which no package registry has: its processes in Node with a stand-in for Electron's
// module, its page in headless Chromium, its archive unpacked again. run.cjs is the test in a real Electron.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import asar from '@electron/asar';

import { launchChromium } from '../../tests/runners/launch.mjs';
import { shattered } from '../_shared/shattered.mjs';
import { pack } from './pack.cjs';

const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'sha1dc-electron-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'attack.bin');
writeFileSync(file, shattered);
const attacked = { digest: 'f92d74e3874587aaf443d1db961d4e26dde13e9c', attack: true };

/** A stand-in for Electron, which keeps what the example gives it. */
function fakeElectron() {
  const kept = { handlers: {}, windows: [], exitCode: undefined };
  kept.module = {
    app: { whenReady: async () => {}, on() {}, quit() {}, exit: (code) => (kept.exitCode = code) },
    BrowserWindow: class {
      webContents = { on() {} };
      constructor(options) {
        kept.windows.push({ options });
      }
      async loadURL(url) {
        kept.windows.at(-1).url = url;
      }
    },
    contextBridge: { exposeInMainWorld: (name, api) => ((kept.exposedAs = name), (kept.api = api)) },
    ipcMain: { handle: (channel, handler) => (kept.handlers[channel] = handler) },
    ipcRenderer: { invoke: async (channel, ...args) => kept.handlers[channel]({}, ...args) },
    protocol: { registerSchemesAsPrivileged() {}, handle: (_scheme, handler) => (kept.protocol = handler) },
    webUtils: { getPathForFile: () => file },
  };
  return kept;
}

const electron = fakeElectron();
const load = Module._load;
Module._load = (request, ...rest) => (request === 'electron' ? electron.module : load(request, ...rest));
process.argv.push(`--check=${file}`);
require('./main.cjs');
require('./preload.cjs');
Module._load = load;

test('main: a file is hashed natively, in the process and in two workers at once', async () => {
  const main = await electron.api.inMain(file);
  equal(electron.exposedAs, 'hashing');
  deepEqual({ ...main, by: undefined }, { ...attacked, by: undefined });
  match(main.by, /^native, /);
  deepEqual(await electron.api.inWorkers(file), [main, main]);
  const clean = join(folder, 'clean.bin');
  writeFileSync(clean, 'abc');
  deepEqual(await electron.api.inMain(clean), {
    digest: 'a9993e364706816aba3e25717850c26c9cd0d89d',
    attack: false,
    by: main.by,
  });
});

test('main: the window has the preload script that exists, and keeps its context apart', () => {
  const [{ options, url }] = electron.windows;
  equal(url, 'app://page/index.html');
  ok(readFileSync(options.webPreferences.preload).includes('contextBridge'));
  equal(options.webPreferences.contextIsolation, true);
});

test('the scheme serves the page and the package, and nothing else', async () => {
  const status = async (path) => (await electron.protocol({ url: `app://page/${path}` })).status;
  equal(await status('index.html'), 200);
  equal(await status('sha1dc/index.js'), 200);
  for (const path of ['main.cjs', 'sha1dc/../../package.json', '%2e%2e/package.json', 'sha1dc/..%2findex.js', '']) {
    equal(await status(path), 404, path);
  }
});

test('the page in Chromium: all processes agree, the renderer on WebAssembly', async () => {
  const server = createServer(async (request, response) => {
    const answer = await electron.protocol({ url: `app://page${request.url}` });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { page, close } = await launchChromium('about:blank');
  try {
    // Puppeteer's bridge takes JSON only, Electron's takes bytes too.
    await page.exposeFunction('bridge', async (name, ...args) => {
      if (name === 'inPreload') args = [Uint8Array.from(args[0])];
      const result = await electron.api[name](...args);
      return result?.bytes ? { ...result, bytes: [...result.bytes] } : result;
    });
    await page.evaluateOnNewDocument(() => {
      const names = ['inMain', 'inWorkers', 'checked'];
      window.hashing = Object.fromEntries(names.map((name) => [name, (...args) => window.bridge(name, ...args)]));
      window.hashing.inPreload = (bytes) => window.bridge('inPreload', [...bytes]);
      window.hashing.fileToCheck = async () => {
        const { path, bytes } = await window.bridge('fileToCheck');
        return { path, bytes: Uint8Array.from(bytes) };
      };
    });
    const printed = [];
    const { log } = console;
    console.log = (line) => printed.push(line);
    try {
      await page.goto(`http://localhost:${server.address().port}/index.html`);
      await page.waitForFunction(() => document.querySelectorAll('tr.attack').length === 5, { timeout: 120_000 });
      while (electron.exitCode === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    } finally {
      console.log = log;
    }
    equal(electron.exitCode, 0);
    const results = JSON.parse(printed.find((line) => line.startsWith('checked ')).slice('checked '.length));
    deepEqual(Object.keys(results), ['main', 'worker 1', 'worker 2', 'preload', 'renderer']);
    for (const [where, { by, ...result }] of Object.entries(results)) {
      deepEqual(result, attacked, where);
      match(by, where === 'renderer' ? /^wasm, / : /^native, /, where);
    }
  } finally {
    await close();
    server.closeAllConnections();
    server.close();
  }
});

test('the archive holds the application, and the native modules lie beside it', async () => {
  const archive = await pack(folder);
  const names = asar.listPackage(archive).map((name) => name.replaceAll('\\', '/'));
  for (const name of ['/main.cjs', '/renderer.mjs', '/node_modules/sha1dc/dist/web/index.js']) {
    ok(names.includes(name), name);
  }
  const native = names.filter((name) => name.endsWith('.node'));
  ok(native.length > 0, 'a native module');
  const beside = readdirSync(`${archive}.unpacked`, { recursive: true }).map(
    (name) => `/${name.replaceAll('\\', '/')}`,
  );
  deepEqual(beside.filter((name) => name.endsWith('.node')).sort(), native.sort());
  // Unpacked as a whole it is an application whose package loads, natively.
  const unpacked = join(folder, 'unpacked');
  asar.extractAll(archive, unpacked);
  equal(createRequire(join(unpacked, 'main.cjs'))('sha1dc').backend.kind, 'native');
});

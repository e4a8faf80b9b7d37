// The runtimes that the suite knows: how to find each, and how to run the suite in it.
import { expectation } from './backends.mjs';
import { locate } from './installed.mjs';
import { findChromium, findFirefox, findWebKit, launchChromium, launchFirefox, launchWebKit } from './launch.mjs';
import { serve } from './serve.mjs';
import { runChild } from './server.mjs';

const NODE_FLAGS = ['--expose-gc', '--disable-warning=ExperimentalWarning'];

function serverRuntime({ program, args, worker = false }) {
  return {
    absent: async (options) => (program ? locate(program, options).problem : undefined),
    run({ backend, onEvent, ...settings }) {
      return runChild({
        command: program ? locate(program).path : process.execPath,
        args,
        env: backend === 'default' ? {} : { SHA1DC_BACKEND: backend },
        settings: { ...settings, worker, entry: '.', expected: expectation(backend, 'native') },
        onEvent,
      });
    },
  };
}

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
/** Scripts of the page's own origin and nothing else: neither eval nor WebAssembly. */
const STRICT = { 'Content-Security-Policy': "default-src 'self'; script-src 'self'; img-src data:" };

/** No event for so long means that the page hangs. */
const PATIENCE = 300_000;

function browserRuntime({ find, launch, absence, headers = {}, where = 'page', csp = false, secure }) {
  return {
    absent: async () => (find() ? undefined : absence),
    unavailable: (backend) =>
      csp && !['default', 'js'].includes(backend) ? 'the policy of this page forbids WebAssembly' : undefined,
    async run({ backend, onEvent, from, entries, filter, long, module }) {
      if (module === 'cjs') return 'pages have no require()';
      const { browserBuild } = await import('./browser-build.mjs');
      const folder = await browserBuild(from && entries);
      const entry = backend === 'js' && !csp ? 'js' : '.';
      const query = new URLSearchParams({
        entry,
        where,
        filter,
        long,
        csp,
        simd: backend !== 'wasm32/portable',
        expected: JSON.stringify(csp ? { kind: 'js' } : expectation(backend, 'wasm')),
      });
      let finish;
      const done = new Promise((resolve) => {
        finish = resolve;
      });
      let alarm;
      const listen = () => {
        clearTimeout(alarm);
        alarm = setTimeout(() => finish(`no event for ${PATIENCE / 1000} s`), PATIENCE);
      };
      const server = await serve(folder, {
        headers: { ...headers, ...(secure ? ISOLATED : {}) },
        onEvent(event) {
          listen();
          onEvent(event);
          if (event.event === 'end') finish('');
        },
      });
      let browser;
      try {
        listen();
        browser = await launch(`${server.origin}/?${query}`);
        return await Promise.race([done, browser.gone]);
      } catch (error) {
        return `the browser could not be used: ${error.message}`;
      } finally {
        clearTimeout(alarm);
        await browser?.close();
        await server.close();
      }
    },
  };
}

const chromium = {
  find: findChromium,
  launch: launchChromium,
  absence: 'no Chromium or Chrome was found (CHROME_BIN names one)',
};
const firefox = { find: findFirefox, launch: launchFirefox, absence: 'no Firefox was found (FIREFOX_BIN names one)' };
const webkit = {
  find: findWebKit,
  launch: launchWebKit,
  absence: 'no WebKitWebDriver with MiniBrowser and an X server was found (WEBKIT_DRIVER, WEBKIT_BROWSER)',
};

function workerRuntime(names, program) {
  return {
    absent: async (options) => names.map((name) => locate(name, options).problem).find(Boolean),
    unavailable: (backend) => (backend === 'wasm32/portable' ? 'no engine without SIMD can be had here' : undefined),
    async run({ backend, onEvent, from, filter, long }) {
      const { runWorkerd } = await import('./workerd.mjs');
      const settings = { filter, long, entry: backend === 'js' ? 'js' : '.', expected: expectation(backend, 'wasm') };
      return runWorkerd({ program: program(), from, settings, onEvent });
    },
  };
}

const workerd = workerRuntime(['workerd'], () => locate('workerd').path);
/** It wants Node 22 or later, whatever runs this. */
const miniflare = workerRuntime(['node24', 'miniflare'], () => ({
  node: locate('node24').path,
  package: locate('miniflare').path,
}));

export const runtimes = new Map([
  ['node', serverRuntime({ args: NODE_FLAGS })],
  ['worker', serverRuntime({ args: NODE_FLAGS, worker: true })],
  ...['node20', 'node22', 'node24', 'node26'].map((program) => [program, serverRuntime({ program, args: NODE_FLAGS })]),
  ['deno', serverRuntime({ program: 'deno', args: ['run', '--allow-all', '--quiet'] })],
  ['bun', serverRuntime({ program: 'bun', args: ['--expose-gc'] })],
  ['workerd', workerd],
  ['miniflare', miniflare],
  ['chromium', browserRuntime(chromium)],
  ['chromium-isolated', browserRuntime({ ...chromium, secure: true })],
  ['chromium-worker', browserRuntime({ ...chromium, where: 'worker', secure: true })],
  ['chromium-service-worker', browserRuntime({ ...chromium, where: 'service-worker' })],
  ['chromium-csp', browserRuntime({ ...chromium, csp: true, headers: STRICT })],
  ['firefox', browserRuntime(firefox)],
  ['firefox-isolated', browserRuntime({ ...firefox, secure: true })],
  ['webkit', browserRuntime(webkit)],
  ['webkit-isolated', browserRuntime({ ...webkit, secure: true })],
]);

// The page: runs the suites itself, or has a dedicated worker or the service worker do it.
import wasmUrl from 'sha1dc/sha1dc.wasm?url';

import { hideSimd, makeContext, settingsOf } from './context.mjs';
import { fail, runSuites } from './run.mjs';

const settings = settingsOf(location);

const entries = {
  '.': () => import('sha1dc'),
  wasm: () => import('sha1dc/wasm'),
  js: () => import('sha1dc/js'),
  'sha1.js': () => import('sha1dc/sha1.js'),
  register: () => import('sha1dc/register'),
};

addEventListener('error', (event) => void fail(event.error ?? event.message));
addEventListener('unhandledrejection', (event) => void fail(event.reason));

async function main() {
  if (settings.where === 'worker') {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    worker.addEventListener('error', (event) => void fail(event.message));
    worker.postMessage({ search: location.search });
  } else if (settings.where === 'service-worker') {
    await navigator.serviceWorker.register('/service-worker.js');
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ search: location.search });
  } else {
    if (!settings.simd) hideSimd();
    await runSuites((given) => makeContext(entries, wasmUrl, given), settings);
  }
}

main().catch(fail);

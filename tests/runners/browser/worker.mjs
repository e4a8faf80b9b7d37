// A dedicated worker: a static import, as most users write it.
import * as sha1dc from 'sha1dc';
import wasmUrl from 'sha1dc/sha1dc.wasm?url';

import { makeContext, settingsOf } from './context.mjs';
import { runSuites } from './run.mjs';

const entries = {
  '.': async () => sha1dc,
  wasm: () => import('sha1dc/wasm'),
  js: () => import('sha1dc/js'),
  'sha1.js': () => import('sha1dc/sha1.js'),
  register: () => import('sha1dc/register'),
};

addEventListener('message', ({ data }) => {
  void runSuites((settings) => makeContext(entries, wasmUrl, settings), settingsOf(data));
});

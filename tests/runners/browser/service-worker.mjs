// A service worker: one classic script, where neither top-level await nor import() is allowed.
import * as sha1dc from 'sha1dc';
import * as js from 'sha1dc/js';
import * as register from 'sha1dc/register';
import Sha1 from 'sha1dc/sha1.js';
import * as wasm from 'sha1dc/wasm';

import { makeContext, settingsOf } from './context.mjs';
import { runSuites } from './run.mjs';

// Importing it has registered it; the tests register it when they need it.
register.unregister();

const entries = {
  '.': async () => sha1dc,
  wasm: async () => wasm,
  js: async () => js,
  'sha1.js': async () => ({ default: Sha1 }),
  register: async () => register,
};

addEventListener('install', () => void self.skipWaiting());
addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
addEventListener('message', (event) => {
  event.waitUntil(runSuites((settings) => makeContext(entries, '/sha1dc.wasm', settings), settingsOf(event.data)));
});

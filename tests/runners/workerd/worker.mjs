// A Worker as Cloudflare runs it: answers a request with the events of a run, one line of JSON each.
import * as sha1dc from 'sha1dc';
import * as js from 'sha1dc/js';
import * as register from 'sha1dc/register';
import Sha1 from 'sha1dc/sha1.js';
import * as wasm from 'sha1dc/wasm';

import { suites } from '../../suite/index.mjs';
import { collect, run } from '../../suite/lib/harness.mjs';

// A digest while the script starts: what is ready after import must be ready here, where nothing can be awaited.
const atStart = sha1dc.sha1('abc');

// Importing it has registered it; the tests register it when they need it.
register.unregister();

const entries = {
  '.': async () => sha1dc,
  wasm: async () => wasm,
  js: async () => js,
  'sha1.js': async () => ({ default: Sha1 }),
  register: async () => register,
};

async function work(settings, emit) {
  const impl = await entries[settings.entry]();
  const facts = {
    runtime: 'workerd',
    node: false,
    expected: settings.expected,
    nodeCryptoOnly: false,
    buffers: false,
    files: false,
    wasmForbidden: false,
    defaultExport: impl.default,
    entries,
    oracle: async (bytes) => {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', Uint8Array.from(bytes)));
      return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
  const tests = collect(suites, { impl, facts });
  const { kind, name, reason } = impl.backend;
  await emit({
    event: 'start',
    runtime: navigator.userAgent,
    backend: { kind, name, reason },
    tests: tests.map((test) => test.name),
  });
  const passed = atStart === 'a9993e364706816aba3e25717850c26c9cd0d89d';
  await emit({
    event: 'result',
    name: 'a digest while the script starts',
    status: passed ? 'passed' : 'failed',
    error: atStart,
    milliseconds: 0,
  });
  await run(tests, {
    filter: settings.filter,
    long: settings.long,
    report: (result) => emit({ event: 'result', ...result }),
  });
  await emit({ event: 'end' });
}

export default {
  async fetch(request, env, context) {
    const settings = JSON.parse(new URL(request.url).searchParams.get('settings'));
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    const emit = (event) => writer.write(encoder.encode(`${JSON.stringify(event)}\n`));
    context.waitUntil(
      work(settings, emit)
        .catch((error) =>
          emit({
            event: 'result',
            name: 'the worker',
            status: 'failed',
            error: String(error.stack ?? error),
            milliseconds: 0,
          }),
        )
        .finally(() => writer.close()),
    );
    return new Response(readable);
  },
};

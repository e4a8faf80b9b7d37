// Runs the suites inside a server runtime and prints one line of JSON per event, marked so that other output stays apart.
import { isMainThread, Worker, workerData } from 'node:worker_threads';

import { suites } from '../suite/index.mjs';
import files from '../suite/files.mjs';
import { collect, run } from '../suite/lib/harness.mjs';
import { makeContext, runtimeOf } from './facts.mjs';
import { MARK } from './mark.mjs';

const settings = isMainThread ? JSON.parse(process.argv[2]) : workerData;

function emit(event) {
  process.stdout.write(`${MARK}${JSON.stringify(event)}\n`);
}

async function main() {
  const context = await makeContext(settings);
  const runtime = runtimeOf();
  const list = [...suites];
  const own = !settings.portable && !context.facts.nodeCryptoOnly;
  if (own) list.push(['files', files]);
  if (runtime.name === 'node' && own) {
    const { nodeSuites } = await import('../suite/node/index.mjs');
    list.push(...nodeSuites);
  }
  const tests = collect(list, context);
  const { kind, name, reason } = context.impl.backend;
  emit({
    event: 'start',
    runtime: `${runtime.name} ${runtime.version}`,
    backend: { kind, name, reason },
    tests: tests.map((test) => test.name),
  });
  if (settings.list) return;
  await run(tests, {
    filter: settings.filter,
    long: settings.long,
    onlyNode: context.facts.nodeCryptoOnly,
    report: (result) => emit({ event: 'result', ...result }),
  });
  emit({ event: 'end' });
}

if (settings.worker && isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { ...settings, worker: false },
    argv: process.argv.slice(2),
    execArgv: [],
  });
  worker.on('error', (error) => {
    console.error(error);
    process.exitCode = 1;
  });
} else {
  await main();
}

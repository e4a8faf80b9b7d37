#!/usr/bin/env node
// Runs the conformance suite in the runtimes and on the backends asked for. README.md explains the options.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { backendNames } from './runners/backends.mjs';
import { Report } from './runners/report.mjs';
import { runtimes } from './runners/runtimes.mjs';

function usage(message) {
  console.error(`${message}\nSee tests/README.md.`);
  process.exit(2);
}

let options;
try {
  options = parseArgs({
    options: {
      list: { type: 'boolean', default: false },
      runtime: { type: 'string', multiple: true, default: ['node'] },
      backend: { type: 'string', multiple: true, default: ['default'] },
      module: { type: 'string', default: 'esm' },
      from: { type: 'string' },
      implementation: { type: 'string', default: 'sha1dc' },
      filter: { type: 'string', default: '' },
      portable: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  }).values;
} catch (error) {
  usage(error.message);
}

const split = (values) => values.flatMap((value) => value.split(',')).filter((value) => value !== '');
const chosenRuntimes = split(options.runtime);
const chosenBackends = split(options.backend);
for (const name of chosenRuntimes)
  if (!runtimes.has(name)) usage(`no runtime is called "${name}"; there are ${[...runtimes.keys()].join(', ')}`);
if (!['esm', 'cjs'].includes(options.module)) usage('--module is esm or cjs');
if (!['sha1dc', 'node-crypto'].includes(options.implementation)) usage('--implementation is sha1dc or node-crypto');

const shipped = fileURLToPath(
  new URL(options.module === 'cjs' ? './runners/entries.cjs' : './runners/entries.mjs', import.meta.url),
);
let entries = shipped;
if (options.from !== undefined) {
  entries = resolve(options.from, `.sha1dc-entries-${process.pid}.${options.module === 'cjs' ? 'cjs' : 'mjs'}`);
  copyFileSync(shipped, entries);
  process.on('exit', () => rmSync(entries, { force: true }));
}

const report = new Report();
const settings = {
  implementation: options.implementation,
  entries,
  from: options.from && resolve(options.from),
  module: options.module,
  filter: options.filter,
  long: options.long,
};

if (options.list) {
  for (const [name, runtime] of runtimes) {
    const absence = await runtime.absent();
    console.log(`runtime ${name}: ${absence ?? 'here'}`);
  }
  for (const name of await backendNames('node', settings)) console.log(`backend ${name}`);
  await runtimes.get('node').run({
    ...settings,
    list: true,
    backend: 'default',
    onEvent: (event) => event.tests?.forEach((name) => console.log(`test ${name}`)),
  });
  process.exit(0);
}

for (const runtimeName of chosenRuntimes) {
  const runtime = runtimes.get(runtimeName);
  const absence = await runtime.absent({ install: true });
  if (absence) {
    report.start(runtimeName);
    if (options.strict) report.fail('the runtime', absence);
    else report.skip('the runtime', absence);
    continue;
  }
  const names = chosenBackends.includes('all') ? await backendNames(runtimeName, settings) : chosenBackends;
  for (const backend of options.implementation === 'node-crypto' ? ['default'] : names) {
    report.start(
      `${runtimeName}${backend === 'default' ? '' : ` ${backend}`}${options.module === 'cjs' ? ' (cjs)' : ''}`,
    );
    const unavailable = runtime.unavailable?.(backend);
    if (unavailable) {
      if (options.strict) report.fail('the backend', unavailable);
      else report.skip('the backend', unavailable);
      continue;
    }
    // Command line, shims and loading do not depend on instruction sets: with `all`, one native backend tests them.
    const repeated =
      chosenBackends.includes('all') && backend.includes('/') && !backend.startsWith('wasm32/') && backend !== names[0];
    const portable = options.portable || repeated;
    report.finish(await runtime.run({ ...settings, portable, backend, onEvent: (event) => report.event(event) }));
  }
}

if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ counts: report.counts, runs: report.runs }, null, 1)}\n`);
process.exitCode = report.close();

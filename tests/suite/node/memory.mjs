// Memory, by the cases of memory-cases.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { equal } from '../lib/assert.mjs';
import { cases } from './memory-cases.mjs';

const program = fileURLToPath(new URL('./memory-cases.mjs', import.meta.url));

/** A young generation that does not grow, and no thread that gives memory back later than asked. */
const FLAGS = ['--expose-gc', '--no-warnings', '--single-threaded-gc', '--max-semi-space-size=1'];
/** The same for glibc: one heap for all threads, which gives back what is free. */
const CALM = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '65536' };

export default function define({ test, facts }) {
  for (const name of Object.keys(cases)) {
    test(name, { long: name.includes('gigabyte'), seconds: 600 }, () => {
      const { status, signal, stderr } = spawnSync(process.execPath, [...FLAGS, program, facts.entriesFile, name], {
        encoding: 'utf8',
        env: { ...process.env, ...CALM },
      });
      equal(signal ?? status, 0, stderr);
    });
  }
}

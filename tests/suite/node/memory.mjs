// Memory, by the cases of memory-cases.mjs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { equal } from '../lib/assert.mjs';
import { cases } from './memory-cases.mjs';

const program = fileURLToPath(new URL('./memory-cases.mjs', import.meta.url));

export default function define({ test, facts }) {
  for (const name of Object.keys(cases)) {
    test(name, { long: name.includes('gigabyte'), seconds: 600 }, () => {
      const { status, signal, stderr } = spawnSync(
        process.execPath,
        ['--expose-gc', '--no-warnings', program, facts.entriesFile, name],
        {
          encoding: 'utf8',
        },
      );
      equal(signal ?? status, 0, stderr);
    });
  }
}

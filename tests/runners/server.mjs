// Starts a server runtime (Node, Deno, Bun) on runners/child.mjs and hands its events on.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { MARK } from './mark.mjs';

const child = fileURLToPath(new URL('./child.mjs', import.meta.url));

/** Runs `command ...args child.mjs settings`; calls `onEvent` for each event and gives how the process ended. */
export function runChild({ command, args, env = {}, settings, onEvent }) {
  return new Promise((resolve) => {
    const process_ = spawn(command, [...args, child, JSON.stringify(settings)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: process_.stdout }).on('line', (line) => {
      const at = line.indexOf(MARK);
      if (at === -1) console.log(line);
      else onEvent(JSON.parse(line.slice(at + MARK.length)));
    });
    process_.on('error', (error) => resolve(`could not be started: ${error.message}`));
    process_.on('close', (code, signal) =>
      resolve(signal ? `ended by ${signal}` : code === 0 ? '' : `exit code ${code}`),
    );
  });
}

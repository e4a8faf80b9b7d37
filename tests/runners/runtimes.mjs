// The runtimes that the suite knows: how to find each, and how to run the suite in it.
import { expectation } from './backends.mjs';
import { runChild } from './server.mjs';

const NODE_FLAGS = ['--expose-gc', '--disable-warning=ExperimentalWarning'];

function nodeRuntime({ worker = false } = {}) {
  return {
    absent: async () => undefined,
    run({ backend, onEvent, ...settings }) {
      return runChild({
        command: process.execPath,
        args: NODE_FLAGS,
        env: backend === 'default' ? {} : { SHA1DC_BACKEND: backend },
        settings: { ...settings, worker, entry: '.', expected: expectation(backend, 'native') },
        onEvent,
      });
    },
  };
}

export const runtimes = new Map([
  ['node', nodeRuntime()],
  ['worker', nodeRuntime({ worker: true })],
]);

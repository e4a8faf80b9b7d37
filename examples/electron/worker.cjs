// A worker thread of the main process.
const { readFileSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');

const { backend, inspect } = require('sha1dc');

const { digest, collision } = inspect(readFileSync(workerData));
parentPort.postMessage({ digest, attack: collision, by: `${backend.kind}, ${backend.name}` });

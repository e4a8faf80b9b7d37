// Runs a Worker in miniflare until standard input ends: arguments are miniflare's path, the folder and its modules.
// Tells the port as workerd does, by a line of JSON on descriptor 3.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [path, folder, ...modules] = process.argv.slice(2);
const { Miniflare } = await import(pathToFileURL(path));

const miniflare = new Miniflare({
  modulesRoot: folder,
  modules: [
    { type: 'ESModule', path: join(folder, 'worker.js') },
    ...modules.map((name) => ({ type: 'CompiledWasm', path: join(folder, name) })),
  ],
  compatibilityDate: '2026-01-01',
  host: '127.0.0.1',
  port: 0,
  // It would ask for an example of `request.cf` on the network.
  cf: false,
});
const { port } = await miniflare.ready;
writeSync(3, `${JSON.stringify({ event: 'listen', port: Number(port) })}\n`);
process.stdin.resume().on('end', () => miniflare.dispose());

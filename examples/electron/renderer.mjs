// The page: hashes with WebAssembly, which needs nothing of Node, and shows what the other processes say.
import { backend, inspect } from './sha1dc/index.js';

const { hashing } = window;

function inRenderer(bytes) {
  const { digest, collision } = inspect(bytes);
  return { digest, attack: collision, by: `${backend.kind}, ${backend.name}` };
}

async function examine(path, bytes) {
  const [main, workers, preload] = await Promise.all([
    hashing.inMain(path),
    hashing.inWorkers(path),
    hashing.inPreload(bytes),
  ]);
  return { main, 'worker 1': workers[0], 'worker 2': workers[1], preload, renderer: inRenderer(bytes) };
}

function show(results) {
  const rows = Object.entries(results).map(([where, { digest, attack, by }]) => {
    const row = document.createElement('tr');
    row.className = attack ? 'attack' : 'clean';
    for (const text of [where, digest, attack ? 'part of a collision attack' : 'no attack', by]) {
      row.insertCell().textContent = text;
    }
    return row;
  });
  document.querySelector('table').replaceChildren(...rows);
}

document.querySelector('input').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (file) show(await examine(hashing.pathOf(file), new Uint8Array(await file.arrayBuffer())));
});

async function check() {
  const given = await hashing.fileToCheck();
  if (!given) return;
  const results = await examine(given.path, given.bytes);
  show(results);
  await hashing.checked(results);
}
check();

// The page: files come in, cards come out.
import { backend } from 'sha1dc';

import { shattered } from '../_shared/shattered.mjs';
import { examine } from './examine.mjs';
import { hexViews } from './hex.mjs';

const find = (selector, within = document) => within.querySelector(selector);
const results = find('#results');

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
function sizeOf(bytes) {
  let unit = 0;
  let value = bytes;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value.toLocaleString('en', { maximumFractionDigits: unit === 0 ? 0 : 1 })} ${units[unit]}`;
}

function twinName(name) {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-twin${name.slice(dot)}` : `${name}-twin`;
}

function download(bytes, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function show(file) {
  const card = find('#card').content.firstElementChild.cloneNode(true);
  const bar = find('progress', card);
  find('h2', card).textContent = file.name;
  find('.meta', card).textContent = sizeOf(file.size);
  results.prepend(card);
  try {
    const found = await examine(file, (done, total) => (bar.value = done / total));
    const { digest, safeDigest, collisions, milliseconds } = found;
    const speed = milliseconds >= 1 ? `, ${sizeOf((file.size / milliseconds) * 1000)}/s` : '';
    find('.meta', card).textContent = `${sizeOf(file.size)}${speed}`;
    find('.digest', card).textContent = digest;
    find('.safe', card).textContent = safeDigest;
    card.classList.toggle('attacked', collisions.length > 0);
    find('.verdict', card).textContent =
      collisions.length === 0
        ? 'No collision attack detected'
        : `Part of a collision attack: another file with this SHA-1 exists (${collisions.length} attacked block${collisions.length > 1 ? 's' : ''})`;
    find('.blocks', card).append(...(await hexViews(file, found)));
    if (found.twin) {
      const twin = find('.twin', card);
      const name = twinName(file.name);
      find('p', twin).textContent =
        'The attack has an identical prefix, so the other file can be written down from this one alone.';
      find('button', twin).addEventListener('click', () => download(found.twin, name));
      twin.hidden = false;
    }
    find('.result', card).hidden = false;
  } catch (error) {
    find('.meta', card).textContent = `could not be read: ${error.message}`;
  }
  bar.hidden = true;
  card.dataset.done = 'yes';
}

/** One after the other: a second file would only slow the first. */
let queue = Promise.resolve();
function add(files) {
  for (const file of files) queue = queue.then(() => show(file));
}

find('#files').addEventListener('change', ({ target }) => {
  add([...target.files]);
  target.value = '';
});
find('#attack').addEventListener('click', () => add([new File([shattered], 'shattered-prefix.bin')]));
find('#clean').addEventListener('click', () => {
  const bytes = shattered.slice();
  bytes[300] ^= 1;
  add([new File([bytes], 'one-bit-flipped.bin')]);
});

for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.toggle('dragging', name === 'dragenter' || name === 'dragover');
    if (name === 'drop') add([...event.dataTransfer.files]);
  });
}

find('#backend').textContent = `${backend.kind}, ${backend.name}`;

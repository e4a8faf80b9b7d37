// The attacked blocks of a file beside those of its other half.

const BLOCK = 64;
const ROW = 16;
const CONTEXT = 2 * ROW;

/** Makes an element: `element('td.hit', 'text', child, ...)`. */
export function element(what, ...children) {
  const [name, ...classes] = what.split('.');
  const made = document.createElement(name);
  made.classList.add(...classes);
  made.append(...children);
  return made;
}

const hexOf = (byte) => byte.toString(16).padStart(2, '0');
const textOf = (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

/** One row's bytes written by `write`, those marked that are others in `compared`. */
function written(bytes, compared, write, separator) {
  const cell = element('td');
  bytes.forEach((byte, i) => {
    if (i > 0 && separator) cell.append(i === 8 ? '  ' : separator);
    cell.append(compared && compared[i] !== byte ? element('b', write(byte)) : write(byte));
  });
  return cell;
}

/** Runs of neighbouring attacked blocks and of blocks that the twin has otherwise, each with its context. */
function runs(collisions, size, differs) {
  const hits = new Set(collisions.map(({ offset }) => offset));
  const blocks = new Set(hits);
  for (const offset of hits) {
    for (const next of [offset - BLOCK, offset + BLOCK]) if (next >= 0 && differs(next)) blocks.add(next);
  }
  const found = [];
  for (const offset of [...blocks].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last.end === offset) last.end += BLOCK;
    else found.push({ start: offset, end: offset + BLOCK });
  }
  return found.map(({ start, end }) => ({
    from: Math.max(0, start - CONTEXT),
    to: Math.min(size, end + CONTEXT),
    collisions: collisions.filter(({ offset }) => offset >= start && offset < end),
    kind: (at) => (at < start || at >= end ? 'context' : hits.has(at - (at % BLOCK)) ? 'hit' : 'near'),
  }));
}

/** Elements that show the attacked blocks of `file`: its bytes and those of the other message. */
export async function hexViews(file, { collisions, twin }, limit = 16) {
  const bytesOf = async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer());
  let start = 0;
  let around = new Uint8Array(0);
  if (twin) {
    start = Math.max(0, collisions[0].offset - BLOCK);
    around = await bytesOf(start, collisions.at(-1).offset + 2 * BLOCK);
  }
  const differs = (offset) =>
    around.subarray(offset - start, offset - start + BLOCK).some((byte, i) => twin[offset + i] !== byte);

  const views = [];
  for (const run of runs(collisions, file.size, differs).slice(0, limit)) {
    const mine = await bytesOf(run.from, run.to);
    const other = twin?.slice(run.from, run.to);
    const partnerOf = new Map(run.collisions.map(({ offset, partner }) => [offset, partner]));
    // Without a twin only the attacked blocks of the other message are known.
    const otherRow = (at) => {
      if (other) return other.subarray(at - run.from, at - run.from + ROW);
      const partner = partnerOf.get(at - (at % BLOCK));
      return partner?.subarray(at % BLOCK, (at % BLOCK) + ROW) ?? new Uint8Array(0);
    };
    const body = element('tbody');
    for (let at = 0; at < mine.length; at += ROW) {
      const left = mine.subarray(at, at + ROW);
      const right = otherRow(run.from + at).subarray(0, left.length);
      const row = element(
        'tr',
        element('td', (run.from + at).toString(16).padStart(8, '0')),
        written(left, right.length > 0 ? right : undefined, hexOf, ' '),
        written(left, undefined, textOf),
        written(right, left, hexOf, ' '),
      );
      row.className = run.kind(run.from + at);
      body.append(row);
    }
    const names = ['Offset', 'This file', '', twin ? 'Its twin' : 'The other message'];
    const head = element('thead', element('tr', ...names.map((name) => element('th', name))));
    const title = element('h3');
    run.collisions.forEach(({ offset, disturbanceVector }, i) => {
      title.append(i > 0 ? '; block' : 'Block', ` at byte ${offset.toLocaleString('en')}, disturbance vector `);
      title.append(element('code', disturbanceVector));
    });
    const legend = element('ul.legend', element('li', element('i.of-hit'), 'attacked block'));
    if (body.querySelector('.near')) {
      legend.append(element('li', element('i.of-near'), 'its first half: the near-collision before it'));
    }
    legend.append(element('li', element('i.of-difference'), 'bytes in which the two messages differ'));
    views.push(element('div.block', title, element('div.scroll', element('table.hex', head, body)), legend));
  }
  return views;
}

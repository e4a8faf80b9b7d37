// The figures as Markdown: all of them for docs/benchmarks.md, a few for the README.
import { CALLS, SIZES, best, bestBatch, callSections, machineOf, row, sections } from './selection.mjs';
import { inWords } from './workload.mjs';

const times = (ratio) => `${ratio.toFixed(2)}x`;
const speed = ({ mib_per_s }) => Math.round(mib_per_s).toString();
const nanoseconds = (value) =>
  (value < 1000 ? value.toFixed(0) : `${(value / 1000).toFixed(1)} µs`).replace(/^(\d+)$/, '$1 ns');

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = heads.map((_, i) => (i === 0 ? '---' : '--:'));
  return [line(heads), line(rule), ...rows.map(line)].join('\n');
}

/** Everything. */
export function page(figures) {
  const out = [`Measured on: ${machineOf(figures)}.`];
  for (const half of [figures.native, figures.javascript]) {
    for (const { name, title, messages, bytes, rows, note } of half.sections) {
      const bases = Object.keys(rows[0].ratio);
      const heads = ['', 'detects', ...bases.map((base) => `÷ ${base}`), 'MiB/s', 'per message', 'spread'];
      const lines = rows.map((row) => [
        row.ours ? `**this: ${row.name}**` : row.name,
        row.detects ? 'yes' : 'no',
        ...bases.map((base) => times(row.ratio[base])),
        bytes === 0 ? '' : speed(row),
        nanoseconds(row.ns_per_message),
        `${(100 * row.spread).toFixed(1)} %`,
      ]);
      const size = messages === 1 ? '' : ` (${bytes.toLocaleString('en')} bytes in all)`;
      out.push(`### ${name}: ${title}${size}`, table(heads, lines), ...(note ? [note] : []));
    }
  }
  return out.join('\n\n');
}

/** The few. */
export function readmeTables(figures) {
  const message = sections(figures, 'native-message').find(({ bytes }) => bytes === 1 << 20);
  const [batch] = sections(figures, 'native-batch');
  const [worst] = sections(figures, 'native-worst');
  const shorter = sections(figures, 'native-message').find(({ bytes }) => bytes === 16 << 10);
  const openssl = 'OpenSSL SHA-1';
  const line = (what, test, all = [message, shorter]) => {
    const found = all.map((section) => row(section, test));
    const ratios = found.map(({ ratio }) => times(ratio[openssl]));
    return [what, found[0].detects ? 'yes' : 'no', speed(found[0]), ...ratios, ...(all.length === 1 ? [''] : [])];
  };
  const names = [...new Set(message.rows.filter(({ ours, detects }) => ours && detects).map(({ name }) => name))];
  const mine =
    (name, detects = true) =>
    (row) =>
      row.ours && row.detects === detects && row.name === name;
  const peer = (name) => (row) => !row.ours && row.name === name;
  const batched = bestBatch(batch);
  const native = table(
    ['Native, one thread', 'detects', 'MiB/s', '÷ OpenSSL', 'at 16 KiB'],
    [
      line("**batch of 1000, sizes as git's objects**", mine(batched.name), [batch]),
      ...names.map((name, i) => line(`**\`${name}\`**${i === 0 ? ' (chosen here)' : ''}`, mine(name))),
      line("mode `'plain'`", mine(names[0], false)),
      line('OpenSSL', peer(openssl)),
      line('OpenSSL, its SHA-NI off', peer('OpenSSL SHA-1, software')),
      line('OpenSSL SHA-256', peer('OpenSSL SHA-256')),
      line('crate `sha1`', peer('sha1 0.11')),
      line('crate `sha1dc` 0.1.5', peer('sha1dc 0.1.5')),
      line('crate `sha1dc` 0.1.5, its SHA-NI off', peer('sha1dc 0.1.5, software')),
      line('crate `sha1-checked`', peer('sha1-checked 0.10')),
    ],
  );
  const bySize = callSections(figures);
  const calls = table(
    ['One call in Node, `Uint8Array`', ...CALLS.map(({ label, kind }) => (kind === 'ours' ? `**${label}**` : label))],
    [0, ...SIZES].map((size) => [
      inWords(size),
      ...CALLS.map(({ test }) => nanoseconds(row(bySize.get(size), test).ns_per_message)),
    ]),
  );
  const ratioOf = (section, name, base, test = (row) => row.ours && row.name === name) =>
    times(row(section, test).ratio[base]);
  const createHash = 'node:crypto createHash';
  const small = sections(figures, 'node-batch').find(({ title }) => title.includes('up to 1 KiB'));
  const mixed = sections(figures, 'node-batch').find(({ title }) => title.startsWith('100 messages'));
  const [objects] = sections(figures, 'node-objects');
  const ofWasm = (name) => sections(figures, name);
  const register = 'isomorphic-git, sha1dc/register';
  const others = table(
    ['Elsewhere', 'this is faster'],
    [
      ['`sha1Many`, objects of up to 1 KiB, against createHash', ratioOf(small, 'sha1Many', createHash)],
      ['`sha1Many`, sizes as git’s objects, against createHash', ratioOf(mixed, 'sha1Many', createHash)],
      ['`hashObjects`, objects of up to 1 KiB, against createHash', ratioOf(objects, 'hashObjects', createHash)],
      [
        'wasm in Node, 1 MiB, against hash-wasm',
        ratioOf(ofWasm('node-wasm')[0], 'sha1 of sha1dc/wasm', 'hash-wasm 4.13'),
      ],
      [
        'wasm in Node, batch, against hash-wasm',
        ratioOf(ofWasm('node-wasm')[2], 'sha1Many of sha1dc/wasm', 'hash-wasm 4.13'),
      ],
      ['wasm in Chromium, 1 MiB, against hash-wasm', ratioOf(ofWasm('chromium-wasm')[0], 'sha1', 'hash-wasm 4.13')],
      ['wasm in Chromium, batch, against hash-wasm', ratioOf(ofWasm('chromium-wasm')[2], 'sha1Many', 'hash-wasm 4.13')],
      [
        "isomorphic-git's indexPack in Node with `register`",
        ratioOf(ofWasm('node-indexpack')[0], register, 'isomorphic-git'),
      ],
      [
        "isomorphic-git's indexPack in Chromium with `register`",
        ratioOf(ofWasm('chromium-indexpack')[0], register, 'isomorphic-git'),
      ],
    ],
  );
  const slowest = best(worst);
  const usual = best(sections(figures, 'native-worst')[1]);
  const slow = `Input made to be slow (every block passes the filter for 12 vectors): ${speed(slowest)} MiB/s, ${(usual.mib_per_s / slowest.mib_per_s).toFixed(0)} times slower than other input; memory stays constant.`;
  return [native, calls, others, slow, `Measured on: ${machineOf(figures)}.`].join('\n\n');
}

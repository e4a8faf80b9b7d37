// What the project wants to reach, beside what was measured: for people. Nothing fails by it.
import { sections } from './selection.mjs';

const mine =
  (name, detects = true) =>
  (row) =>
    row.ours && row.detects === detects && row.name === name;
const peer = (name) => (row) => !row.ours && row.name === name;

/** How many times as fast one row is as another of the same section. */
function between(section, test, other) {
  const [row, base] = [test, other].map((wanted) => section?.rows.find(wanted));
  if (!row || !base) return undefined;
  return row.ratio[base.name] ?? base.ns_per_message / row.ns_per_message;
}

const least = (values) => {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** `[what, goal, measured]`; measured is undefined where a section or a row was not there. */
export function goals(figures) {
  const all = (name) => (figures[name.startsWith('native') ? 'native' : 'javascript'] ? sections(figures, name) : []);
  const message = all('native-message').find(({ bytes }) => bytes === 1 << 20);
  const [batch] = all('native-batch');
  const sha1 = peer('sha1 0.11');
  const software = peer('OpenSSL SHA-1, software');
  const out = [
    ['one message, avx512+sha-ni, against crate sha1', 0.97, between(message, mine('x86_64/avx512+sha-ni'), sha1)],
    ['one message, avx2+sha-ni, against crate sha1', 0.93, between(message, mine('x86_64/avx2+sha-ni'), sha1)],
    [
      "one message, mode 'plain', against OpenSSL",
      1,
      between(message, mine('x86_64/avx512+sha-ni', false), peer('OpenSSL SHA-1')),
    ],
    ['batch, avx512+sha-ni, against crate sha1', 2.2, between(batch, mine('x86_64/avx512+sha-ni batch'), sha1)],
    ['batch, avx2+sha-ni, against crate sha1', 1.5, between(batch, mine('x86_64/avx2+sha-ni batch'), sha1)],
    [
      'one message, avx512 without SHA-NI, against OpenSSL likewise',
      0.95,
      between(message, mine('x86_64/avx512'), software),
    ],
    [
      'one message, avx2 without SHA-NI, against OpenSSL likewise',
      0.95,
      between(message, mine('x86_64/avx2'), software),
    ],
    ['batch, avx2 without SHA-NI, against OpenSSL likewise', 2, between(batch, mine('x86_64/avx2 batch'), software)],
  ];
  const crate = peer('sha1 0.10, software');
  out.push(
    [
      'one message, avx512 without SHA-NI, against crate sha1 likewise',
      0.95,
      between(message, mine('x86_64/avx512'), crate),
    ],
    [
      'one message, avx2 without SHA-NI, against crate sha1 likewise',
      0.95,
      between(message, mine('x86_64/avx2'), crate),
    ],
    ['batch, avx2 without SHA-NI, against crate sha1 likewise', 2, between(batch, mine('x86_64/avx2 batch'), crate)],
  );
  const short = all('native-sizes').filter(({ bytes }) => bytes <= 1024);
  const detecting = (row) => row.ours && row.detects;
  out.push([
    'up to 1 KiB, against crate sha1dc 0.1.5, the worst size',
    1,
    least(short.map((section) => between(section, detecting, peer('sha1dc 0.1.5')))),
  ]);
  const scale = all('native-scale')[0]?.rows.map(({ ns_per_message }) => ns_per_message);
  out.push(['16 KiB to 4 GiB: slowest against fastest', 0.97, scale && Math.min(...scale) / Math.max(...scale)]);

  for (const [where, wasm] of [
    ['node', 'sha1 of sha1dc/wasm'],
    ['chromium', 'sha1'],
  ]) {
    // prettier-ignore
    const [long, , many] = all(`${where}-wasm`);
    out.push([`${where}, wasm, 1 MiB, against hash-wasm`, 0.95, between(long, mine(wasm), peer('hash-wasm 4.13'))]);
    out.push([
      `${where}, wasm, 1 MiB, against crate sha1dc`,
      1.5,
      between(long, mine(wasm), peer('crate sha1dc 0.1.5 in wasm')),
    ]);
    out.push([`${where}, wasm, batch, against hash-wasm`, 1.7, between(many, mine(wasm.replace('sha1', 'sha1Many')), peer('hash-wasm 4.13'))]); // prettier-ignore
  }
  for (const name of ['node-sizes', 'node22-sizes', 'node24-sizes']) {
    for (const other of ['createHash', 'hash']) {
      const ratios = (test) => least(all(name).filter(test).map((section) => between(section, mine('sha1'), peer(`node:crypto ${other}`)))); // prettier-ignore
      out.push([
        `${name}: up to 64 KiB, against crypto's ${other}, the worst size`,
        1,
        ratios(({ bytes }) => bytes <= 65536),
      ]);
      out.push([
        `${name}: from 1 MiB, against crypto's ${other}, the worst size`,
        0.97,
        ratios(({ bytes }) => bytes >= 1 << 20),
      ]);
    }
  }
  const small = all('node-batch').filter(({ title }) => !title.startsWith('100 messages'));
  const batches = small.map((section) => between(section, mine('sha1Many'), peer('node:crypto createHash')));
  out.push(['sha1Many, messages up to 1 KiB, against createHash, the worst', 4, least(batches)]);
  out.push(['hashObjects, up to 1 KiB, against createHash', 4, between(all('node-objects')[0], mine('hashObjects'), peer('node:crypto createHash'))]); // prettier-ignore
  for (const where of ['node', 'chromium']) {
    const ratio = between(all(`${where}-indexpack`)[0], (row) => row.ours, peer('isomorphic-git'));
    out.push([`${where}: isomorphic-git's indexPack with register`, 1.5, ratio]);
  }
  return out;
}

export function printGoals(figures) {
  console.log('\nmeasured    goal');
  for (const [what, goal, measured] of goals(figures)) {
    const mark = measured === undefined ? ' ' : measured >= goal ? '+' : '-';
    const value = measured === undefined ? '?' : `${measured.toFixed(2)}x`;
    console.log(`${value.padStart(7)} ${mark} ${`${goal.toFixed(2)}x`.padStart(6)}  ${what}`);
  }
}

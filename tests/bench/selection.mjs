// Which figures stand for the rest, in the picture and in the README.

export function sections(figures, name) {
  const half = name.startsWith('native') ? figures.native : figures.javascript;
  return half.sections.filter((section) => section.name === name);
}

/** The row that `test` is true of. */
export function row(section, test) {
  const wanted = typeof test === 'string' ? (row) => row.name === test && !row.ours : test;
  const found = section.rows.find(wanted);
  if (!found) throw new Error(`${section.name} (${section.title}) has no row ${test}`);
  return found;
}

/** This project's row on the best backend. */
export const best = (section, detects = true) => row(section, (row) => row.ours && row.detects === detects);

/** This project's batch on the best backend. */
export const bestBatch = (section, detects = true) =>
  row(section, ({ name, ours, detects: its }) => ours && its === detects && name.endsWith(' batch'));

export const SIZES = [16, 64, 256, 1024, 4096, 16384, 65536, 1 << 18, 1 << 20];

/** The sections of node-sizes of one kind of input, by size. */
export function callSections(figures, kind = 'a Uint8Array') {
  const all = sections(figures, 'node-sizes').filter(({ title }) => title.startsWith(kind));
  return new Map(all.map((section) => [section.bytes, section]));
}

export const CALLS = [
  { label: 'sha1dc, detects', test: (row) => row.ours && row.name === 'sha1', kind: 'ours' },
  { label: 'crypto.hash', test: 'node:crypto hash', kind: 'other' },
  { label: 'createHash', test: 'node:crypto createHash', kind: 'plain' },
  { label: 'hash-wasm', test: 'hash-wasm 4.13', kind: 'green' },
  { label: '@noble/hashes', test: '@noble/hashes 2.4', kind: 'violet' },
  { label: 'sha.js', test: 'sha.js 2.4', kind: 'brown' },
];

export function machineOf({ native, javascript }) {
  const { cpu, cores, arch, os } = native.machine;
  const { node } = javascript.machine;
  return `${cpu}, ${cores} cores, ${arch} ${os}; ${native.machine.openssl}; Node ${node}; ${native.date}`;
}

export function pictureOf(figures) {
  const message = sections(figures, 'native-message').find(({ bytes }) => bytes === 1 << 20);
  const [batch] = sections(figures, 'native-batch');
  const bar = (label, { mib_per_s }, kind) => ({ label, value: mib_per_s, kind });
  const throughput = [
    bar('sha1dc, batch of git-like sizes, detects', bestBatch(batch), 'ours'),
    bar('sha1dc, one message of 1 MiB, detects', best(message), 'ours'),
    bar("sha1dc, mode 'plain'", best(message, false), 'plain'),
    bar('OpenSSL, no detection', row(message, 'OpenSSL SHA-1'), 'plain'),
    bar('crate sha1, no detection', row(message, 'sha1 0.11'), 'plain'),
    bar('OpenSSL SHA-256', row(message, 'OpenSSL SHA-256'), 'plain'),
    bar('crate sha1dc 0.1.5, detects', row(message, 'sha1dc 0.1.5'), 'other'),
    bar('crate sha1-checked, detects', row(message, 'sha1-checked 0.10'), 'other'),
    bar('crate sha1collisiondetection, detects', row(message, 'sha1collisiondetection 0.3.4'), 'other'),
  ];
  const bySize = callSections(figures);
  const calls = CALLS.map(({ label, test, kind }) => ({
    label,
    kind,
    points: SIZES.map((size) => [size, row(bySize.get(size), test).ratio['node:crypto createHash']]),
  }));
  return { throughput, calls, footnote: machineOf(figures) };
}

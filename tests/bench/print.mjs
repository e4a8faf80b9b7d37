// Tables on the terminal, as the native half prints them.

const short = (name) => name.replace('node:crypto ', '').replace('crate sha1dc 0.1.5 in wasm', 'sha1dc').split(' ')[0];

export function printSection({ name, title, bytes, rows, note }) {
  const bases = Object.keys(rows[0]?.ratio ?? {});
  console.log(`\n${name}: ${title} (${bytes} bytes in all)`);
  const heads = bases.map((base) => `/${short(base)}`.padStart(12)).join('');
  console.log(`${heads}${'MiB/s'.padStart(10)}${'ns/message'.padStart(13)}${'spread'.padStart(9)}  detects`);
  for (const row of rows) {
    const ratios = bases.map((base) => `${row.ratio[base].toFixed(2)}x`.padStart(12)).join('');
    const speed = row.mib_per_s.toFixed(0).padStart(10) + row.ns_per_message.toFixed(1).padStart(13);
    const spread = `${(100 * row.spread).toFixed(1)}%`.padStart(9);
    console.log(
      `${ratios}${speed}${spread}  ${row.detects ? 'yes    ' : 'no     '}  ${row.ours ? 'this: ' : ''}${row.name}`,
    );
  }
  if (note) console.log(`  ${note}`);
}

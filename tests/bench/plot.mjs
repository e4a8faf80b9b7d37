// The picture in the README, drawn from the figures.

const WIDTH = 880;
const STYLE = `
  .page { fill: #ffffff; stroke: #d8dee4 } .text { fill: #1f2328 } .quiet { fill: #656d76 } .grid { stroke: #d8dee4 }
  .ours { fill: #d9480f; stroke: #d9480f } .plain { fill: #8c959f; stroke: #8c959f } .other { fill: #4c6ef5; stroke: #4c6ef5 }
  .green { fill: #2f9e44; stroke: #2f9e44 } .violet { fill: #9c36b5; stroke: #9c36b5 } .brown { fill: #846358; stroke: #846358 }
  line, path { fill: none; stroke-width: 1 } path { stroke-width: 2 } path.ours { fill: none; stroke-width: 3 }
  path.plain, path.other, path.green, path.violet, path.brown { fill: none } text { stroke: none !important; font: 12px system-ui, sans-serif }
  .head { font-weight: 600; font-size: 14px } text.ours { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #30363d } .text { fill: #e6edf3 } .quiet { fill: #8b949e } .grid { stroke: #30363d }
    .ours { fill: #ff922b; stroke: #ff922b } .other { fill: #748ffc; stroke: #748ffc } .green { fill: #51cf66; stroke: #51cf66 }
    .violet { fill: #cc5de8; stroke: #cc5de8 } .brown { fill: #b89b8f; stroke: #b89b8f }
  }`;

const escape = (text) => text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]);
const fixed = (value) => Number(value.toFixed(1));

function text(x, y, words, { kind = 'text', anchor = 'start' } = {}) {
  return `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escape(words)}</text>`;
}

/** Bars: `[{ label, value, kind }]`. */
function bars(rows, top) {
  const left = 290;
  const scale = (WIDTH - left - 90) / Math.max(...rows.map(({ value }) => value));
  return rows.flatMap(({ label, value, kind }, i) => {
    const y = top + i * 24;
    return [
      text(left - 10, y + 13, label, { kind: kind === 'ours' ? 'ours' : 'text', anchor: 'end' }),
      `<rect class="${kind}" x="${left}" y="${y}" width="${fixed(value * scale)}" height="18" rx="2"/>`,
      text(left + value * scale + 6, y + 13, `${Math.round(value)} MiB/s`, { kind: 'quiet' }),
    ];
  });
}

/** Lines over sizes, both axes logarithmic: `[{ label, kind, points: [[size, value]] }]`. */
function lines(series, top, height, ticks) {
  const [left, right] = [70, WIDTH - 190];
  const sizes = series[0].points.map(([size]) => size);
  const [first, last] = [Math.log2(sizes[0]), Math.log2(sizes.at(-1))];
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const low = Math.log2(Math.min(...values, ticks[0]));
  const high = Math.log2(Math.max(...values, ticks.at(-1)));
  const x = (size) => left + ((Math.log2(size) - first) / (last - first)) * (right - left);
  const y = (value) => top + ((high - Math.log2(value)) / (high - low)) * height;
  const out = [];
  for (const tick of ticks) {
    out.push(`<line class="grid" x1="${left}" x2="${right}" y1="${fixed(y(tick))}" y2="${fixed(y(tick))}"/>`);
    out.push(text(left - 8, y(tick) + 4, `${tick}x`, { kind: 'quiet', anchor: 'end' }));
  }
  for (const size of sizes) {
    const words = size < 1024 ? `${size} B` : size < 1048576 ? `${size >> 10} KiB` : `${size >> 20} MiB`;
    out.push(text(x(size), top + height + 18, words, { kind: 'quiet', anchor: 'middle' }));
  }
  for (const { kind, points } of [...series].reverse()) {
    const path = points.map(([size, value], i) => `${i ? 'L' : 'M'}${fixed(x(size))} ${fixed(y(value))}`).join(' ');
    out.push(`<path class="${kind}" d="${path}"/>`);
  }
  // Names at the lines' ends, moved apart where these meet.
  const names = series.map(({ label, kind, points }) => ({ label, kind, end: points.at(-1) }));
  names.sort((a, b) => b.end[1] - a.end[1]);
  let lowest = -Infinity;
  for (const { label, kind, end } of names) {
    lowest = Math.max(y(end[1]) + 4, lowest + 15);
    out.push(text(x(end[0]) + 8, lowest, label, { kind }));
  }
  return out;
}

/** The picture. `throughput`: rows of {@link bars}; `calls`: series of {@link lines}. */
export function picture({ throughput, calls, footnote }) {
  const barsTop = 46;
  const linesHead = barsTop + throughput.length * 24 + 36;
  const linesTop = linesHead + 20;
  const linesHeight = 230;
  const height = linesTop + linesHeight + 62;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>Speed of sha1dc and of other SHA-1 implementations</title><style>${STYLE}\n</style>`,
    `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`,
    text(20, 28, 'Native, one thread', { kind: 'text head' }),
    ...bars(throughput, barsTop),
    text(20, linesHead, 'In Node: one call with a Uint8Array, times as fast as createHash', { kind: 'text head' }),
    ...lines(calls, linesTop, linesHeight, [0.1, 0.25, 0.5, 1, 2]),
    text(20, height - 14, footnote, { kind: 'quiet' }),
    '</svg>',
    '',
  ].join('\n');
}

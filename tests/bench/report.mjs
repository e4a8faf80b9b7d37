// node tests/bench/report.mjs [--save]
//
// Joins the figures of both halves, which are in target/bench, and draws the picture. With --save they also go to docs/, and
// into the README's tables: only whole and careful runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printGoals } from './goals.mjs';
import { page, readmeTables } from './tables.mjs';
import { picture } from './plot.mjs';
import { pictureOf } from './selection.mjs';

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { values: options } = parseArgs({ options: { save: { type: 'boolean', default: false } } });

const WHOLE = {
  native: ['native-message', 'native-sizes', 'native-batch', 'native-repo', 'native-worst', 'native-scale'],
  javascript: [
    'node-sizes',
    'node-batch',
    'node-objects',
    'node-wasm',
    'node-indexpack',
    'chromium-wasm',
    'chromium-indexpack',
  ],
};

const figures = {};
const gaps = [];
for (const [half, names] of Object.entries(WHOLE)) {
  const file = at(`target/bench/${half}.json`);
  if (!existsSync(file)) {
    gaps.push(`${half} was not measured`);
    continue;
  }
  figures[half] = JSON.parse(readFileSync(file, 'utf8'));
  if (figures[half].quick) gaps.push(`${half} was measured with --quick`);
  const found = new Set(figures[half].sections.map(({ name }) => name));
  gaps.push(...names.filter((name) => !found.has(name)).map((name) => `${name} was not measured`));
}

/** Puts `text` between the file's markers of this name. */
function between(file, name, text) {
  const before = readFileSync(file, 'utf8');
  const pattern = new RegExp(`(<!-- ${name}:begin[^>]*-->\n)[^]*?(<!-- ${name}:end -->)`);
  if (!pattern.test(before)) throw new Error(`${file} has no markers ${name}:begin and ${name}:end`);
  writeFileSync(
    file,
    before.replace(pattern, (_, begin, end) => begin + text.trim() + '\n' + end),
  );
}

printGoals(figures);
if (gaps.length > 0) {
  console.log(`\nNo picture: ${gaps.join('; ')}.`);
  if (options.save) process.exit(1);
} else {
  const json = JSON.stringify(figures, null, 1) + '\n';
  const svg = picture(pictureOf(figures));
  writeFileSync(at('target/bench/benchmarks.json'), json);
  writeFileSync(at('target/bench/benchmarks.svg'), svg);
  console.log('\nFigures and picture: target/bench/benchmarks.json, target/bench/benchmarks.svg');
  if (options.save) {
    writeFileSync(at('docs/benchmarks.json'), json);
    writeFileSync(at('docs/benchmarks.svg'), svg);
    between(at('docs/benchmarks.md'), 'figures', page(figures));
    between(at('README.md'), 'figures', readmeTables(figures));
    console.log('Saved in docs/ and in README.md.');
  }
}

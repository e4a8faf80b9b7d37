#!/usr/bin/env node
// A fuzzer of the command line's --check: lists of digests of which some lines are damaged.
//
//   node tests/fuzz-check.mjs [--seconds 30] [--seed N] [--rounds N]
//
// Lines that are whole must get their answer, whatever stands around them; nothing may be called OK of which the digest does
// not stand in the list; and the program ends with an exit code and in words, never with a stack. A failure prints its seed
// and round; the same seed gives the same rounds.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Random } from './suite/lib/bytes.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() >>> 0) },
    rounds: { type: 'string', default: 'Infinity' },
  },
});
const seed = Number(options.seed) >>> 0;
const random = new Random(seed);
const folder = fileURLToPath(new URL('../npm/', import.meta.url));
const program = join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin.sha1dc);

const cwd = mkdtempSync(join(tmpdir(), 'sha1dc-fuzz-'));
const files = new Map();
for (const name of [
  'plain',
  'with space',
  ' leading',
  'back\\slash',
  'line\nend',
  '*star',
  'quote\'"',
  'SHA1 (x) = y',
  '-a',
  'CRLF\r',
])
  files.set(name, createHash('sha1').update(name).digest('hex'));
for (const name of files.keys()) writeFileSync(join(cwd, name), name);
const names = [...files.keys(), 'absent', '.', 'a'.repeat(300)];

const PIECES = [
  '\\',
  '\\n',
  '\\r',
  '\\x',
  '\r',
  '\n',
  '\t',
  ' ',
  '  ',
  ' *',
  '*',
  '#',
  '\0',
  'SHA1 (',
  'SHA1(',
  ') = ',
  ')= ',
  ')=',
  'MD5 (',
  '0',
  'g',
  'A',
  '\xff',
  '-',
];

const escape = (name) => name.replace(/[\\\n\r]/g, (c) => ({ '\\': '\\\\', '\n': '\\n', '\r': '\\r' })[c]);

/** A line that is whole, and what must be said of it. */
function line() {
  const name = random.pick(names);
  const known = files.get(name);
  const wrong = known !== undefined && random.below(4) === 0;
  const digest = known === undefined || wrong ? random.pick(['0'.repeat(40), 'fedcba9876'.repeat(4)]) : known;
  const shown = random.below(4) === 0 ? digest.toUpperCase() : digest;
  const escaped = escape(name);
  const mark = escaped === name ? '' : '\\';
  const word = known === undefined ? 'FAILED open or read' : wrong ? 'FAILED' : 'OK';
  const text =
    random.below(2) === 0
      ? `${mark}SHA1 (${escaped}) = ${shown}`
      : `${mark}${shown} ${random.pick([' ', '*'])}${escaped}`;
  return { text, answer: `${mark}${escaped}: ${word}`, missing: name === 'absent' };
}

function damaged(text) {
  for (let i = random.between(1, 3); i > 0; i--) {
    const at = random.below(text.length + 1);
    const kind = random.below(4);
    if (kind === 0) text = text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + random.below(3));
    else if (kind === 2) text = text.slice(0, at);
    else text = text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + 1);
  }
  return text;
}

function list() {
  const answers = [];
  let text = '';
  for (let i = random.below(random.below(4) === 0 ? 300 : 12); i > 0; i--) {
    const { text: whole, answer, missing } = line();
    if (random.below(3) === 0) text += damaged(whole);
    else {
      text += whole;
      answers.push({ answer, missing });
    }
    text += random.pick(['\n', '\n', '\n', '\r\n', '\n\n']);
  }
  if (random.below(6) === 0) text += damaged(line().text);
  return { text, answers };
}

/** What is wrong with the program's answer to a list, or nothing. */
function judge({ text, answers }, flags, { status, signal, stdout, stderr }) {
  if (signal || ![0, 1].includes(status)) return `it ended with ${signal ?? status}`;
  if (/^ {4}at /m.test(stderr)) return 'it shows a stack';
  const said = new Map();
  for (const words of stdout.split('\n')) said.set(words, (said.get(words) ?? 0) + 1);
  const left = new Map(said);
  for (const { answer, missing } of answers) {
    if (missing && flags.includes('--ignore-missing')) continue;
    if (!left.get(answer)) return `it does not say ${JSON.stringify(answer)}`;
    left.set(answer, left.get(answer) - 1);
  }
  const lower = text.toLowerCase();
  for (const [name, digest] of files) {
    const escaped = escape(name);
    const count = said.get(`${escaped === name ? '' : '\\'}${escaped}: OK`) ?? 0;
    if (count > lower.split(digest).length - 1) return `it says ${JSON.stringify(name)} is OK without its digest`;
  }
  if (status === 0 && stdout.includes(': FAILED')) return 'it ended with 0 though something failed';
  return undefined;
}

let round = 0;
let failure;
const end = Date.now() + Number(options.seconds) * 1000;
for (; round < Number(options.rounds) && Date.now() < end && !failure; round++) {
  const input = list();
  writeFileSync(join(cwd, 'list'), input.text, 'latin1');
  const flags = ['--warn', '--strict', '--ignore-missing'].filter(() => random.below(4) === 0);
  const answer = spawnSync(process.execPath, [program, '--check', ...flags, 'list'], {
    cwd,
    encoding: 'latin1',
    env: { ...process.env, NO_COLOR: '1' },
  });
  const wrong = judge(input, flags, answer);
  if (wrong)
    failure = `seed ${seed}, round ${round}, ${flags.join(' ')}: ${wrong}\n${JSON.stringify(input.text)}\n${answer.stdout}\n${answer.stderr}`;
}
rmSync(cwd, { recursive: true, force: true });
if (failure) console.log(`FAILED  ${failure}`);
console.log(`seed ${seed}: ${round} lists`);
console.log(`${round} passed, ${failure ? 1 : 0} failed`);
process.exitCode = failure || round === 0 ? 1 : 0;

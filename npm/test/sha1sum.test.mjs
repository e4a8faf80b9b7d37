// The command line beside sha1sum: the same output, the same words, the same exit code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/node/cli.cjs', import.meta.url));
const { stdout: about } = spawnSync('sha1sum', ['--version'], { encoding: 'utf8' });
// Older ones say some things in other words.
const skip = /GNU coreutils\) (9|\d\d)\./.test(about) ? false : 'there is no GNU sha1sum here, or one before 9.0';

const folder = mkdtempSync(join(tmpdir(), 'sha1dc-sha1sum-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => writeFileSync(join(folder, name), text);
const options = { cwd: folder, encoding: 'utf8' };

function alike(...args) {
  const ours = spawnSync(process.execPath, [program, ...args], options);
  const theirs = spawnSync('sha1sum', args, options);
  const words = theirs.stderr.replaceAll('sha1sum', 'sha1dc');
  assert.deepEqual([ours.stdout, ours.stderr, ours.status], [theirs.stdout, words, theirs.status], args.join(' '));
}

test('files that are there and files that are not', { skip }, () => {
  write('a', 'a');
  write('b c', 'b');
  write('back\\slash', 'c');
  alike('a', 'missing', '.', 'b c', 'back\\slash');
  alike('--tag', 'a', 'back\\slash');
  alike('-z', 'a', 'back\\slash');
});

test('names in messages are quoted alike', { skip }, () => {
  const names = [
    'no such',
    "it's",
    'a"b',
    'both\'"',
    '$x',
    'tab\there',
    'new\nline',
    'end\n',
    "\x01\x02x'",
    '#a',
    'a#',
    '~',
    'x=y',
    '[',
    '{',
    'a{',
  ];
  for (const name of names) alike('--', name);
});

test('--check, with everything that can be wrong', { skip }, () => {
  write('a', 'a');
  write('new\nline', 'x');
  const good = spawnSync('sha1sum', ['a', 'new\nline'], options).stdout;
  const zeros = '0'.repeat(40);
  write('good', good);
  write('sums', `${good}bad line\n# a comment\n${zeros}  a\n${zeros}  missing\n`);
  write('malformed', `${good}bad line\nand another\n`);
  write('lost', `${zeros}  missing\n`);
  write('nothing', 'nothing\n');
  write('empty', '');
  for (const list of ['good', 'sums', 'malformed', 'lost', 'nothing', 'empty', 'no such list', '.']) {
    for (const flags of [[], ['--quiet'], ['--status'], ['--warn'], ['--strict'], ['--ignore-missing']]) {
      alike('-c', ...flags, list);
    }
  }
  alike('-c', 'good', 'lost', 'sums');
});

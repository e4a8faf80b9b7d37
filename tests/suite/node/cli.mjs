// The command line, as a user calls it: `sha1dc` and `sha1dcsum`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { deepEqual, equal, ok } from '../lib/assert.mjs';
import { pattern, toHex } from '../lib/bytes.mjs';
import { skip } from '../lib/harness.mjs';
import * as vectors from '../../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const manifest = JSON.parse(readFileSync(join(facts.packageFolder, 'package.json'), 'utf8'));
  const program = (name) => join(facts.packageFolder, manifest.bin[name]);
  const { lengths } = vectors;

  function cli(args, { cwd, input = '', name = 'sha1dc', env = {} } = {}) {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [program(name), ...args], {
      cwd,
      input,
      env: { ...process.env, NO_COLOR: '1', ...env },
      maxBuffer: 1 << 28,
    });
    if (error) throw error;
    return { status, stdout: stdout.toString(), stderr: stderr.toString(), raw: stdout };
  }

  async function withFolder(body) {
    const folder = mkdtempSync(join(tmpdir(), 'sha1dc-cli-'));
    try {
      return await body(folder, (name, bytes) => writeFileSync(join(folder, name), bytes));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const ABC = 'a9993e364706816aba3e25717850c26c9cd0d89d';

  test('a file, several files, standard input', () =>
    withFolder((cwd, file) => {
      file('one', pattern(100));
      file('two', pattern(1000));
      deepEqual(
        { ...cli(['one'], { cwd }), raw: 0 },
        { status: 0, stdout: `${lengths.pattern[100]}  one\n`, stderr: '', raw: 0 },
      );
      const both = cli(['one', 'two'], { cwd });
      equal(both.stdout, `${lengths.pattern[100]}  one\n${lengths.pattern[1000]}  two\n`);
      equal(both.status, 0);
      equal(cli([], { input: 'abc' }).stdout, `${ABC}  -\n`);
      equal(cli(['-'], { input: 'abc' }).stdout, `${ABC}  -\n`);
      equal(
        cli(['one', '-', 'two'], { cwd, input: 'abc' }).stdout,
        `${lengths.pattern[100]}  one\n${ABC}  -\n${lengths.pattern[1000]}  two\n`,
      );
      equal(cli([], { input: '' }).stdout, `${lengths.pattern[0]}  -\n`);
      equal(cli([], { input: Buffer.from(pattern(1025)) }).stdout, `${lengths.pattern[1025]}  -\n`);
    }));

  test('the same as sha1sum, for names of every kind', () =>
    withFolder((cwd, file) => {
      if (spawnSync('sha1sum', ['--version']).status !== 0) skip('this machine has no sha1sum');
      const names = [
        'plain',
        'with space',
        'ünïcode',
        'back\\slash',
        'new\nline',
        'quote"s',
        '-dash',
        'tab\there',
        'return\rname',
        '日本',
      ];
      for (const [i, name] of names.entries()) file(name, pattern(i * 100));
      const theirs = spawnSync('sha1sum', ['--', ...names], { cwd });
      equal(cli(['--', ...names], { cwd }).stdout, theirs.stdout.toString());
      for (const flags of [['--tag'], ['-z'], ['--zero'], ['--tag', '-z']]) {
        equal(
          cli([...flags, '--', ...names], { cwd }).stdout,
          spawnSync('sha1sum', [...flags, '--', ...names], { cwd }).stdout.toString(),
          flags.join(' '),
        );
      }
      equal(
        cli(['-b', 'plain'], { cwd }).stdout,
        spawnSync('sha1sum', ['-b', 'plain'], { cwd }).stdout.toString(),
        '-b',
      );
    }));

  test('attacks: *coll* and exit code 3', () =>
    withFolder((cwd, file) => {
      for (const name of ['shattered-1.pdf', 'shattered-2.pdf', 'sha-mbles-1.bin', 'sha-mbles-2.bin']) {
        const { bytes, digest } = vectors.attack(name);
        file(name, bytes);
        const { status, stdout } = cli([name], { cwd });
        equal(status, 3, name);
        equal(stdout, `${digest} *coll* ${name}\n`, name);
        const piped = cli([], { cwd, input: bytes });
        equal(piped.status, 3, name);
        equal(piped.stdout, `${digest} *coll* -\n`, name);
      }
      file('fine', pattern(10));
      const mixed = cli(['fine', 'shattered-1.pdf', 'fine'], { cwd });
      equal(mixed.status, 3);
      equal(
        mixed.stdout,
        `${lengths.pattern[10]}  fine\n${vectors.attack('shattered-1.pdf').digest} *coll* shattered-1.pdf\n${lengths.pattern[10]}  fine\n`,
      );
    }));

  test('--mode and --reduced-rounds', () =>
    withFolder((cwd, file) => {
      const { bytes, digest, full } = vectors.attack('shattered-1.pdf');
      file('s', bytes);
      const mitigate = cli(['--mode', 'mitigate', 's'], { cwd });
      ok(mitigate.stdout.startsWith(full.safeDigest), mitigate.stdout);
      equal(cli(['--mode=plain', 's'], { cwd }).stdout, `${digest}  s\n`);
      equal(cli(['--mode=plain', 's'], { cwd }).status, 0);
      ok(cli(['--mode', 'report', 's'], { cwd }).stdout.startsWith(digest));
      const reduced = vectors.attack('sha1_reducedsha_coll.bin');
      file('r', reduced.bytes);
      equal(cli(['r'], { cwd }).stdout, `${reduced.digest}  r\n`);
      equal(cli(['r'], { cwd }).status, 0);
      const flagged = cli(['--reduced-rounds', 'r'], { cwd });
      equal(flagged.stdout, `${reduced.digest} *coll* r\n`);
      equal(flagged.status, 3);
      equal(cli(['--mode', 'nope', 's'], { cwd }).status, 2);
    }));

  test('files that cannot be read: the others are done, exit code 1', () =>
    withFolder((cwd, file) => {
      file('one', pattern(1));
      file('two', pattern(2));
      mkdirSync(join(cwd, 'folder'));
      const { status, stdout, stderr } = cli(['one', 'missing', 'folder', 'two'], { cwd });
      equal(status, 1);
      equal(stdout, `${lengths.pattern[1]}  one\n${lengths.pattern[2]}  two\n`);
      ok(stderr.includes('missing') && stderr.includes('folder'), stderr);
      ok(!stderr.includes('    at '), `no stack trace: ${stderr}`);
    }));

  test('--check: good, changed, missing, malformed', () =>
    withFolder((cwd, file) => {
      file('one', pattern(1));
      file('two', pattern(2));
      file('sums', `${lengths.pattern[1]}  one\n${lengths.pattern[2]} *two\n`);
      const good = cli(['-c', 'sums'], { cwd });
      equal(good.status, 0, good.stderr);
      equal(good.stdout, 'one: OK\ntwo: OK\n');
      equal(cli(['--check', 'sums', '--quiet'], { cwd }).stdout, '');
      equal(cli(['-c', 'sums', '--status'], { cwd }).stdout, '');
      file('two', pattern(3));
      const changed = cli(['-c', 'sums'], { cwd });
      equal(changed.status, 1);
      ok(changed.stdout.includes('one: OK') && changed.stdout.includes('two: FAILED'), changed.stdout);
      equal(cli(['-c', '--status', 'sums'], { cwd }).status, 1);
      equal(cli(['-c', '--status', 'sums'], { cwd }).stdout, '');
      equal(cli(['-c', '-q', 'sums'], { cwd }).stdout, 'two: FAILED\n');
      file('lost', `${lengths.pattern[1]}  one\n${lengths.pattern[1]}  nowhere\n`);
      const lost = cli(['-c', 'lost'], { cwd });
      equal(lost.status, 1);
      ok(lost.stdout.includes('one: OK'), lost.stdout);
      for (const text of [
        'nonsense\n',
        '',
        'zz  one\n',
        `${lengths.pattern[1]}\n`,
        `${lengths.pattern[1]} one\n`.slice(3),
      ]) {
        file('bad', text);
        equal(cli(['-c', 'bad'], { cwd }).status, 1, JSON.stringify(text));
      }
      equal(cli(['-c'], { cwd, input: `${lengths.pattern[1]}  one\n` }).stdout, 'one: OK\n');
    }));

  test('--check reads what it and sha1sum write: --tag, -z, escaped names, CRLF, upper case, comments', () =>
    withFolder((cwd, file) => {
      const names = ['plain', 'with space', 'back\\slash', 'new\nline', 'SHA1 (x) = y', 'ünï'];
      for (const [i, name] of names.entries()) file(name, pattern(i));
      for (const flags of [[], ['--tag'], ['-z'], ['-b']]) {
        const { raw } = cli([...flags, '--', ...names], { cwd });
        file('sums', raw);
        const check = cli(['-c', ...flags.filter((flag) => flag === '-z'), 'sums'], { cwd });
        equal(check.status, 0, `${flags}: ${check.stdout}${check.stderr}`);
      }
      file('dos', `${lengths.pattern[0].toUpperCase()}  plain\r\n`);
      equal(cli(['-c', 'dos'], { cwd }).status, 0);
    }));

  test('--check of an attack: the sum matches and still it is told', () =>
    withFolder((cwd, file) => {
      const { bytes, digest } = vectors.attack('sha-mbles-1.bin');
      file('m', bytes);
      file('sums', `${digest}  m\n`);
      const { status, stdout, stderr } = cli(['-c', 'sums'], { cwd });
      equal(status, 3, `${stdout}${stderr}`);
      ok(!/^m: OK$/m.test(stdout), stdout);
    }));

  test('--json', () =>
    withFolder((cwd, file) => {
      const { bytes, digest, full } = vectors.attack('shattered-1-320');
      file('a', bytes);
      file('b', pattern(5));
      const { status, stdout } = cli(['--json', 'a', 'b'], { cwd });
      equal(status, 3);
      const parsed = stdout.trim().startsWith('[')
        ? JSON.parse(stdout)
        : stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
      equal(parsed.length, 2);
      equal(parsed[0].digest, digest);
      equal(parsed[0].collision, true);
      equal(parsed[0].collisions[0].offset, full.collisions[0].offset);
      equal(parsed[0].collisions[0].disturbanceVector, 'II(52,0)');
      equal(parsed[1].digest, lengths.pattern[5]);
      equal(parsed[1].collision, false);
    }));

  test('--git', () =>
    withFolder((cwd, file) => {
      for (const { type, id, content } of vectors.gitObjects) {
        file('object', content);
        equal(cli(['--git', type, 'object'], { cwd }).stdout, `${id}  object\n`, type);
        break;
      }
      const tree = vectors.gitObjects.find(({ type, content }) => type === 'tree' && content.length > 0);
      equal(cli(['--git', 'tree'], { input: tree.content }).stdout, `${tree.id}  -\n`);
      equal(cli(['--git=blob'], { input: 'hello world\n' }).stdout, '3b18e512dba79e4c8300dd08aeb37f8e728b8dad  -\n');
      file('s', vectors.attack('shattered-1.pdf').bytes);
      equal(cli(['--git', 'blob', 's'], { cwd }).status, 0);
      equal(cli(['--git', 'nope', 's'], { cwd }).status, 2);
    }));

  test('--twin writes the other file', () =>
    withFolder((cwd, file) => {
      const first = vectors.attack('shattered-1.pdf');
      file('first', first.bytes);
      const { status } = cli(['--twin', 'out', 'first'], { cwd });
      equal(status, 3);
      equal(toHex(readFileSync(join(cwd, 'out'))), toHex(vectors.attack('shattered-2.pdf').bytes));
      file('clean', pattern(100));
      const none = cli(['--twin', 'none', 'clean'], { cwd });
      ok(none.status !== 0 && none.stderr !== '', `a clean file has no twin, and it is said: ${JSON.stringify(none)}`);
    }));

  test('--version, --help, wrong usage', () => {
    ok(cli(['--version']).stdout.includes(manifest.version));
    const help = cli(['--help']);
    equal(help.status, 0);
    for (const option of [
      '--check',
      '--tag',
      '--zero',
      '--json',
      '--mode',
      '--reduced-rounds',
      '--git',
      '--twin',
      '--progress',
      '--quiet',
      '--status',
      '--version',
      '--help',
    ]) {
      ok(help.stdout.includes(option), `--help names ${option}`);
    }
    for (const args of [['--nope'], ['-Q'], ['--mode'], ['--git'], ['--mode', 'nope'], ['--twin']]) {
      const { status, stdout, stderr } = cli(args, { input: 'abc' });
      equal(status, 2, args.join(' '));
      equal(stdout, '', args.join(' '));
      ok(stderr.length > 0, args.join(' '));
    }
  });

  test('installed as sha1dcsum too', () => {
    equal(cli([], { input: 'abc', name: 'sha1dcsum' }).stdout, `${ABC}  -\n`);
  });

  test('it ends quietly when its reader goes away', () =>
    withFolder(async (cwd, file) => {
      const names = Array.from({ length: 3000 }, (_, i) => `file-${i}`);
      for (const name of names) file(name, '');
      const child = spawn(process.execPath, [program('sha1dc'), ...names], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      let stderr = '';
      child.stderr.on('data', (chunk) => (stderr += chunk));
      await new Promise((resolve) => child.on('close', resolve));
      ok(!stderr.includes('    at '), stderr);
    }));

  test('it works on wasm and on js', () =>
    withFolder((cwd, file) => {
      const { bytes, digest } = vectors.attack('shattered-1.pdf');
      file('s', bytes);
      for (const backend of ['wasm', 'js']) {
        const { status, stdout } = cli(['s'], { cwd, env: { SHA1DC_BACKEND: backend } });
        equal(status, 3);
        equal(stdout, `${digest} *coll* s\n`, backend);
      }
    }));

  test('progress goes to standard error and not to the output', () =>
    withFolder((cwd, file) => {
      file('big', new Uint8Array(8 << 20));
      const { status, stdout, stderr } = cli(['--progress', 'big'], { cwd });
      equal(status, 0);
      equal(stdout, `${impl.sha1(new Uint8Array(8 << 20))}  big\n`);
      ok(stderr.length > 0, 'something was shown');
      equal(cli(['big'], { cwd }).stderr, '', 'none when not on a terminal');
    }));
}

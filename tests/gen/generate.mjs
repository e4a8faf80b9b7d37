// Writes ../vectors/*.json. Run it with `node tests/gen/generate.mjs`; it needs cargo and git and reaches crates.io.
//
// Expected values come from the reference implementations (the Rust program beside this file asks the published crates
// sha1collisiondetection and sha1-checked and stops when they disagree), from Node's own crypto, and from git. Every
// digest is computed by at least two of them. The project's own code has no part in it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ascii, concat, pattern, Random, toBase64, toHex, xor } from '../suite/lib/bytes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const vectors = join(here, '..', 'vectors');

function run(command, args, options = {}) {
  return execFileSync(command, args, { cwd: here, maxBuffer: 1 << 30, ...options });
}

const metadata = JSON.parse(run('cargo', ['metadata', '--format-version', '1']).toString());
function crate(name) {
  return dirname(metadata.packages.find((entry) => entry.name === name).manifest_path);
}

function nodeSha1(bytes) {
  return createHash('sha1').update(bytes).digest('hex');
}

/** The reference's verdict on each message, its digests compared with Node's. */
function reference(messages) {
  const input = Buffer.concat(
    messages.flatMap((message) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(message.length);
      return [length, message];
    }),
  );
  const lines = run('cargo', ['run', '--release', '--quiet'], { input }).toString().trim().split('\n');
  assert.equal(lines.length, messages.length);
  return lines.map((line, i) => {
    const verdict = JSON.parse(line);
    assert.equal(verdict.digest, nodeSha1(messages[i]));
    return verdict;
  });
}

function clean(messages) {
  return reference(messages).map((verdict) => {
    assert.equal(verdict.reduced.collisions.length, 0);
    return verdict.digest;
  });
}

function write(name, content) {
  writeFileSync(join(vectors, name), `${JSON.stringify(content, null, 1)}\n`);
}

// ---- NIST -----------------------------------------------------------------------------------------------------------

function nist() {
  const source = readFileSync(join(crate('sha1collisiondetection'), 'tests', 'nist_cavs_short_msg.rs'), 'utf8');
  const bytes = (escaped) => escaped.replaceAll('\\x', '').replaceAll(/\\\n\s*/g, '');
  const cases = [];
  let message = '';
  for (const [, update, digest] of source.matchAll(/update\(&b"([^"]*)"|as_slice\(\), b"([^"]*)"/g)) {
    if (update !== undefined) message = bytes(update);
    else {
      cases.push({ message, digest: bytes(digest) });
      message = '';
    }
  }
  assert.equal(cases.length, 65);
  assert.deepEqual(
    clean(cases.map((entry) => Buffer.from(entry.message, 'hex'))),
    cases.map((entry) => entry.digest),
  );
  const text = [
    'abc',
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    'The quick brown fox jumps over the lazy dog',
    'The quick brown fox jumps over the lazy cog',
  ];
  const digests = clean(text.map(ascii));
  const million = clean([new Uint8Array(1e6).fill(0x61)])[0];
  // The values printed in FIPS 180-1 and in NIST's example values, so that an error common to all three would show.
  assert.equal(digests[0], 'a9993e364706816aba3e25717850c26c9cd0d89d');
  assert.equal(digests[1], '84983e441c3bd26ebaae4aa1f95129e5e54670f1');
  assert.equal(digests[2], 'a49b2446a02c645bf419f995b67091253a04a259');
  assert.equal(million, '34aa973cd4c4daa4f61eeb2bdbad27316534016f');
  write('nist.json', {
    source:
      'NIST CAVP, CAVS 11.0 "SHA-1 ShortMsg" (byte oriented), public domain, as carried by the crate sha1collisiondetection 0.3.4; NIST example values for SHA-1; digests recomputed by that crate, sha1-checked 0.10.0 and Node',
    text: text.map((message, i) => ({ message, digest: digests[i] })),
    repeated: [{ byte: 0x61, count: 1e6, digest: million }],
    short: cases,
  });
}

// ---- Every length ---------------------------------------------------------------------------------------------------

function lengths() {
  const whole = pattern(1025);
  const messages = Array.from({ length: 1026 }, (_, n) => whole.subarray(0, n));
  const zeros = Array.from({ length: 131 }, (_, n) => new Uint8Array(n));
  const ones = zeros.map((message) => new Uint8Array(message.length).fill(0xff));
  write('lengths.json', {
    source: 'sha1collisiondetection 0.3.4, sha1-checked 0.10.0 and Node, which agree',
    note: 'pattern[n], zeros[n] and ones[n] are the digests of n bytes: of pattern(n) in suite/lib/bytes.mjs, of 0x00, of 0xff',
    check: toHex(whole.subarray(0, 16)),
    pattern: clean(messages),
    zeros: clean(zeros),
    ones: clean(ones),
  });
}

// ---- Attacks --------------------------------------------------------------------------------------------------------

function attacks() {
  const file = (crateName, folder, name) => readFileSync(join(crate(crateName), folder, name));
  const checked = (name) => {
    const bytes = file('sha1-checked', 'tests/data', name);
    assert(bytes.equals(file('sha1collisiondetection', 'test', name)));
    return bytes;
  };
  const shattered = [checked('shattered-1.pdf'), checked('shattered-2.pdf')];
  const shambles = [checked('sha-mbles-1.bin'), checked('sha-mbles-2.bin')];
  const reduced = checked('sha1_reducedsha_coll.bin');

  const difference = xor(shattered[0], shattered[1]);
  const differing = [192, 256];
  assert(difference.every((byte, i) => byte === 0 || (i >= 192 && i < 320)));

  const messages = [
    { name: 'shattered-1.pdf', bytes: shattered[0], other: 'shattered-2.pdf', twin: 'shattered-2.pdf' },
    { name: 'shattered-2.pdf', bytes: shattered[1], other: 'shattered-1.pdf', twin: 'shattered-1.pdf' },
    ...[320, 321, 384, 640].flatMap((length) =>
      [0, 1].map((i) => ({
        name: `shattered-${i + 1}-${length}`,
        bytes: shattered[i].subarray(0, length),
        other: `shattered-${2 - i}-${length}`,
        twin: `shattered-${2 - i}-${length}`,
      })),
    ),
    // A chosen-prefix pair: its halves differ before the last near-collision block too, so undoing that block alone
    // gives no collision, and there is no identical-prefix twin.
    { name: 'sha-mbles-1.bin', bytes: shambles[0], other: 'sha-mbles-2.bin', twin: null },
    { name: 'sha-mbles-2.bin', bytes: shambles[1], other: 'sha-mbles-1.bin', twin: null },
    { name: 'sha1_reducedsha_coll.bin', bytes: reduced, other: null, twin: null },
  ];
  const verdicts = reference(messages.map((message) => message.bytes));

  const inline = new Set([
    'sha-mbles-1.bin',
    'sha-mbles-2.bin',
    'sha1_reducedsha_coll.bin',
    'shattered-1-640',
    'shattered-2-640',
  ]);
  const list = messages.map((message, i) => {
    const entry = { name: message.name, length: message.bytes.length, other: message.other, twin: message.twin };
    if (inline.has(message.name)) entry.base64 = toBase64(message.bytes);
    else if (message.bytes.length < 640) entry.prefixOf = message.name.replace(/\d+$/, '640');
    return { ...entry, ...verdicts[i] };
  });

  // Attack blocks moved, cut, damaged and continued: what remains of an attack is for the reference to say.
  const random = new Random(20170223);
  const bases = [
    'shattered-1-320',
    'shattered-2-320',
    'sha-mbles-1.bin',
    'sha-mbles-2.bin',
    'sha1_reducedsha_coll.bin',
  ];
  const derived = [];
  const derive = (base, before, after, flip) => derived.push({ base, before, after, flip });
  for (const base of bases) {
    const { bytes } = messages.find((message) => message.name === base);
    for (let i = 0; i < 12; i++) derive(base, '', toHex(random.bytes(random.between(0, 300))), null);
    for (const count of [1, 4, 11, 63, 64, 65, 128, 192]) derive(base, toHex(random.bytes(count)), '', null);
    derive(base, toHex(concat(ascii(`blob ${bytes.length}`), new Uint8Array(1))), '', null);
    for (let i = 0; i < 12; i++) derive(base, '', '', { at: random.below(bytes.length), bit: random.below(8) });
    // One attack after another: the second stands at a place where the chaining value is not its own.
    for (const second of bases)
      derive(base, '', toHex(messages.find((message) => message.name === second).bytes), null);
  }
  const hexBytes = (text) => Buffer.from(text, 'hex');
  const derivedMessages = derived.map(({ base, before, after, flip }) => {
    const bytes = Buffer.from(messages.find((message) => message.name === base).bytes);
    if (flip) bytes[flip.at] ^= 1 << flip.bit;
    return concat(hexBytes(before), bytes, hexBytes(after));
  });
  const derivedVerdicts = reference(derivedMessages);

  write('attacks.json', {
    source: {
      'shattered-*':
        'SHAttered, Stevens, Bursztein, Karpman, Albertini, Markov, 2017 (the two PDFs; their first 320 bytes already collide)',
      'sha-mbles-*': 'SHA-1 is a Shambles, Leurent and Peyrin, 2020 (messageA and messageB)',
      sha1_reducedsha_coll: 'test file of the C library sha1collisiondetection, Stevens and Shumow, 2017',
      files: 'as carried by the crates sha1-checked 0.10.0 and sha1collisiondetection 0.3.4 (MIT / Apache-2.0)',
      values: 'both crates, which agree; offsets, vectors and partners from the second; digests also from Node',
    },
    note: 'the PDFs themselves are in shattered.json; `full` is the default verdict, `reduced` the one with reducedRounds; `other` names the other half of the pair, `twin` the message that twin() must return; derived: before ++ base (one bit flipped) ++ after',
    attacks: list,
    derived: derived.map((entry, i) => ({ ...entry, ...derivedVerdicts[i] })),
  });
  write('shattered.json', {
    source:
      'shattered-1.pdf of SHAttered (2017) as carried by the crates sha1-checked 0.10.0 and sha1collisiondetection 0.3.4',
    note: 'shattered-2.pdf is this file with `difference` added (XOR) at each offset',
    base64: toBase64(shattered[0]),
    difference: differing.map((offset) => ({ offset, xor: toHex(difference.subarray(offset, offset + 64)) })),
  });
}

// ---- Text -----------------------------------------------------------------------------------------------------------

function text() {
  // Each string is a list of pieces, a piece being text or [text, how often].
  const strings = [
    [''],
    ['a'],
    ['abc'],
    ['é'],
    ['ß'],
    ['\u007f\u0080\u07ff\u0800\uffff'],
    ['naïve café'],
    ['日本語'],
    ['Ελληνικά'],
    ['русский'],
    ['עברית'],
    ['한국어'],
    ['😀'],
    ['👩‍👩‍👧‍👦'],
    ['𝒳𝒴'],
    ['\0'],
    ['a\0b'],
    ['\ufeffbom'],
    ['\u2028\u2029'],
    ['e\u0301'],
    ['\u00ff\u0100'],
    ['\ud800'],
    ['\udc00'],
    ['\udc00\ud800'],
    ['a\ud800b'],
    ['\ud83d'],
    ['\ud83dx\ude00'],
    ['\ud800\ud800\udc00'],
    [['\udfff', 7]],
    ['abc\ud83d'],
    [['x', 63]],
    [['é', 32]],
    [['€', 1000]],
    [['\ud83d\ude00', 500]],
    [['ÿ', 200]],
    [['a', 4095], 'é'],
    [['a', 4095], '\ud83d\ude00'],
    [['q', 8191], '\ud83d'],
    [['q', 65535], '\ud83d\ude00'],
    [['z', 70000], 'ü'],
    [['\ud83d', 30000]],
    [['é', 40000], '\udc00', ['€', 9]],
  ].map((pieces) => pieces.map((piece) => (typeof piece === 'string' ? [piece, 1] : piece)));
  const bytes = strings.map((pieces) =>
    Buffer.from(pieces.map(([piece, count]) => piece.repeat(count)).join(''), 'utf8'),
  );
  const digests = clean(bytes);
  const utf16 = (piece) =>
    Array.from({ length: piece.length }, (_, i) => piece.charCodeAt(i).toString(16).padStart(4, '0')).join('');
  write('text.json', {
    source: 'Node (Buffer.from(text, "utf8")), sha1collisiondetection 0.3.4 and sha1-checked 0.10.0',
    note: 'lone surrogates are hashed as U+FFFD; pieces are [UTF-16 code units in hexadecimal, how often], so that no JSON writer mends them',
    strings: strings.map((pieces, i) => ({
      pieces: pieces.map(([piece, count]) => [utf16(piece), count]),
      bytes: bytes[i].length,
      digest: digests[i],
    })),
  });
}

// ---- git ------------------------------------------------------------------------------------------------------------

function gitObjects() {
  const folder = mkdtempSync(join(tmpdir(), 'sha1dc-git-'));
  const git = (args, input) =>
    execFileSync('git', args, {
      cwd: folder,
      input,
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_AUTHOR_NAME: 'A Ü Thor',
        GIT_AUTHOR_EMAIL: 'a@example.org',
        GIT_AUTHOR_DATE: '1112911993 -0700',
        GIT_COMMITTER_NAME: 'C',
        GIT_COMMITTER_EMAIL: 'c@example.org',
        GIT_COMMITTER_DATE: '1112911993 +0530',
      },
    });
  try {
    git(['init', '-q', '-b', 'main']);
    const objects = [];
    const add = (type, id) => objects.push({ type, id, base64: git(['cat-file', type, id]).toString('base64') });
    const blob = (bytes) => git(['hash-object', '-w', '--stdin'], bytes).toString().trim();
    const random = new Random(2005);
    const blobs = [0, 1, 9, 10, 11, 54, 55, 56, 99, 100, 101, 999, 1000, 1001, 9999, 10000].map((n) =>
      blob(random.bytes(n)),
    );
    for (const id of blobs) add('blob', id);
    add('blob', blob('hello world\n'));
    const tree = git(
      ['mktree'],
      `100644 blob ${blobs[3]}\tread me\n100755 blob ${blobs[4]}\tbin\n120000 blob ${blobs[5]}\t\u00fcber\n`,
    )
      .toString()
      .trim();
    const empty = git(['mktree'], '').toString().trim();
    const commit = git(['commit-tree', tree, '-m', 'first']).toString().trim();
    const second = git(['commit-tree', empty, '-p', commit, '-m', 'n\u00e4chster\n\nbody']).toString().trim();
    const tag = git(
      ['mktag'],
      `object ${commit}\ntype commit\ntag v1\ntagger C <c@example.org> 1112911993 +0000\n\nv1\n`,
    )
      .toString()
      .trim();
    for (const id of [tree, empty]) add('tree', id);
    for (const id of [commit, second]) add('commit', id);
    add('tag', tag);
    for (const object of objects) {
      const content = Buffer.from(object.base64, 'base64');
      const whole = concat(ascii(`${object.type} ${content.length}\0`), content);
      assert.equal(clean([whole])[0], object.id);
    }
    write('git.json', {
      source: 'objects made and named by git; ids recomputed by the reference crates and Node',
      objects,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// ---- Big ------------------------------------------------------------------------------------------------------------

function large() {
  const zeros = new Uint8Array(1 << 24);
  const digestOf = (length) => {
    const hash = createHash('sha1');
    for (let left = length; left > 0; left -= zeros.length)
      hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
    return hash.digest('hex');
  };
  const counts = [2 ** 28 - 1, 2 ** 28, 2 ** 29, 2 ** 29 + 1, 2 ** 31, 2 ** 32 + 5];
  write('large.json', {
    source: 'Node (OpenSSL), fed in pieces',
    note: 'digests of `length` zero bytes: where 28-, 32- and 35-bit length counters of bits or bytes overflow',
    zeros: counts.map((length) => ({ length, digest: digestOf(length) })),
  });
}

nist();
lengths();
attacks();
text();
gitObjects();
large();

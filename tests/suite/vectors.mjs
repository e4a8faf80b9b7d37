// Known answers, and every way of cutting a message into pieces.
import { deepEqual, equal } from './lib/assert.mjs';
import { ascii, concat, fromHex, pattern, Random, toHex } from './lib/bytes.mjs';
import * as vectors from '../vectors/index.mjs';

export default function define({ test, impl, facts }) {
  const { nist, lengths } = vectors;

  test('the pattern that the vectors are about is the one they were made from', { node: true }, () => {
    equal(toHex(pattern(16)), lengths.check);
  });

  test('NIST short messages', { node: true }, () => {
    for (const { message, digest } of nist.short) {
      equal(impl.sha1(fromHex(message)), digest, message);
      equal(impl.createHash('sha1').update(fromHex(message)).digest('hex'), digest, message);
      equal(impl.hash('sha1', fromHex(message)), digest, message);
    }
  });

  test('NIST and FIPS 180 text messages', { node: true }, () => {
    for (const { message, digest } of nist.text) {
      equal(impl.sha1(message), digest, message);
      equal(impl.sha1(ascii(message)), digest, message);
      equal(impl.hash('sha1', message), digest, message);
      equal(impl.createHash('sha1').update(message).digest('hex'), digest, message);
    }
  });

  test('a million times the letter a, in one call, as text, and in pieces', { node: true }, () => {
    for (const { byte, count, digest } of nist.repeated) {
      const bytes = new Uint8Array(count).fill(byte);
      equal(impl.sha1(bytes), digest);
      equal(impl.sha1(String.fromCharCode(byte).repeat(count)), digest, 'as text');
      for (const size of [1000, 4096, 9973, 65536]) {
        const hash = impl.createHash('sha1');
        for (let at = 0; at < count; at += size) hash.update(bytes.subarray(at, at + size));
        equal(hash.digest('hex'), digest, `in pieces of ${size}`);
      }
    }
  });

  const kinds = [
    ['pattern', pattern],
    ['zeros', (length) => new Uint8Array(length)],
    ['ones', (length) => new Uint8Array(length).fill(0xff)],
  ];
  for (const [kind, make] of kinds) {
    test(`every length in one call (${kind})`, { node: true }, () => {
      const whole = make(lengths[kind].length - 1);
      lengths[kind].forEach((digest, length) =>
        equal(impl.sha1(whole.subarray(0, length)), digest, `length ${length}`),
      );
    });
  }

  test('every length byte by byte', { node: true }, () => {
    const whole = pattern(lengths.pattern.length - 1);
    lengths.pattern.forEach((digest, length) => {
      const hash = impl.createHash('sha1');
      for (let i = 0; i < length; i++) hash.update(whole.subarray(i, i + 1));
      equal(hash.digest('hex'), digest, `length ${length}`);
    });
  });

  test('every length as a copy of one growing hash', { node: true }, () => {
    const whole = pattern(lengths.pattern.length - 1);
    const hash = impl.createHash('sha1');
    lengths.pattern.forEach((digest, length) => {
      if (length > 0) hash.update(whole.subarray(length - 1, length));
      equal(hash.copy().digest('hex'), digest, `length ${length}`);
    });
  });

  test('every length in random cuts, empty pieces included', { node: true }, () => {
    const whole = pattern(lengths.pattern.length - 1);
    const random = new Random(180);
    lengths.pattern.forEach((digest, length) => {
      for (let round = 0; round < 3; round++) {
        const cuts = random.cuts(length, random.between(1, 12));
        const hash = impl.createHash('sha1');
        for (let i = 1; i < cuts.length; i++) hash.update(whole.subarray(cuts[i - 1], cuts[i]));
        equal(hash.digest('hex'), digest, `length ${length} cut at ${cuts}`);
      }
    });
  });

  test('two pieces, cut at every position', { node: true }, () => {
    const whole = pattern(300);
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 191, 192, 300]) {
      for (let cut = 0; cut <= length; cut++) {
        const hash = impl.createHash('sha1').update(whole.subarray(0, cut)).update(whole.subarray(cut, length));
        equal(hash.digest('hex'), lengths.pattern[length], `length ${length} cut at ${cut}`);
      }
    }
  });

  test('every alignment in memory', { node: true }, () => {
    const memory = new Uint8Array(4096);
    for (let offset = 0; offset < 64; offset++) {
      for (const length of [0, 1, 63, 64, 65, 511, 512, 513, 1024, 1025]) {
        memory.fill(0xa5);
        memory.set(pattern(length), offset);
        const view = memory.subarray(offset, offset + length);
        equal(impl.sha1(view), lengths.pattern[length], `offset ${offset}, length ${length}`);
        equal(
          impl.createHash('sha1').update(view).digest('hex'),
          lengths.pattern[length],
          `offset ${offset}, length ${length}`,
        );
      }
    }
  });

  test('random messages, against the platform\u2019s own SHA-1', { node: true }, async () => {
    const random = new Random(2017);
    for (let round = 0; round < 200; round++) {
      const bytes = random.bytes(random.below(2 ** random.between(1, 18)));
      const expected = await facts.oracle(bytes);
      equal(impl.sha1(bytes), expected, `round ${round}, ${bytes.length} bytes`);
      const cuts = random.cuts(bytes.length, random.between(1, 9));
      const hash = impl.createHash('sha1');
      for (let i = 1; i < cuts.length; i++) hash.update(bytes.subarray(cuts[i - 1], cuts[i]));
      equal(hash.digest('hex'), expected, `round ${round}, ${bytes.length} bytes cut at ${cuts}`);
    }
  });

  test('the bytes given are not changed', { node: true }, () => {
    const bytes = concat(pattern(1000));
    const before = bytes.slice();
    impl.sha1(bytes);
    impl.createHash('sha1').update(bytes).digest();
    deepEqual(bytes, before);
  });

  test('every mode and option gives the standard digest of ordinary messages', () => {
    const options = [];
    for (const mode of ['detect', 'mitigate', 'report', 'plain']) {
      for (const reducedRounds of [false, true]) {
        for (const ubc of [true, false]) options.push({ mode, reducedRounds, ubc });
      }
    }
    const whole = pattern(lengths.pattern.length - 1);
    for (const option of options) {
      for (const length of [0, 1, 55, 56, 64, 65, 128, 512, 513, 1000, 1024, 1025]) {
        const bytes = whole.subarray(0, length);
        const digest = lengths.pattern[length];
        const label = `${JSON.stringify(option)}, length ${length}`;
        equal(impl.sha1(bytes, 'hex', option), digest, label);
        equal(impl.hash('sha1', bytes, 'hex', option), digest, label);
        const hash = impl.createHash('sha1', option).update(bytes);
        equal(hash.digest('hex'), digest, label);
        equal(hash.collision, false, label);
        if (option.mode !== 'plain') {
          deepEqual(
            impl.inspect(bytes, option),
            { digest, safeDigest: digest, collision: false, collisions: [] },
            label,
          );
        }
      }
    }
  });

  test(
    'a quarter of a gigabyte of zeros in one call (a 32-bit count of bits is not enough from 512 MiB on)',
    { long: true, seconds: 600 },
    () => {
      for (const { length, digest } of vectors.large.zeros) {
        if (length <= 2 ** 29 + 1) equal(impl.sha1(new Uint8Array(length)), digest, `${length} bytes`);
      }
    },
  );

  test('more than four gigabytes of zeros through update', { long: true, seconds: 1200 }, () => {
    const zeros = new Uint8Array(2 ** 22);
    for (const { length, digest } of vectors.large.zeros) {
      const hash = impl.createHash('sha1');
      for (let left = length; left > 0; left -= zeros.length)
        hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
      equal(hash.digest('hex'), digest, `${length} bytes`);
    }
  });
}

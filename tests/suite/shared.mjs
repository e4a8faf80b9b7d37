// Memory that another thread writes while it is hashed: digest and verdict must be of the same bytes.
//
// One bit of an attacked block is flipped without pause by a worker, so every reading of the message is either the attack
// or one clean message. An implementation that reads the block twice, once for the digest and once for the verdict, says
// sooner or later "this digest, but clean" of the attack. The control shows that such readings are to be had here: two
// calls one after the other do disagree.
import { equal, fail, ok } from './lib/assert.mjs';
import { concat, pattern } from './lib/bytes.mjs';
import { skip } from './lib/harness.mjs';
import * as vectors from '../vectors/index.mjs';

// Runs in the worker. First of a burst, then as often as possible, until told to stop through the control word.
const WRITER = `
  receive(({ shared, control, at }) => {
    const bytes = new Uint8Array(shared);
    const words = new Int32Array(control);
    Atomics.store(words, 1, 1);
    Atomics.notify(words, 1);
    let round = 0;
    while (Atomics.load(words, 0) === 0) {
      for (let i = 0; i < 1000; i++) {
        bytes[at] ^= 1;
        for (let pause = (round = (round * 1103515245 + 12345) & 1023); pause > 0; pause--) Atomics.load(words, 2);
      }
    }
    Atomics.store(words, 3, 1);
    Atomics.notify(words, 3);
  });
`;

export default function define({ test, impl, facts }) {
  const attack = vectors.attack('shattered-1-320');

  async function race(message, at, body) {
    if (typeof SharedArrayBuffer === 'undefined') skip('this page or runtime has no SharedArrayBuffer');
    if (!facts.worker) skip('this runtime gives the suite no worker');
    const shared = new SharedArrayBuffer(message.length);
    const bytes = new Uint8Array(shared);
    bytes.set(message);
    const control = new SharedArrayBuffer(16);
    const words = new Int32Array(control);
    const worker = await facts.worker(WRITER);
    try {
      worker.postMessage({ shared, control, at });
      for (let waited = 0; Atomics.load(words, 1) === 0; waited += 5) {
        if (waited > 30000) fail('the worker did not start');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return await body(bytes);
    } finally {
      Atomics.store(words, 0, 1);
      for (let waited = 0; Atomics.load(words, 3) === 0 && waited < 5000; waited += 5)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await worker.terminate();
    }
  }

  const lengthened = concat(attack.bytes, pattern(60000));
  const cases = [
    ['320 bytes', attack.bytes],
    ['60 KB, the attack at the start', lengthened],
  ];

  for (const [what, message] of cases) {
    test(`inspect, ${what}`, { seconds: 180 }, async () => {
      const clean = message.slice();
      clean[300] ^= 1;
      const attackDigest = impl.inspect(message).digest;
      const cleanDigest = impl.inspect(clean).digest;
      await race(message, 300, (bytes) => {
        const seen = { attack: 0, clean: 0, control: 0 };
        const end = Date.now() + 60000;
        for (let round = 0; Date.now() < end; round++) {
          const { digest, collision, safeDigest } = impl.inspect(bytes);
          if (digest === attackDigest) seen.attack += 1;
          else if (digest === cleanDigest) seen.clean += 1;
          else fail(`round ${round}: ${digest} is the digest of neither message`);
          equal(collision, digest === attackDigest, `round ${round}: the verdict is of other bytes than the digest`);
          equal(safeDigest === digest, !collision, `round ${round}: the safe digest is of other bytes than the digest`);
          const twice = impl.sha1(bytes, 'hex', { mode: 'plain' }) === attackDigest;
          if (twice !== impl.inspect(bytes).collision) seen.control += 1;
          if (round >= 3000 && seen.attack > 100 && seen.clean > 100 && seen.control > 20) return;
        }
        if (seen.control === 0) skip(`no race could be had in a minute here: ${JSON.stringify(seen)}`);
        ok(seen.attack > 0 && seen.clean > 0, `both messages were seen: ${JSON.stringify(seen)}`);
      });
    });
  }

  test(
    'createHash, detect: an error with the attack\u2019s digest or the clean digest, nothing else',
    { seconds: 180 },
    async () => {
      const clean = attack.bytes.slice();
      clean[300] ^= 1;
      const cleanDigest = impl.sha1(clean);
      await race(attack.bytes, 300, (bytes) => {
        const seen = { attack: 0, clean: 0 };
        const end = Date.now() + 30000;
        while (Date.now() < end && (seen.attack < 500 || seen.clean < 500)) {
          const hash = impl.createHash('sha1').update(bytes);
          try {
            equal(hash.digest('hex'), cleanDigest, 'no error, so the clean message');
            seen.clean += 1;
          } catch (error) {
            if (error.code !== 'ERR_SHA1_COLLISION') throw error;
            equal(error.digest, attack.digest);
            seen.attack += 1;
          }
        }
        ok(seen.attack > 0 && seen.clean > 0, `both messages were seen: ${JSON.stringify(seen)}`);
      });
    },
  );

  test('batches over shared memory', { seconds: 180 }, async () => {
    const clean = attack.bytes.slice();
    clean[300] ^= 1;
    const cleanDigest = impl.sha1(clean);
    await race(attack.bytes, 300, (bytes) => {
      const seen = { attack: 0, clean: 0 };
      const end = Date.now() + 30000;
      while (Date.now() < end && (seen.attack < 500 || seen.clean < 500)) {
        for (const { digest, collision } of impl.inspectMany([bytes, 'x', bytes, bytes.buffer, pattern(100), bytes])) {
          if (digest === attack.digest) seen.attack += 1;
          else if (digest === cleanDigest) seen.clean += 1;
          equal(collision, digest === attack.digest, 'the verdict is of the bytes hashed');
        }
      }
      ok(seen.attack > 0 && seen.clean > 0, `both messages were seen: ${JSON.stringify(seen)}`);
    });
  });

  test('sha1Async while the caller changes its own buffer', { seconds: 180 }, async () => {
    for (const length of [0, 60000, 2000000]) {
      const bytes = concat(attack.bytes, pattern(length));
      const clean = bytes.slice();
      clean[300] ^= 1;
      const attackDigest = impl.inspect(bytes).digest;
      const cleanDigest = impl.inspect(clean).digest;
      for (let round = 0; round < (length > 100000 ? 20 : 200); round++) {
        const promise = impl.sha1Async(bytes).then(
          (digest) => ({ digest, collision: false }),
          (error) => ({ digest: error.digest, collision: true }),
        );
        for (let i = round % 7; i > 0; i--) bytes[300] ^= 1;
        const { digest, collision } = await promise;
        ok(digest === attackDigest || digest === cleanDigest, `${digest} is the digest of neither message`);
        equal(collision, digest === attackDigest, 'the verdict is of the bytes hashed');
      }
    }
  });
}

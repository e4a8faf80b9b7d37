// Every type of value at every entry point: refused with Node's code and words, and nothing changed by it.
import { equal, matchesError, ok, rejects, throws } from './lib/assert.mjs';
import { pattern } from './lib/bytes.mjs';
import { sinks } from './lib/entry-points.mjs';
import * as vectors from '../vectors/index.mjs';

/** Values that are no data, each with how Node's messages call it. */
function wrongValues() {
  // A bundler may have shortened these names.
  class Thing {}
  const named = () => {};
  const values = [
    ['undefined', undefined, 'Received undefined'],
    ['null', null, 'Received null'],
    ['a number', 5, 'Received type number (5)'],
    ['zero', 0, 'Received type number (0)'],
    ['NaN', NaN, 'Received type number (NaN)'],
    ['a boolean', true, 'Received type boolean (true)'],
    ['a bigint', 5n, 'Received type bigint (5n)'],
    ['a symbol', Symbol('s'), 'Received type symbol (Symbol(s))'],
    ['a function', named, `Received function ${named.name}`],
    ['a class', Thing, `Received function ${Thing.name}`],
    ['a plain object', {}, 'Received an instance of Object'],
    ['an object with a length', { length: 3 }, 'Received an instance of Object'],
    [
      'an object like a view',
      { buffer: new ArrayBuffer(3), byteOffset: 0, byteLength: 3, length: 3 },
      'Received an instance of Object',
    ],
    ['an array', [1, 2, 3], 'Received an instance of Array'],
    ['an array of text', ['abc'], 'Received an instance of Array'],
    ['an object of a class', new Thing(), `Received an instance of ${Thing.name}`],
    ['an object without a prototype', Object.create(null), /^Received \[Object: null prototype\] \{\}$/],
    ['a Date', new Date(0), 'Received an instance of Date'],
    ['a RegExp', /x/, 'Received an instance of RegExp'],
    ['a Map', new Map(), 'Received an instance of Map'],
    ['a Promise', Promise.resolve('abc'), 'Received an instance of Promise'],
    ['a String object', Object('abc'), 'Received an instance of String'],
    ['an Error', new Error('x'), 'Received an instance of Error'],
    ['an iterator', [1][Symbol.iterator](), /^Received /],
    [
      'something with Uint8Array\u2019s prototype',
      Object.create(Uint8Array.prototype),
      'Received an instance of Uint8Array',
    ],
    [
      'something with ArrayBuffer\u2019s prototype',
      Object.create(ArrayBuffer.prototype),
      'Received an instance of ArrayBuffer',
    ],
    ['a Proxy of a view', new Proxy(new Uint8Array(3), {}), 'Received an instance of Uint8Array'],
    [
      'something that says it is a view',
      { [Symbol.toStringTag]: 'Uint8Array', length: 3, 0: 1 },
      'Received an instance of Object',
    ],
    ['something with toString', { toString: () => 'abc' }, 'Received an instance of Object'],
    [
      'something with valueOf and toPrimitive',
      { valueOf: () => 'abc', [Symbol.toPrimitive]: () => 'abc' },
      'Received an instance of Object',
    ],
    ['a serialised Buffer', { type: 'Buffer', data: [97, 98, 99] }, 'Received an instance of Object'],
  ];
  if (typeof Blob !== 'undefined') values.push(['a Blob', new Blob(['abc']), 'Received an instance of Blob']);
  if (typeof ReadableStream !== 'undefined')
    values.push(['a ReadableStream', new ReadableStream(), 'Received an instance of ReadableStream']);
  return values;
}

const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };

export default function define({ test, impl, facts }) {
  const { lengths } = vectors;

  for (const [what, value, received] of wrongValues()) {
    test(`${what} is no data`, { node: true }, async () => {
      for (const point of sinks(impl)) {
        if (facts.nodeCryptoOnly && !point.node) continue;
        const error = point.asynchronous
          ? await rejects(() => point.call(value), TYPE, point.name)
          : throws(() => point.call(value), TYPE, point.name);
        ok(error instanceof TypeError, point.name);
        ok(error.message.includes('must be of type string or an instance of'), `${point.name}: ${error.message}`);
        const [tail] = /Received .*$/s.exec(error.message) ?? [''];
        if (received instanceof RegExp) ok(received.test(tail), `${point.name}: ${error.message}`);
        else equal(tail, received, `${point.name}: ${error.message}`);
        const theirs = facts.nodeError?.(() => facts.nodeCrypto.createHash('sha1').update(value));
        if (theirs) {
          equal(error.code, theirs.code, point.name);
          equal(tail, /Received .*$/s.exec(theirs.message)[0], `${point.name}: as Node at hand`);
        }
      }
    });
  }

  test('a call without data is refused', { node: true }, () => {
    throws(() => impl.createHash('sha1').update(), TYPE);
    throws(() => impl.hash('sha1'), TYPE);
  });

  test('a refused update leaves the state as it was', { node: true }, () => {
    const whole = pattern(300);
    for (const cut of [0, 1, 63, 64, 65, 200]) {
      const hash = impl.createHash('sha1').update(whole.subarray(0, cut));
      for (const [what, value] of wrongValues()) throws(() => hash.update(value), TYPE, what);
      throws(() => hash.update('abc', 'hex'), VALUE);
      equal(hash.update(whole.subarray(cut)).digest('hex'), lengths.pattern[300], `cut at ${cut}`);
    }
  });

  test('a refused digest leaves the state as it was', () => {
    const hash = impl.createHash('sha1').update(pattern(10));
    throws(() => hash.digest('nope'), VALUE);
    equal(hash.digest('hex'), lengths.pattern[10]);
  });

  test('unknown encodings are refused and named, with the choices', () => {
    for (const encoding of ['nope', 'hexx', 'utf-99', 'toString', '__proto__', 'hex\0', ' hex']) {
      const calls = {
        sha1: () => impl.sha1('abc', encoding),
        sha1Many: () => impl.sha1Many(['abc'], encoding),
        'sha1Many of nothing': () => impl.sha1Many([], encoding),
        hash: () => impl.hash('sha1', 'abc', encoding),
        digest: () => impl.createHash('sha1').digest(encoding),
        hashObject: () => impl.hashObject('blob', 'abc', encoding),
        hashObjects: () => impl.hashObjects([{ type: 'blob', content: 'abc' }], encoding),
      };
      for (const [name, call] of Object.entries(calls)) {
        const error = throws(call, VALUE, `${name}(${encoding})`);
        ok(error.message.includes(encoding.trim().replace('\0', '')), `${name}: the value is named: ${error.message}`);
      }
      for (const choice of ['hex', 'base64', 'buffer'])
        ok(throws(calls.sha1).message.includes(choice), `the choices are named: ${throws(calls.sha1).message}`);
    }
    for (const encoding of [5, {}, [], true, Symbol('hex'), () => 'hex', ['hex']]) {
      const error = throws(() => impl.sha1('abc', encoding), { name: 'TypeError' }, String(encoding));
      ok(/^ERR_INVALID_ARG_(TYPE|VALUE)$/.test(error.code), String(error.code));
    }
  });

  test('unknown modes and wrong options are refused and named', () => {
    for (const mode of ['nope', '', 'DETECT', 'toString', '__proto__', 5, null, {}, true, ['plain']]) {
      const options = { mode };
      const calls = {
        sha1: () => impl.sha1('abc', 'hex', options),
        sha1Many: () => impl.sha1Many(['abc'], 'hex', options),
        hash: () => impl.hash('sha1', 'abc', 'hex', options),
        createHash: () => impl.createHash('sha1', options),
        inspect: () => impl.inspect('abc', options),
        inspectMany: () => impl.inspectMany(['abc'], options),
        hashObject: () => impl.hashObject('blob', 'abc', 'hex', options),
        hashObjects: () => impl.hashObjects([{ type: 'blob', content: 'abc' }], 'hex', options),
        createObjectHash: () => impl.createObjectHash('blob', 3, options),
      };
      for (const [name, call] of Object.entries(calls)) {
        const error = throws(call, { name: 'TypeError' }, `${name}, mode ${String(mode)}`);
        ok(/^ERR_INVALID_ARG_(TYPE|VALUE)$/.test(error.code), `${name}: ${error.code}`);
        if (typeof mode === 'string') {
          equal(error.code, 'ERR_INVALID_ARG_VALUE', name);
          for (const choice of ['detect', 'mitigate', 'report', 'plain'])
            ok(error.message.includes(choice), `${name}: the choices are named: ${error.message}`);
        }
      }
    }
  });

  test('a mode of undefined, empty options and missing options mean detect', () => {
    const { bytes } = vectors.attack('shattered-1-320');
    for (const options of [
      undefined,
      {},
      { mode: undefined },
      { reducedRounds: undefined, ubc: undefined },
      Object.create(null),
    ]) {
      throws(() => impl.sha1(bytes, 'hex', options), { code: 'ERR_SHA1_COLLISION' });
      throws(() => impl.createHash('sha1', options).update(bytes).digest(), { code: 'ERR_SHA1_COLLISION' });
    }
    const error = throws(() => impl.sha1(bytes, undefined, undefined), { code: 'ERR_SHA1_COLLISION' });
    ok(Object.keys(error).includes('code'), 'the code is printed with the error, as those of Node are');
  });

  test('unknown algorithms are refused and named', () => {
    for (const name of ['sha256', 'md5', '', 'sha', 'sha11', 'sha1 ', 'toString', '__proto__', 'sha-1-1', 'SHA-256']) {
      for (const call of [() => impl.createHash(name), () => impl.hash(name, 'abc')]) {
        const error = throws(call, { code: 'ERR_INVALID_ARG_VALUE' }, name);
        ok(error.message.includes(name), `the value is named: ${error.message}`);
        ok(/sha-?1/i.test(error.message.replace(name, '')), `the choice is named: ${error.message}`);
      }
    }
  });

  test('an algorithm that is no text', { node: true }, () => {
    for (const name of [5, null, {}, [], true, Symbol('sha1')]) {
      throws(() => impl.createHash(name), TYPE, String(name));
      throws(() => impl.hash(name, 'abc'), TYPE, String(name));
    }
    throws(() => impl.hash(undefined, 'abc'), TYPE);
  });

  test('the errors are those of Node at hand, word for word where the accepted types are the same', () => {
    if (!facts.nodeCrypto) return;
    const pairs = [
      ['hex of odd length', (crypto) => crypto.createHash('sha1').update('abc', 'hex')],
      ['a number as algorithm', (crypto) => crypto.createHash(5)],
      ['null as algorithm', (crypto) => crypto.createHash(null)],
      [
        'update after digest',
        (crypto) => {
          const hash = crypto.createHash('sha1');
          hash.digest();
          hash.update('a');
        },
      ],
      [
        'digest after digest',
        (crypto) => {
          const hash = crypto.createHash('sha1');
          hash.digest();
          hash.digest();
        },
      ],
      [
        'copy after digest',
        (crypto) => {
          const hash = crypto.createHash('sha1');
          hash.digest();
          hash.copy();
        },
      ],
      [
        'wrong data after digest',
        (crypto) => {
          const hash = crypto.createHash('sha1');
          hash.digest();
          hash.update(5);
        },
      ],
    ];
    for (const [what, call] of pairs) {
      const { name, code, message } = throws(() => call(facts.nodeCrypto), {}, what);
      matchesError(
        throws(() => call(impl), {}, what),
        { name, code, message },
        what,
      );
    }
  });

  test('sha1Async, sha1Stream and sha1File reject and never throw', async () => {
    const calls = [
      () => impl.sha1Async(5),
      () => impl.sha1Async('a', 'nope'),
      () => impl.sha1Async('a', 'hex', { mode: 'nope' }),
    ];
    for (const value of [5, null, undefined, {}, true]) calls.push(() => impl.sha1Stream(value));
    calls.push(
      () => impl.sha1Stream([5]),
      () => impl.sha1Stream(['a', null]),
      () => impl.sha1Stream(['a'], 'nope'),
      () => impl.sha1Stream(['a'], 'hex', { mode: 'nope' }),
    );
    if (impl.sha1File)
      calls.push(
        () => impl.sha1File(5),
        () => impl.sha1File(null),
        () => impl.sha1File({}),
        () => impl.sha1File('x', 'nope'),
      );
    for (const call of calls) {
      let promise;
      try {
        promise = call();
      } catch (error) {
        throw new Error(`${call} threw ${error} instead of rejecting`, { cause: error });
      }
      const error = await rejects(promise, { name: 'TypeError' }, String(call));
      ok(/^ERR_INVALID_ARG_(TYPE|VALUE)$/.test(error.code), `${call}: ${error.code}`);
    }
  });
}

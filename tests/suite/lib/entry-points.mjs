// Every function that takes data, in one shape, so that what holds for data is tested wherever data can enter.
import { ascii, concat, toHex } from './bytes.mjs';

const plain = (bytes, oracle) => oracle(bytes);
const asBlob = (bytes, oracle) => oracle(concat(ascii(`blob ${bytes.length}\0`), bytes));

/**
 * Each entry: `call(data, options)` hands the data over (and may throw); `digest(data)` gives the digest as hex;
 * `expected(bytes, oracle)` what it must be. `node` marks those that node:crypto has too, `asynchronous` the ones that
 * reject instead of throwing.
 */
export function entryPoints(impl) {
  const points = [
    {
      name: 'createHash().update',
      node: true,
      call: (data) => impl.createHash('sha1').update(data),
      digest: (data) => impl.createHash('sha1').update(data).digest('hex'),
    },
    { name: 'hash', node: true, digest: (data) => impl.hash('sha1', data) },
    { name: 'sha1', node: true, digest: (data) => impl.sha1(data) },
    { name: "sha1 'buffer'", digest: (data) => toHex(impl.sha1(data, 'buffer')) },
    { name: 'sha1 report', digest: (data) => impl.sha1(data, 'hex', { mode: 'report' }) },
    { name: 'sha1 plain', digest: (data) => impl.sha1(data, 'hex', { mode: 'plain' }) },
    { name: 'sha1Many, alone', digest: (data) => impl.sha1Many([data])[0] },
    {
      name: 'sha1Many, among others',
      digest: (data) => impl.sha1Many(['a', data, new Uint8Array(100), data])[3],
      call: (data) => impl.sha1Many(['a', 'b', data]),
    },
    { name: "sha1Many 'buffer'", digest: (data) => toHex(impl.sha1Many(['x', data], 'buffer').subarray(20)) },
    { name: 'inspect', digest: (data) => impl.inspect(data).digest },
    { name: 'inspectMany', digest: (data) => impl.inspectMany(['', data])[1].digest },
    { name: 'hashObject', digest: (data) => impl.hashObject('blob', data), expected: asBlob },
    {
      name: 'hashObjects',
      digest: (data) =>
        impl.hashObjects([
          { type: 'tree', content: '' },
          { type: 'blob', content: data },
        ])[1],
      expected: asBlob,
    },
    { name: 'sha1Async', asynchronous: true, digest: (data) => impl.sha1Async(data) },
  ];
  return points.map((point) => ({ node: false, asynchronous: false, call: point.digest, expected: plain, ...point }));
}

/** Those that only take data and give no digest of it. */
export function sinks(impl) {
  return [
    ...entryPoints(impl),
    {
      name: 'createObjectHash().update',
      node: false,
      asynchronous: false,
      call: (data) => impl.createObjectHash('blob', 3).update(data),
    },
    { name: 'twin', node: false, asynchronous: false, call: (data) => impl.twin(data) },
  ];
}

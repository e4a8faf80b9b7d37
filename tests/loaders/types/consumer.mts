import sha1Default, {
  backend,
  CollisionError,
  createHash,
  createObjectHash,
  hash,
  hashObject,
  hashObjects,
  inspect,
  inspectMany,
  restoreHash,
  sha1,
  sha1Async,
  sha1File,
  sha1Many,
  sha1Stream,
  twin,
} from 'sha1dc';
import type { CollisionBlock, Data, Encoding, GitType, Hash, Inspection, Mode, Options } from 'sha1dc';
import { sha1 as sha1OnJs } from 'sha1dc/js';
import { register, unregister } from 'sha1dc/register';
import Sha1 from 'sha1dc/sha1.js';
import { init, initSync, sha1 as sha1OnWasm } from 'sha1dc/wasm';
import { Transform } from 'node:stream';

const data: Data = new Uint8Array(3);
const hex: string = sha1(data);
const hexToo: string = sha1(data, 'hex');
const base64: string = sha1('text', 'base64', { mode: 'mitigate' });
const bytes: Uint8Array = sha1(new DataView(new ArrayBuffer(4)), 'buffer');
const shared: string = sha1(new SharedArrayBuffer(8));
const many: string[] = sha1Many(['a', data, new ArrayBuffer(1)]);
const packed: Uint8Array = sha1Many(['a'], 'buffer');
const inspection: Inspection = inspect(data, { reducedRounds: true, ubc: false });
const inspections: Inspection[] = inspectMany([data]);
const block: CollisionBlock | undefined = inspection.collisions[0];
const partner: Uint8Array | undefined = block?.partner;
const other: Uint8Array | null = twin(data);
const hasher: Hash = createHash();
const stream: Transform = createHash('sha1', { mode: 'report' });
const finished: string = hasher.update('a').update('ff', 'hex').digest('hex');
const finishedBytes: Uint8Array = createHash('sha1').digest();
const buffer: Buffer = createHash('sha1').digest();
const copied: Hash = hasher.copy();
const state: Uint8Array = hasher.save();
const restored: Hash = restoreHash(state);
const name: string = hash('sha1', 'data');
const nameBytes: Uint8Array = hash('sha1', 'data', 'buffer');
const type: GitType = 'blob';
const id: string = hashObject(type, 'content');
const ids: string[] | Uint8Array = hashObjects([{ type, content: data }]);
const object: Hash = createObjectHash('tree', 5, { mode: 'detect' });
const later: Promise<string> = sha1Async(data);
const laterBytes: Promise<Uint8Array> = sha1Async(data, 'buffer');
const controller = new AbortController();
const streamed: Promise<string> = sha1Stream([data], 'hex', {
  signal: controller.signal,
  onProgress: (done: number, total?: number) => void [done, total],
});
const file: Promise<string> = sha1File(new URL('file:///x'), 'hex', { mode: 'report' });
const mode: Mode = 'plain';
const encoding: Encoding = 'base64url';
const options: Options = { mode };
const kind: 'native' | 'wasm' | 'js' = backend.kind;
const reason: string | undefined = backend.reason;
const viaDefault: string = sha1Default('abc');
const hasherViaDefault: Hash = sha1Default();
const old = new Sha1().update(new Uint8Array(1)).digest('hex');

try {
  sha1(data);
} catch (error) {
  if (error instanceof CollisionError) {
    const code: 'ERR_SHA1_COLLISION' = error.code;
    const digest: string = error.digest;
    const index: number | undefined = error.index;
    console.log(code, digest, index, error.collisions.length);
  }
}

// @ts-expect-error a number is no data
sha1(5);
// @ts-expect-error no such mode
sha1('a', 'hex', { mode: 'nope' });
// @ts-expect-error no such encoding
sha1('a', 'nope');
// @ts-expect-error no such type of object
hashObject('blobs', 'a');
// @ts-expect-error partner is bytes
const wrong: string = inspect('a').collisions[0]!.partner;

console.log(
  hex,
  hexToo,
  base64,
  bytes,
  shared,
  many,
  packed,
  inspections,
  partner,
  other,
  stream,
  finished,
  finishedBytes,
  buffer,
  copied,
  restored,
  name,
  nameBytes,
  id,
  ids,
  object,
  later,
  laterBytes,
  streamed,
  file,
  encoding,
  options,
  kind,
  reason,
  viaDefault,
  hasherViaDefault,
  old,
  wrong,
  sha1OnJs('a'),
  sha1OnWasm('a'),
  init,
  initSync,
  register,
  unregister,
);

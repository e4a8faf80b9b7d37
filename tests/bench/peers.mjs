// Who is measured, in Node. Every function gives the digest as hex, as users of it do.
import * as crypto from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { sha1 as noble } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { createSHA1 } from 'hash-wasm';
import ShaJs from 'sha.js/sha1.js';
import * as sha1dc from 'sha1dc';
import * as wasm from 'sha1dc/wasm';
import { crateInWasm } from './crate-in-wasm.mjs';
import { PEER_FILE } from './peer-file.mjs';

export { sha1dc, wasm };

export const CREATE_HASH = 'node:crypto createHash';
export const ONE_SHOT = 'node:crypto hash';
export const HASH_WASM = 'hash-wasm 4.13';
export const SHA1DC_WASM = 'crate sha1dc 0.1.5 in wasm';

export const ours = { ours: true, detects: true };
export const peer = { ours: false, detects: false };
const detecting = { ours: false, detects: true };

const hashWasm = await createSHA1();

/** [name, facts, function of a Uint8Array or a string] */
export const nodes = [[CREATE_HASH, peer, (data) => crypto.createHash('sha1').update(data).digest('hex')]];
// Node 20.12 and later.
if (crypto.hash !== undefined) nodes.push([ONE_SHOT, peer, (data) => crypto.hash('sha1', data)]);

export const libraries = [
  [HASH_WASM, peer, (data) => hashWasm.init().update(data).digest('hex')],
  ['@noble/hashes 2.4', peer, (data) => bytesToHex(noble(typeof data === 'string' ? utf8ToBytes(data) : data))],
  ['sha.js 2.4', peer, (data) => new ShaJs().update(data).digest('hex')],
];

export const mine = [
  ['sha1', ours, (data) => sha1dc.sha1(data)],
  ['createHash', ours, (data) => sha1dc.createHash('sha1').update(data).digest('hex')],
  ["sha1, mode 'plain'", { ours: true, detects: false }, (data) => sha1dc.sha1(data, 'hex', { mode: 'plain' })],
  ['sha1 of sha1dc/wasm', ours, (data) => wasm.sha1(data)],
];

export const subtle = [
  'crypto.subtle.digest',
  peer,
  async (data) => bytesToHex(new Uint8Array(await crypto.webcrypto.subtle.digest('SHA-1', data))),
];

/** The crate sha1dc in wasm, or null where `cargo xtask bench` has not built it. */
export function sha1dcInWasm() {
  if (!existsSync(PEER_FILE)) return null;
  return [SHA1DC_WASM, detecting, crateInWasm(new WebAssembly.Module(readFileSync(PEER_FILE)))];
}

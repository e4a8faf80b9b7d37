import sha1dc = require('sha1dc');
import Sha1 = require('sha1dc/sha1.js');
import wasm = require('sha1dc/wasm');
import js = require('sha1dc/js');
import { register } from 'sha1dc/register';
import { createHash, CollisionError, type Options } from 'sha1dc';

const hex: string = sha1dc.sha1('abc');
const bytes: Uint8Array = sha1dc.sha1('abc', 'buffer');
const callable: string = sha1dc('abc');
const digests: string[] = [
  createHash('sha1').update('a').digest('hex'),
  new Sha1().digest('hex'),
  wasm('x'),
  js.sha1('x'),
];
const hash: sha1dc.Hash = sha1dc();
const options: Options = {};
const same: sha1dc.Options = options;
const caught = (value: unknown): sha1dc.CollisionError | undefined =>
  value instanceof CollisionError ? value : undefined;
register();
console.log(hex, bytes, callable, digests, hash, same, caught(new Error()));

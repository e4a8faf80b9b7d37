// Finds and loads the native module of this machine. Whatever goes wrong is an error with a reason in words; the entry point
// then takes wasm.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { version } from '#version';
import type { Binding } from './engine/native.js';
import { messageOf } from './engine/portable.js';

/** Reads the start of a file, or `undefined`. */
function startOf(file: string, length: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    const start = Buffer.alloc(length);
    return start.subarray(0, fs.readSync(descriptor, start, 0, length, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** The C library that this very process uses: its program names the loader near its start. What is installed says nothing. */
function libcs(): string[] {
  const start = startOf(process.execPath, 4096)?.toString('latin1') ?? '';
  if (start.includes('/ld-musl-')) return ['musl'];
  if (start.includes('/ld-linux-')) return ['gnu'];
  return ['gnu', 'musl'];
}

/** The names under which modules for this machine are published. */
function platforms(): string[] {
  const system = `${process.platform}-${process.arch}`;
  switch (system) {
    case 'linux-x64':
    case 'linux-arm64':
      return libcs().map((libc) => `${system}-${libc}`);
    case 'darwin-x64':
    case 'darwin-arm64':
      return [system];
    case 'win32-x64':
    case 'win32-arm64':
      return [`${system}-msvc`];
    default:
      throw new Error(`there is no native module for ${system}`);
  }
}

/**
 * A library of which the end is missing kills the process when it is loaded. The table of sections is the last thing in an
 * ELF file, so that is where to look.
 */
function checkWhole(file: string): void {
  const head = startOf(file, 64);
  if (head === undefined) throw new Error(`${file} cannot be read`);
  if (head.length < 64) throw new Error(`${file} is cut short`);
  if (process.platform !== 'linux') return;
  if (head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2 || head[5] !== 1) throw new Error(`${file} is no library`);
  const end = Number(head.readBigUInt64LE(40)) + head.readUInt16LE(58) * head.readUInt16LE(60);
  if (fs.statSync(file).size < end) throw new Error(`${file} is cut short`);
}

/** Of this file. Where a bundler has put it into another, there may be no name, and then there is no module beside it. */
const here = typeof __filename === 'string' ? __filename : path.join(process.cwd(), 'bundle.js');

/** The module's file: in the checkout beside this package's code, as a user has it in a package of its own. */
function fileFor(platform: string, require: NodeJS.Require): string {
  const name = `sha1dc.${platform}.node`;
  const beside = path.join(path.dirname(here), '..', '..', 'native', name);
  if (fs.existsSync(beside)) return beside;
  return require.resolve(`sha1dc-${platform}/${name}`);
}

export function loadNative(): Binding {
  const require = createRequire(here);
  const reasons: string[] = [];
  for (const platform of platforms()) {
    try {
      const file = fileFor(platform, require);
      checkWhole(file);
      const binding = require(file) as Binding;
      const theirs = binding.version();
      if (theirs !== version) throw new Error(`${file} is of version ${theirs}, and this package of ${version}`);
      return binding;
    } catch (error) {
      const [message] = messageOf(error).split('\n', 1);
      reasons.push(`no native module for ${platform}: ${message}`);
    }
  }
  throw new Error(reasons.join('; '));
}

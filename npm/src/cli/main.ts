// The program `sha1dc`, also called `sha1dcsum`.
import fs from 'node:fs';
import { backend, twin } from '#index';
import { version } from '#version';
import { HELP, UsageError, readArguments, type Arguments } from './args.js';
import { checkSums } from './check.js';
import { hashFile, readFile, type Outcome } from './files.js';
import { Bar } from './progress.js';
import { Console } from './console.js';
import { formatLine, quoteName } from './sums.js';

const OK = 0;
const FAILED = 1;
const USAGE = 2;
const ATTACK = 3;

function jsonLine(name: string, { digest, standard, safe, collision, collisions }: Outcome, args: Arguments): string {
  const blocks = collisions.map(({ partner, ...block }) => ({
    ...block,
    partner: Buffer.from(partner).toString('hex'),
  }));
  const text = JSON.stringify({
    file: Buffer.from(name, 'latin1').toString(),
    ...(args.git === undefined ? {} : { type: args.git }),
    digest: args.mode === 'mitigate' ? digest : standard,
    safeDigest: safe,
    collision,
    collisions: blocks,
  });
  return `${Buffer.from(text).toString('latin1')}\n`;
}

function writeTwin(name: string, out: string, bytes: Buffer, console: Console): boolean {
  const other = twin(bytes);
  if (other === null) {
    console.complain(`${quoteName(name)}: no other file of the same digest can be made from this one`);
    return false;
  }
  fs.writeFileSync(out, other);
  return true;
}

/** Hashes the files, prints, and gives the exit code. */
function hashFiles(names: readonly string[], args: Arguments, console: Console): number {
  const bar = new Bar(args.progress);
  let failed = false;
  let attacked = false;
  for (const name of names) {
    let outcome: Outcome;
    try {
      outcome = hashFile(name, args, bar);
      if (args.twin !== undefined && !writeTwin(name, args.twin, readFile(name), console)) failed = true;
    } catch (error) {
      console.complainOf(name, error);
      failed = true;
      continue;
    }
    attacked ||= outcome.collision;
    if (args.status) continue;
    console.print(
      args.json ? jsonLine(name, outcome, args) : formatLine(outcome.digest, name, outcome.collision, args),
    );
  }
  return attacked ? ATTACK : failed ? FAILED : OK;
}

function run(given: string[], console: Console): number {
  const args = readArguments(given);
  if (args.help) {
    console.print(HELP);
    return OK;
  }
  if (args.version) {
    const reason = backend.reason === undefined ? '' : `, because ${backend.reason}`;
    console.print(`sha1dc ${version} (${backend.kind}, ${backend.name}${reason})\n`);
    return OK;
  }
  // As bytes, which is what names are. (The arguments have come through UTF-8 already.)
  const names = args.files.map((name) => Buffer.from(name).toString('latin1'));
  if (!args.check) return hashFiles(names, args, console);
  const { failed, attacked } = checkSums(names, args, console);
  return attacked ? ATTACK : failed ? FAILED : OK;
}

export function main(given: string[]): void {
  const console = new Console();
  try {
    process.exitCode = run(given, console);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const words = `${error.message}\nTry 'sha1dc --help' for more information.`;
    console.complain(Buffer.from(words).toString('latin1'));
    process.exitCode = USAGE;
  }
  console.flush();
}

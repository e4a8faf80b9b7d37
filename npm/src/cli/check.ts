// `--check`: files against the digests in lists, with sha1sum's words.
import type { Arguments } from './args.js';
import type { Console } from './console.js';
import { hashFile, readFile, type Outcome } from './files.js';
import { Bar } from './progress.js';
import { escapeName, parseLine, quoteName, type Sum } from './sums.js';

export interface Verdict {
  failed: boolean;
  attacked: boolean;
}

interface Tally {
  lines: number;
  malformed: number;
  unread: number;
  differing: number;
  attacked: number;
  matching: number;
}

const plural = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** The lines of a list, without their ends and without comments. */
function linesOf(text: string, zero: boolean): string[] {
  const lines = text.split(zero ? '\0' : '\n');
  if (lines.at(-1) === '') lines.pop();
  return zero ? lines : lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

class Checker {
  readonly #args: Arguments;
  readonly #console: Console;
  readonly #bar: Bar;
  readonly #tally: Tally = { lines: 0, malformed: 0, unread: 0, differing: 0, attacked: 0, matching: 0 };

  constructor(args: Arguments, console: Console) {
    this.#args = args;
    this.#console = console;
    this.#bar = new Bar(args.progress);
  }

  #say(name: string, words: string): void {
    const escaped = this.#args.zero ? { mark: '', name } : escapeName(name);
    this.#console.print(`${escaped.mark}${escaped.name}: ${words}\n`);
  }

  #checkFile({ digest, name }: Sum): void {
    const { status, quiet, ignoreMissing } = this.#args;
    const tally = this.#tally;
    let outcome: Outcome;
    try {
      outcome = hashFile(name, this.#args, this.#bar);
    } catch (error) {
      if (ignoreMissing && (error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#console.complainOf(name, error);
      if (!status) this.#say(name, 'FAILED open or read');
      tally.unread += 1;
      return;
    }
    const same = outcome.digest === digest;
    if (same) tally.matching += 1;
    else tally.differing += 1;
    if (outcome.collision) tally.attacked += 1;
    if (status) return;
    if (outcome.collision) this.#say(name, `FAILED collision attack${same ? '' : ', and does not match'}`);
    else if (!same) this.#say(name, 'FAILED');
    else if (!quiet) this.#say(name, 'OK');
  }

  checkList(list: string): void {
    const { zero, warn, status } = this.#args;
    const tally = this.#tally;
    const text = readFile(list).toString('latin1');
    for (const [i, line] of linesOf(text, zero).entries()) {
      if (line.startsWith('#')) continue;
      const sum = parseLine(line);
      // Standard input has been read: it holds the list.
      if (sum === undefined || (sum.name === '-' && list === '-')) {
        tally.malformed += 1;
        if (warn) this.#console.complain(`${quoteName(list)}: ${i + 1}: improperly formatted SHA1 checksum line`);
        continue;
      }
      tally.lines += 1;
      this.#checkFile(sum);
    }
    if (!status || tally.lines === 0) this.#summarize(list);
  }

  #summarize(list: string): void {
    const { lines, malformed, unread, differing, attacked, matching } = this.#tally;
    const complain = (words: string) => this.#console.complain(words);
    if (lines === 0) {
      complain(`${quoteName(list)}: no properly formatted checksum lines found`);
      return;
    }
    const warn = (words: string) => complain(`WARNING: ${words}`);
    if (malformed > 0) warn(plural(malformed, 'line is improperly formatted', 'lines are improperly formatted'));
    if (unread > 0) warn(plural(unread, 'listed file could not be read', 'listed files could not be read'));
    if (differing > 0) {
      warn(plural(differing, 'computed checksum did NOT match', 'computed checksums did NOT match'));
    }
    if (attacked > 0) {
      warn(plural(attacked, 'file is part of a collision attack', 'files are part of a collision attack'));
    }
    if (this.#args.ignoreMissing && matching === 0) complain(`${quoteName(list)}: no file was verified`);
  }

  get verdict(): Verdict {
    const { lines, malformed, unread, differing, attacked, matching } = this.#tally;
    const failed =
      lines === 0 ||
      unread > 0 ||
      differing > 0 ||
      (malformed > 0 && this.#args.strict) ||
      (this.#args.ignoreMissing && matching === 0);
    return { failed, attacked: attacked > 0 };
  }
}

/** Checks the files of all lists. */
export function checkSums(lists: readonly string[], args: Arguments, console: Console): Verdict {
  const all: Verdict = { failed: false, attacked: false };
  for (const list of lists) {
    const checker = new Checker(args, console);
    try {
      checker.checkList(list);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EISDIR') console.complain(`${quoteName(list)}: read error`);
      else console.complainOf(list, error);
      all.failed = true;
      continue;
    }
    const { failed, attacked } = checker.verdict;
    all.failed ||= failed;
    all.attacked ||= attacked;
  }
  return all;
}

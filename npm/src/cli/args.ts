// The command line's arguments.
import { parseArgs } from 'node:util';
import type { GitType, Mode } from '../types.js';

export const HELP = `Usage: sha1dc [OPTION]... [FILE]...
Print or check SHA-1 digests, and detect collision attacks.
With no FILE, or when FILE is -, read standard input.

  -c, --check           read digests from the FILEs and check them
      --tag             write BSD-style lines
  -z, --zero            end each line with a zero byte, and do not escape names
      --json            write a line of JSON for each file, with all that was found
      --mode MODE       detect (default): mark attacked files; report: the same;
                        mitigate: give them their safe digest; plain: do not look
      --reduced-rounds  also find what collides only in SHA-1 with fewer rounds
      --git TYPE        the name that git gives to the file as an object of this
                        type: blob, tree, commit or tag
      --twin OUT        write the other file of an identical-prefix collision
      --progress        show progress on standard error
                        (default for large files on a terminal; --no-progress: never)
  -b, --binary          mark names with * instead of a space, as sha1sum does
  -t, --text            mark names with a space (default)
      --version         show the version and the backend in use
  -h, --help            show this

For --check:
  -q, --quiet           do not print OK for each file that matches
      --status          print nothing; the exit code tells (also without --check)
  -w, --warn            warn of improperly formatted lines
      --strict          fail when a line is improperly formatted
      --ignore-missing  do not fail for missing files

An attacked file is marked: <digest> *coll* <name>.

Exit code: 0 when all is fine, 1 when a file could not be read or did not match,
2 for wrong usage, 3 when an attack was detected.
`;

const MODES: readonly string[] = ['detect', 'mitigate', 'report', 'plain'] satisfies Mode[];
const TYPES: readonly string[] = ['blob', 'tree', 'commit', 'tag'] satisfies GitType[];

/** What the user did wrong, in words. */
export class UsageError extends Error {}

export interface Arguments {
  files: string[];
  mode: Mode;
  git: GitType | undefined;
  twin: string | undefined;
  /** `undefined`: as it fits. */
  progress: boolean | undefined;
  check: boolean;
  tag: boolean;
  zero: boolean;
  json: boolean;
  binary: boolean;
  reducedRounds: boolean;
  quiet: boolean;
  status: boolean;
  warn: boolean;
  strict: boolean;
  ignoreMissing: boolean;
  version: boolean;
  help: boolean;
}

const flag = { type: 'boolean', default: false } as const;
const value = { type: 'string' } as const;

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        check: { ...flag, short: 'c' },
        tag: flag,
        zero: { ...flag, short: 'z' },
        json: flag,
        mode: { ...value, default: 'detect' },
        'reduced-rounds': flag,
        git: value,
        twin: value,
        progress: flag,
        'no-progress': flag,
        binary: { ...flag, short: 'b' },
        text: { ...flag, short: 't' },
        quiet: { ...flag, short: 'q' },
        status: flag,
        warn: { ...flag, short: 'w' },
        strict: flag,
        'ignore-missing': flag,
        version: flag,
        help: { ...flag, short: 'h' },
      },
    });
  } catch (error) {
    // The first sentence names the option; the rest speaks to programmers.
    throw new UsageError((error as Error).message.split(/\.( |$)|\n/, 1)[0]);
  }
}

function oneOf(option: string, given: string, choices: readonly string[]): void {
  if (!choices.includes(given))
    throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not '${given}'`);
}

export function readArguments(args: string[]): Arguments {
  const { values, positionals } = parse(args);
  oneOf('mode', values.mode, MODES);
  if (values.git !== undefined) oneOf('git', values.git, TYPES);
  const alone = (condition: boolean, message: string) => {
    if (condition) throw new UsageError(message);
  };
  alone(values.check && (values.tag || values.json), 'the options --tag and --json mean nothing with --check');
  alone(values.check && values.git !== undefined, 'the option --git means nothing with --check');
  alone(values.tag && values.json, '--tag and --json exclude each other');
  alone(values.twin !== undefined && values.check, 'the option --twin means nothing with --check');
  alone(values.twin !== undefined && positionals.length > 1, '--twin takes one file');
  alone(values.twin !== undefined && values.mode === 'plain', '--twin has to detect: not with --mode plain');
  return {
    files: positionals.length > 0 ? positionals : ['-'],
    mode: values.mode as Mode,
    git: values.git as GitType | undefined,
    twin: values.twin,
    progress: values['no-progress'] ? false : values.progress ? true : undefined,
    check: values.check,
    tag: values.tag,
    zero: values.zero,
    json: values.json,
    binary: values.binary && !values.text,
    reducedRounds: values['reduced-rounds'],
    quiet: values.quiet,
    status: values.status,
    warn: values.warn,
    strict: values.strict,
    ignoreMissing: values['ignore-missing'],
    version: values.version,
    help: values.help,
  };
}

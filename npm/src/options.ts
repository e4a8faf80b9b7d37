// Options as the engines take them: one small integer.
import { wrongType, wrongValue } from './errors.js';
import type { Mode, Options } from './types.js';

/** In the order of the numbers that stand for them. */
const MODES: readonly Mode[] = ['detect', 'mitigate', 'report', 'plain'];

export const DETECT = 0;
export const MITIGATE = 1;
export const REPORT = 2;
export const PLAIN = 3;
export const MODE_MASK = 3;
export const REDUCED_ROUNDS = 4;
const NO_UBC = 8;

const ObjectPrototype = Object.prototype;
const has = Object.hasOwn;

/** An option, read once. What somebody has put on Object.prototype is none: it must not turn detection off. */
function read<K extends keyof Options>(options: Options, key: K): Options[K] {
  const value = options[key];
  return value !== undefined && has(ObjectPrototype, key) && !has(options, key) ? undefined : value;
}

function flag(name: string, value: unknown): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') throw wrongType(`options.${name}`, 'of type boolean', value);
  return value;
}

/** The flags for `options`; those of `otherwise` where an option is not given. */
export function flagsOf(options: Options | null | undefined, otherwise = DETECT): number {
  if (options == null) return otherwise;
  if (typeof options !== 'object') throw wrongType('options', 'of type object', options);
  const mode = read(options, 'mode');
  let flags = otherwise;
  if (mode !== undefined) {
    const number = MODES.indexOf(mode);
    if (number < 0) {
      if (typeof mode !== 'string') throw wrongType('options.mode', 'of type string', mode);
      throw wrongValue("property 'options.mode'", mode, MODES);
    }
    flags = (flags & ~MODE_MASK) | number;
  }
  const reduced = flag('reducedRounds', read(options, 'reducedRounds'));
  if (reduced !== undefined) flags = reduced ? flags | REDUCED_ROUNDS : flags & ~REDUCED_ROUNDS;
  const conditions = flag('ubc', read(options, 'ubc'));
  if (conditions !== undefined) flags = conditions ? flags & ~NO_UBC : flags | NO_UBC;
  return flags;
}

/** The same flags for one who only looks: plain would not. */
export function inspecting(flags: number): number {
  return (flags & ~MODE_MASK) | REPORT;
}

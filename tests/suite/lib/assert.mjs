// A few assertions that need nothing but the language, so that a failure reads the same in every runtime.

export class AssertionError extends Error {
  constructor(message) {
    super(message);
    this.name = 'AssertionError';
  }
}

export function show(value) {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}... (${value.length})` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (value instanceof Error) return `${value.name}${value.code ? ` [${value.code}]` : ''}: ${value.message}`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const head = Array.prototype.slice.call(value, 0, 24).map(String).join(' ');
    return `${value.constructor.name}(${value.length}) [${head}${value.length > 24 ? ' ...' : ''}]`;
  }
  if (typeof value === 'object' && value !== null) {
    try {
      return JSON.stringify(value, (_, inner) =>
        ArrayBuffer.isView(inner) ? show(inner) : typeof inner === 'bigint' ? String(inner) : inner,
      );
    } catch {
      return Object.prototype.toString.call(value);
    }
  }
  return String(value);
}

export function fail(message) {
  throw new AssertionError(message);
}

export function ok(value, message = 'expected a true value') {
  if (!value) fail(`${message}; got ${show(value)}`);
}

export function equal(actual, expected, message = 'not equal') {
  if (!Object.is(actual, expected)) fail(`${message}: got ${show(actual)}, expected ${show(expected)}`);
}

export function notEqual(actual, expected, message = 'equal') {
  if (Object.is(actual, expected)) fail(`${message}: both are ${show(actual)}`);
}

function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    if (!(ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) || a.length !== b.length) return false;
    return Array.prototype.every.call(a, (value, i) => Object.is(value, b[i]));
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** Equal by enumerable own properties; views by their elements, whatever their class. */
export function deepEqual(actual, expected, message = 'not equal') {
  if (!same(actual, expected)) fail(`${message}: got ${show(actual)}, expected ${show(expected)}`);
}

/** Compares what was thrown with `expected`: an object of properties, each an exact value or a pattern. */
export function matchesError(error, expected, message = 'wrong error') {
  ok(error instanceof Error, `${message}: an Error was to be thrown`);
  for (const [key, value] of Object.entries(expected)) {
    const actual = error[key];
    const good = value instanceof RegExp ? typeof actual === 'string' && value.test(actual) : same(actual, value);
    if (!good)
      fail(
        `${message}: error.${key} is ${show(actual)}, expected ${value instanceof RegExp ? value : show(value)} (${show(error)})`,
      );
  }
  return error;
}

export function throws(fn, expected = {}, message = 'no error') {
  let value;
  try {
    value = fn();
  } catch (error) {
    return matchesError(error, expected, message);
  }
  return fail(`${message}: nothing was thrown, it gave ${show(value)}`);
}

export async function rejects(promise, expected = {}, message = 'no rejection') {
  let value;
  try {
    value = await (typeof promise === 'function' ? promise() : promise);
  } catch (error) {
    return matchesError(error, expected, message);
  }
  return fail(`${message}: it was fulfilled with ${show(value)}`);
}

// Collects the tests of suite modules and runs them one after another. No runtime is assumed.

/** Thrown by `skip(reason)` inside a test: it cannot be run here, and the reason is printed. */
class Skipped extends Error {}

export function skip(reason) {
  throw new Skipped(reason);
}

/**
 * Calls each suite module's default function with the context and gives the tests that it declared. A test is
 * `{ name, fn, node, long }`; `node` marks Node's own behaviour, which node:crypto itself must show too.
 */
export function collect(suites, context) {
  const tests = [];
  for (const [group, define] of suites) {
    const names = new Set();
    const test = (name, options, fn) => {
      if (typeof options === 'function') [options, fn] = [{}, options];
      if (names.has(name)) throw new Error(`two tests are called "${group}: ${name}"`);
      names.add(name);
      tests.push({ name: `${group}: ${name}`, fn, node: false, long: false, seconds: 120, ...options });
    };
    define({ ...context, test });
  }
  return tests;
}

function describe(error) {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const head = `${error.name}${error.code ? ` [${error.code}]` : ''}: ${error.message}`;
  const stack = String(error.stack ?? '');
  const frames = stack.split('\n').filter((line) => /^\s+at |@/.test(line) && !line.includes(error.message));
  return [head, ...frames.slice(0, 12)].join('\n');
}

async function within(seconds, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${seconds} s`)), seconds * 1000);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the tests and calls `report({ name, status, error?, reason?, milliseconds })` after each; gives the counts. */
export async function run(tests, { filter = '', long = false, onlyNode = false, report }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of tests) {
    if (!test.name.includes(filter) || (onlyNode && !test.node)) continue;
    const start = Date.now();
    let result;
    if (test.long && !long) {
      result = { status: 'skipped', reason: 'a long test: --long runs it' };
    } else {
      try {
        await within(test.seconds, Promise.resolve().then(test.fn));
        result = { status: 'passed' };
      } catch (error) {
        result =
          error instanceof Skipped
            ? { status: 'skipped', reason: error.message }
            : { status: 'failed', error: describe(error) };
      }
    }
    counts[result.status] += 1;
    await report({ name: test.name, milliseconds: Date.now() - start, ...result });
  }
  return counts;
}

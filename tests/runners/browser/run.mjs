// Runs the suites in a browser's page or worker and posts the events to the server that the page came from.
import { suites } from '../../suite/index.mjs';
import { collect, run } from '../../suite/lib/harness.mjs';

let queue = [];
let sending = Promise.resolve();

function post(events) {
  return fetch('/events', { method: 'POST', body: events.map((event) => JSON.stringify(event)).join('\n') });
}

/** Events go out in order, many at a time while a request is under way. */
function emit(event) {
  queue.push(event);
  sending = sending.then(() => {
    const events = queue;
    queue = [];
    return events.length > 0 ? post(events) : undefined;
  });
  return sending;
}

export async function fail(error) {
  await emit({
    event: 'result',
    name: 'the page',
    status: 'failed',
    error: String(error?.stack ?? error),
    milliseconds: 0,
  });
}

/** `make` gives `{ impl, facts }`; `settings` come from the address of the page. */
export async function runSuites(make, settings) {
  try {
    const context = await make(settings);
    const tests = collect(suites, context);
    const { kind, name, reason } = context.impl.backend;
    await emit({
      event: 'start',
      runtime: navigator.userAgent,
      backend: { kind, name, reason },
      tests: tests.map((test) => test.name),
    });
    await run(tests, {
      filter: settings.filter,
      long: settings.long,
      report: (result) => void emit({ event: 'result', ...result }),
    });
    await emit({ event: 'end' });
  } catch (error) {
    await fail(error);
    await emit({ event: 'end' });
  }
}

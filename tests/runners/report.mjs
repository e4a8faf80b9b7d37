// Collects the results of all runs, prints what went wrong and what was left out, and closes with one line of counts.
export class Report {
  constructor() {
    this.counts = { passed: 0, failed: 0, skipped: 0 };
    this.runs = [];
    this.current = undefined;
  }

  start(title) {
    this.current = { title, results: [], ended: false, last: undefined };
    this.runs.push(this.current);
  }

  event(event) {
    const run = this.current;
    if (event.event === 'start') {
      run.runtime = event.runtime;
      run.backend = event.backend;
      run.tests = event.tests;
    } else if (event.event === 'result') {
      const { event: _, ...result } = event;
      run.results.push(result);
      this.counts[result.status] += 1;
      if (result.status === 'failed')
        console.log(`FAILED  ${run.title}: ${result.name}\n        ${result.error.replaceAll('\n', '\n        ')}`);
      if (result.status === 'skipped') console.log(`skipped ${run.title}: ${result.name} (${result.reason})`);
    } else if (event.event === 'end') run.ended = true;
  }

  fail(name, error) {
    this.event({ event: 'result', name, status: 'failed', error, milliseconds: 0 });
  }

  skip(name, reason) {
    this.event({ event: 'result', name, status: 'skipped', reason, milliseconds: 0 });
  }

  /** Closes a run: one that stopped before its end, or ran nothing, is a failure. */
  finish(outcome = '') {
    const { title, results, ended, runtime, backend } = this.current;
    if (!ended || outcome) {
      const last = results.at(-1);
      this.fail(
        'the run',
        `stopped before its end (${outcome || 'no more results'})${last ? `, after "${last.name}"` : ''}`,
      );
    }
    const count = (status) => results.filter((result) => result.status === status).length;
    const engine = backend ? ` on ${backend.kind} ${backend.name}${backend.reason ? ` (${backend.reason})` : ''}` : '';
    const seconds = (results.reduce((sum, result) => sum + result.milliseconds, 0) / 1000).toFixed(1);
    console.log(
      `${title}: ${runtime ?? 'did not start'}${engine}: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped in ${seconds} s`,
    );
  }

  /** Prints what failed, by name, and the closing line: last, for of a long log it is the end that is kept. Gives the exit code. */
  close() {
    const { passed, failed, skipped } = this.counts;
    if (failed > 0) console.log('\nfailures:');
    for (const { title, results } of this.runs) {
      for (const { name, status, error } of results) {
        if (status === 'failed') console.log(`FAILED  ${title}: ${name}: ${error.split('\n')[0]}`);
      }
    }
    console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    return failed === 0 && passed > 0 ? 0 : 1;
  }
}

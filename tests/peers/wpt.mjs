// Runs one file of the web-platform-tests with their own harness on this runtime's crypto, and prints the results as JSON.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const [harness, file] = process.argv.slice(2);
globalThis.self = globalThis;
vm.runInThisContext(readFileSync(harness, 'utf8'), { filename: harness });
const results = [];
globalThis.add_result_callback((test) =>
  results.push({ name: test.name, passed: test.status === 0, why: test.message }),
);
globalThis.add_completion_callback(() => console.log(JSON.stringify(results)));
vm.runInThisContext(readFileSync(file, 'utf8'), { filename: file });

// Says which backend the package picks: `kind name`.
import { pathToFileURL } from 'node:url';

const module = await import(pathToFileURL(process.argv[2]).href);
const { backend } = await (module.load ?? module.default.load)['.']();
console.log(`${backend.kind} ${backend.name}`);

// A user's program for a server.
import * as sha1dc from 'sha1dc';

import { check } from './check.mjs';

console.log(JSON.stringify(await check(sha1dc)));

// A user's program for a server.
import * as sha1dc from 'sha1dc';

import { check } from './check.mjs';

// No await out here: it is built as CommonJS too.
check(sha1dc).then((answer) => console.log(JSON.stringify(answer)));

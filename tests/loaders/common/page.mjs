// A user's page: a static import, used at once.
import * as sha1dc from 'sha1dc';

import { check } from './check.mjs';

const post = (result) => fetch('/events', { method: 'POST', body: JSON.stringify(result) });
addEventListener('error', (event) => void post({ failed: String(event.error?.stack ?? event.message) }));
addEventListener('unhandledrejection', (event) => void post({ failed: String(event.reason?.stack ?? event.reason) }));

check(sha1dc).then(post, (error) => post({ failed: String(error.stack ?? error) }));

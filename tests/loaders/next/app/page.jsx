import * as sha1dc from 'sha1dc';

import { check } from '../check.mjs';
import Client from './client.jsx';

export const dynamic = 'force-dynamic';

export default async function Page() {
  return (
    <main>
      <pre id="server">{JSON.stringify(await check(sha1dc))}</pre>
      <Client />
    </main>
  );
}

// Next: a page rendered on the server, a route handler, an edge route, and a client component in Chromium.
import { readFileSync } from 'node:fs';

export const dependencies = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' };
export const files = [
  'app/layout.jsx',
  'app/page.jsx',
  'app/client.jsx',
  'app/api/hash/route.js',
  'app/api/edge/route.js',
];

export async function run({ bin, serverWith, folder }) {
  const results = [];
  await bin('next', ['build'], { env: { NEXT_TELEMETRY_DISABLED: '1' } });
  await serverWith(
    (port) =>
      bin('next', ['start', '--hostname', '127.0.0.1', '--port', String(port)], {
        env: { NEXT_TELEMETRY_DISABLED: '1' },
      }),
    async ({ origin, open }) => {
      const json = async (path) => (await fetch(`${origin}${path}`)).json();
      results.push(['a route handler', await json('/api/hash'), undefined]);
      results.push(['an edge route', await json('/api/edge'), undefined]);
      const html = await (await fetch(origin)).text();
      const rendered = /<pre id="server">(.*?)<\/pre>/s.exec(html)?.[1].replaceAll('&quot;', '"');
      results.push([
        'a page rendered on the server',
        rendered ? JSON.parse(rendered) : { failed: html.slice(0, 500) },
        undefined,
      ]);
      await open('/', async (page) => {
        await page.waitForFunction(() => document.querySelector('#client')?.textContent.startsWith('{'), {
          timeout: 30000,
        });
        results.push([
          'a client component',
          JSON.parse(await page.$eval('#client', (element) => element.textContent)),
          'wasm',
        ]);
      });
    },
  );
  const traced = readFileSync(`${folder}/.next/server/app/api/hash/route.js.nft.json`, 'utf8');
  results.push(['what the route needs is traced', { traced: /sha1dc/.test(traced) || 'bundled in' }, null]);
  return results;
}

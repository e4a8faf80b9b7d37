// Next: a page rendered on the server, a route handler, an edge route, and a client component in Chromium.
export const dependencies = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' };
export const files = [
  'app/layout.jsx',
  'app/page.jsx',
  'app/client.jsx',
  'app/api/hash/route.js',
  'app/api/edge/route.js',
];

const env = { NEXT_TELEMETRY_DISABLED: '1' };

export async function* cases({ bin, serverWith }) {
  await bin('next', ['build'], { env });
  const start = (port) => bin('next', ['start', '--hostname', '127.0.0.1', '--port', String(port)], { env });
  const results = {};
  await serverWith(start, async ({ origin, open }) => {
    results['a route handler'] = await (await fetch(`${origin}/api/hash`)).json();
    results['an edge route'] = await (await fetch(`${origin}/api/edge`)).json();
    const html = await (await fetch(origin)).text();
    const rendered = /<pre id="server">(.*?)<\/pre>/s.exec(html)?.[1].replaceAll('&quot;', '"');
    results['a page rendered on the server'] = rendered ? JSON.parse(rendered) : { failed: html.slice(0, 500) };
    await open('/', async (page) => {
      await page.waitForFunction(() => document.querySelector('#client')?.textContent.startsWith('{'), {
        timeout: 30000,
      });
      results['a client component'] = JSON.parse(await page.$eval('#client', (element) => element.textContent));
    });
  });
  for (const [what, result] of Object.entries(results)) {
    yield { what, kind: what === 'a client component' ? 'wasm' : undefined, run: async () => result };
  }
}

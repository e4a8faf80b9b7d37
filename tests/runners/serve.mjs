// A server on loopback for built pages; what they post to /events is handed on.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves `folder`; `headers` go with every answer. Gives `{ origin, close }`. */
export async function serve(folder, { headers = {}, onEvent = () => {} } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://loopback');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      for (const line of Buffer.concat(chunks).toString().split('\n')) if (line) onEvent(JSON.parse(line));
      response.writeHead(204).end();
      return;
    }
    const path = normalize(
      join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)),
    );
    try {
      if (!path.startsWith(folder)) throw new Error('outside');
      const body = await readFile(path);
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // Chromium and Firefox take loopback addresses for secure; WebKit asks for the name.
    origin: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

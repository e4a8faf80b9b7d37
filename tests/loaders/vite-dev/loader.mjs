// Vite: the dev server, whose dependency optimizer rewrites packages before they reach the page.
export const dependencies = { vite: '8.4.0' };
export const files = ['index.html', 'page.mjs'];

export function* cases({ bin, server }) {
  for (const [what, flags] of [
    ['a cold optimizer', ['--force']],
    ['a warm optimizer', []],
  ]) {
    const start = (port) => bin('vite', ['--host', '127.0.0.1', '--port', String(port), '--strictPort', ...flags]);
    yield { what, kind: 'wasm', run: () => server(start) };
  }
}

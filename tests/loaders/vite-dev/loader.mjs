// Vite: the dev server, whose dependency optimizer rewrites packages before they reach the page.
export const dependencies = { vite: '8.4.0' };
export const files = ['index.html', 'page.mjs'];

export async function run({ bin, server }) {
  const results = [];
  for (const [what, flags] of [
    ['a cold optimizer', ['--force']],
    ['a warm optimizer', []],
  ]) {
    results.push([
      what,
      await server((port) => bin('vite', ['--host', '127.0.0.1', '--port', String(port), '--strictPort', ...flags])),
      'wasm',
    ]);
  }
  return results;
}

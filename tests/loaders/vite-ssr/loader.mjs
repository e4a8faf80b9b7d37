// Vite's builds for a server: the package left outside, and bundled in.
export const dependencies = { vite: '8.4.0' };
export const files = ['node.mjs', 'vite.config.mjs'];

export function* cases({ bin, node }) {
  for (const [what, bundled, kind] of [
    ['left outside', '', 'native'],
    ['bundled in', 'yes', undefined],
  ]) {
    yield {
      what,
      kind,
      run: async () => {
        await bin('vite', ['build', '--ssr', 'node.mjs', '--outDir', `dist${bundled}`], { env: { BUNDLED: bundled } });
        return node(`dist${bundled}/node.js`, { elsewhere: Boolean(bundled) });
      },
    };
  }
}

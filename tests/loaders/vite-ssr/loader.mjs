// Vite's builds for a server: the package left outside, and bundled in.
export const dependencies = { vite: '8.4.0' };
export const files = ['node.mjs', 'vite.config.mjs'];

export async function run({ bin, node }) {
  const results = [];
  for (const [what, bundled, kind] of [
    ['left outside', '', 'native'],
    ['bundled in', 'yes', undefined],
  ]) {
    await bin('vite', ['build', '--ssr', 'node.mjs', '--outDir', `dist${bundled}`], { env: { BUNDLED: bundled } });
    results.push([what, await node(`dist${bundled}/node.js`, { elsewhere: Boolean(bundled) }), kind]);
  }
  return results;
}

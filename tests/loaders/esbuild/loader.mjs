// esbuild: for a page, as ESM and as a classic script, and for Node.
export const dependencies = { esbuild: '0.28.2' };
export const files = ['index.html', 'page.mjs', 'node.mjs'];

export async function run({ bin, page, node, copy }) {
  const results = [];
  for (const format of ['esm', 'iife']) {
    await bin('esbuild', [
      'page.mjs',
      '--bundle',
      '--minify',
      `--format=${format}`,
      `--outfile=dist-${format}/page.mjs`,
    ]);
    copy('index.html', `dist-${format}/index.html`);
    results.push([`a page, ${format}`, await page(`dist-${format}`), 'wasm']);
  }
  await bin('esbuild', ['node.mjs', '--bundle', '--platform=node', '--format=esm', '--outfile=dist/node.mjs']);
  results.push([
    'Node, one file that was moved away from node_modules',
    await node('dist/node.mjs', { elsewhere: true }),
    undefined,
  ]);
  await bin('esbuild', [
    'node.mjs',
    '--bundle',
    '--platform=node',
    '--packages=external',
    '--format=esm',
    '--outfile=dist/external.mjs',
  ]);
  results.push(['Node, packages left outside', await node('dist/external.mjs'), 'native']);
  return results;
}

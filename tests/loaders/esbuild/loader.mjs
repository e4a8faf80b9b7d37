// esbuild: for a page, as ESM and as a classic script, and for Node.
export const dependencies = { esbuild: '0.28.2' };
export const files = ['index.html', 'page.mjs', 'node.mjs'];

export function* cases({ bin, page, node, copy }) {
  for (const format of ['esm', 'iife']) {
    yield {
      what: `a page, ${format}`,
      kind: 'wasm',
      run: async () => {
        await bin('esbuild', [
          'page.mjs',
          '--bundle',
          '--minify',
          `--format=${format}`,
          `--outfile=dist-${format}/page.mjs`,
        ]);
        copy('index.html', `dist-${format}/index.html`);
        return page(`dist-${format}`);
      },
    };
  }
  for (const [what, flags, elsewhere, kind] of [
    ['Node, one file of ES modules, moved away from node_modules', ['--format=esm'], true, 'wasm'],
    ['Node, one file of CommonJS, moved away from node_modules', ['--format=cjs'], true, 'wasm'],
    ['Node, packages left outside', ['--format=esm', '--packages=external'], false, 'native'],
  ]) {
    yield {
      what,
      kind,
      run: async () => {
        const file = `dist/node.${flags[0] === '--format=cjs' ? 'cjs' : 'mjs'}`;
        await bin('esbuild', ['node.mjs', '--bundle', '--platform=node', ...flags, `--outfile=${file}`]);
        return node(file, { elsewhere });
      },
    };
  }
}

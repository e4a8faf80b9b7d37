// webpack 5: production and development builds, without any configuration of assets or WebAssembly.
export const dependencies = { webpack: '5.113.0', 'webpack-cli': '7.3.1' };
export const files = ['index.html', 'page.mjs'];

export function* cases({ bin, page, copy }) {
  for (const mode of ['production', 'development']) {
    yield {
      what: mode,
      kind: 'wasm',
      run: async () => {
        const dist = `dist-${mode}`;
        const output = ['--output-path', dist, '--output-filename', 'page.mjs'];
        await bin('webpack', ['--entry', './page.mjs', '--mode', mode, ...output]);
        copy('index.html', `${dist}/index.html`);
        return page(dist);
      },
    };
  }
}

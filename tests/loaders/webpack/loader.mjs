// webpack 5: production and development builds, without any configuration of assets or WebAssembly.
export const dependencies = { webpack: '5.113.0', 'webpack-cli': '7.3.1' };
export const files = ['index.html', 'page.mjs'];

export async function run({ bin, page, copy }) {
  const results = [];
  for (const mode of ['production', 'development']) {
    await bin('webpack', [
      '--entry',
      './page.mjs',
      '--mode',
      mode,
      '--output-path',
      `dist-${mode}`,
      '--output-filename',
      'page.mjs',
    ]);
    copy('index.html', `dist-${mode}/index.html`);
    results.push([mode, await page(`dist-${mode}`), 'wasm']);
  }
  return results;
}

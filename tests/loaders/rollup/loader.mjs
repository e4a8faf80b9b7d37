// Rollup with its resolver for packages and nothing else.
export const dependencies = {
  rollup: '4.68.8',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@rollup/plugin-terser': '1.0.2',
};
export const files = ['index.html', 'page.mjs', 'rollup.config.mjs'];

export function* cases({ bin, page, copy }) {
  yield {
    what: 'the built page',
    kind: 'wasm',
    run: async () => {
      await bin('rollup', ['--config', 'rollup.config.mjs', '--failAfterWarnings']);
      copy('index.html', 'dist/index.html');
      return page('dist');
    },
  };
}

// Vite: the production build of a page.
export const dependencies = { vite: '8.4.0' };
export const files = ['index.html', 'page.mjs'];

export function* cases({ bin, page }) {
  yield {
    what: 'the built page',
    kind: 'wasm',
    run: async () => {
      await bin('vite', ['build']);
      return page('dist');
    },
  };
}

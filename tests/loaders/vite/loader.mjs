// Vite: the production build of a page.
export const dependencies = { vite: '8.4.0' };
export const files = ['index.html', 'page.mjs'];

export async function run({ bin, page }) {
  await bin('vite', ['build']);
  return [['the built page', await page('dist'), 'wasm']];
}

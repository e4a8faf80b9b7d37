// Parcel 2: reads package exports when told to; that is its documented switch and its default in newer templates.
export const dependencies = { parcel: '2.16.4' };
export const files = ['index.html', 'page.mjs'];
export const manifest = { '@parcel/resolver-default': { packageExports: true } };

export async function run({ bin, page }) {
  await bin('parcel', ['build', 'index.html', '--dist-dir', 'dist', '--no-cache', '--no-source-maps']);
  return [['the built page', await page('dist'), 'wasm']];
}

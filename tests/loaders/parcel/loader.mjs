// Parcel 2: by its default, which knows only fields such as "main" and "browser", and with its switch for "exports".
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const dependencies = { parcel: '2.16.4' };
export const files = ['index.html', 'page.mjs'];

export function* cases({ bin, page, folder }) {
  for (const [what, packageExports] of [
    ['package exports', true],
    ['the default', false],
  ]) {
    yield {
      what,
      kind: 'wasm',
      run: async () => {
        const manifest = { name: 'project', private: true, '@parcel/resolver-default': { packageExports } };
        writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
        const dist = `dist-${packageExports}`;
        await bin('parcel', ['build', 'index.html', '--dist-dir', dist, '--no-cache', '--no-source-maps']);
        return page(dist);
      },
    };
  }
}

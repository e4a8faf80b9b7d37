// TypeScript: a consumer under every way of resolving packages, with each compiler whose typed arrays differ.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const dependencies = {
  'typescript-5.7': 'npm:typescript@5.7.3',
  'typescript-5.8': 'npm:typescript@5.8.3',
  'typescript-5.9': 'npm:typescript@5.9.3',
  '@types/node': '20.19.43',
};
export const files = ['consumer.mts', 'consumer.cts', 'browser.ts'];

const NODE = ['consumer.mts', 'consumer.cts'];
const WAYS = [
  [NODE, { module: 'node16', moduleResolution: 'node16' }],
  [NODE, { module: 'nodenext', moduleResolution: 'nodenext' }],
  // The oldest: sub-paths by "typesVersions".
  [['consumer.cts'], { module: 'commonjs', moduleResolution: 'node10' }],
  [['consumer.mts'], { module: 'preserve', moduleResolution: 'bundler' }],
  [['browser.ts'], { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
  // The libraries' own declarations checked too, as strict users do.
  [NODE, { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: false }],
];

export function* cases({ script, folder }) {
  for (const version of ['5.7', '5.8', '5.9']) {
    for (const [include, way] of WAYS) {
      const compilerOptions = {
        noEmit: true,
        strict: true,
        target: 'es2022',
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        ...way,
      };
      yield {
        what: `TypeScript ${version}, ${include.join(' and ')}, ${JSON.stringify(way)}`,
        kind: null,
        run: async () => {
          writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: include }));
          await script(`node_modules/typescript-${version}/bin/tsc`, ['--project', 'tsconfig.json']);
        },
      };
    }
  }
}

// TypeScript: a consumer under every way of resolving packages, with each compiler whose typed arrays differ.
export const dependencies = {
  'typescript-5.7': 'npm:typescript@5.7.3',
  'typescript-5.8': 'npm:typescript@5.8.3',
  'typescript-5.9': 'npm:typescript@5.9.3',
  '@types/node': '20.19.43',
};
export const files = ['consumer.mts', 'consumer.cts', 'browser.ts'];

const WAYS = [
  ['consumer.mts', ['--module', 'node16', '--moduleResolution', 'node16']],
  ['consumer.mts', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
  ['consumer.cts', ['--module', 'node16', '--moduleResolution', 'node16']],
  ['consumer.cts', ['--module', 'nodenext', '--moduleResolution', 'nodenext']],
  ['browser.ts', ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--types', '']],
  ['consumer.mts', ['--module', 'preserve', '--moduleResolution', 'bundler']],
];

export async function run({ script }) {
  const results = [];
  for (const version of ['5.7', '5.8', '5.9']) {
    for (const [file, flags] of WAYS) {
      await script(`node_modules/typescript-${version}/bin/tsc`, [
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--exactOptionalPropertyTypes',
        '--noUncheckedIndexedAccess',
        ...flags,
        file,
      ]);
      results.push([`TypeScript ${version}, ${file}, ${flags[3]}`, { compiled: true }, null]);
    }
  }
  return results;
}

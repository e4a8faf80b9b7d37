// Jest: CommonJS as it comes, ES modules with Node's flag, and its browser-like environment.
export const dependencies = { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' };
export const files = ['cjs.test.cjs', 'esm.test.mjs', 'jsdom.test.cjs', 'jest.config.json'];

const env = { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' };

export function* cases({ bin, read }) {
  for (const [name, file, kind] of [
    ['cjs', 'cjs.test.cjs', 'native'],
    ['esm', 'esm.test.mjs', 'native'],
    ['jsdom', 'jsdom.test.cjs', undefined],
  ]) {
    yield {
      what: name,
      kind,
      run: async () => {
        await bin('jest', ['--config', 'jest.config.json', file], { env });
        return JSON.parse(read(`${name}.result.json`));
      },
    };
  }
}

// Jest: CommonJS as it comes, ES modules with Node's flag, and its browser-like environment.
export const dependencies = { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' };
export const files = ['cjs.test.cjs', 'esm.test.mjs', 'jsdom.test.cjs', 'jest.config.json'];

export async function run({ bin, read }) {
  await bin('jest', ['--config', 'jest.config.json'], {
    env: { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
  });
  return ['cjs', 'esm', 'jsdom'].map((name) => [
    name,
    JSON.parse(read(`${name}.result.json`)),
    name === 'jsdom' ? undefined : 'native',
  ]);
}

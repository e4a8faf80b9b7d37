// Vitest: forks, threads and VM threads.
export const dependencies = { vitest: '4.1.12' };
export const files = ['sha1dc.test.mjs'];

export function* cases({ bin, read }) {
  for (const pool of ['forks', 'threads', 'vmThreads']) {
    yield {
      what: pool,
      kind: 'native',
      run: async () => {
        await bin('vitest', ['run', `--pool=${pool}`]);
        return JSON.parse(read('result.json'));
      },
    };
  }
}

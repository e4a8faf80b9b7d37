// Vitest: forks, threads and VM threads.
export const dependencies = { vitest: '4.1.12' };
export const files = ['sha1dc.test.mjs'];

export async function run({ bin, read }) {
  const results = [];
  for (const pool of ['forks', 'threads', 'vmThreads']) {
    await bin('vitest', ['run', `--pool=${pool}`]);
    results.push([pool, JSON.parse(read('result.json')), 'native']);
  }
  return results;
}

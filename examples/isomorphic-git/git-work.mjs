// What a program does with isomorphic-git: commits, a pack, the pack's index. The same in Node and in a page.

const author = { name: 'A. Author', email: 'author@example.org', timestamp: 1500000000, timezoneOffset: 0 };

/** Makes a repository in `dir` with `count` commits, packs all its objects and indexes the pack. */
export async function commitAndPack({ git, fs, dir, count = 20 }) {
  await fs.promises.mkdir(dir);
  await git.init({ fs, dir, defaultBranch: 'main' });
  const oids = new Set();
  let head;
  for (let i = 0; i < count; i++) {
    const filepath = `file-${i % 7}.txt`;
    await fs.promises.writeFile(`${dir}/${filepath}`, `This is version ${i}.\n`.repeat(i + 1));
    await git.add({ fs, dir, filepath });
    head = await git.commit({ fs, dir, author, message: `Version ${i}` });
    const { commit } = await git.readCommit({ fs, dir, oid: head });
    const { tree } = await git.readTree({ fs, dir, oid: commit.tree });
    for (const oid of [head, commit.tree, ...tree.map((entry) => entry.oid)]) oids.add(oid);
  }

  // The pack goes into a repository that has nothing else, and is indexed there: each object in it is hashed.
  const { packfile, filename } = await git.packObjects({ fs, dir, oids: [...oids] });
  const other = `${dir}-unpacked`;
  await fs.promises.mkdir(other);
  await git.init({ fs, dir: other, defaultBranch: 'main' });
  await makeFolder(fs, `${other}/.git/objects/pack`);
  await fs.promises.writeFile(`${other}/.git/objects/pack/${filename}`, packfile);
  const indexed = await git.indexPack({ fs, dir: other, filepath: `.git/objects/pack/${filename}` });
  await git.writeRef({ fs, dir: other, ref: 'refs/heads/main', value: head });
  const log = await git.log({ fs, dir: other, ref: 'main' });

  return { head, oids: [...oids].sort(), indexed: [...indexed.oids].sort(), commits: log.length, other, filename };
}

async function makeFolder(fs, path) {
  try {
    await fs.promises.mkdir(path);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

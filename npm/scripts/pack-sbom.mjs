// node npm/scripts/pack-sbom.mjs: checks the licences of all crates that are shipped or help to build what is.
// Its functions write the bill of materials.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowed, cratesOf } from './pack-crates.mjs';

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const SHIPPED = ['sha1dc-node', 'sha1dc-wasm'];

/** A CycloneDX document. No time and no random serial number: the same sources give the same bytes. */
export function billOfMaterials({ version, tarballs }) {
  const crates = new Map();
  for (const root of SHIPPED) {
    for (const crate of cratesOf(workspace, root)) {
      const key = `${crate.name}@${crate.version}`;
      if (!crates.get(key)?.compiledIn) crates.set(key, crate);
    }
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': `pkg:npm/sha1dc@${version}`,
        name: 'sha1dc',
        version,
        purl: `pkg:npm/sha1dc@${version}`,
        licenses: [{ expression: 'MIT OR Apache-2.0' }],
        components: tarballs.map(({ file, sha256 }) => ({
          type: 'file',
          name: file,
          hashes: [{ alg: 'SHA-256', content: sha256 }],
        })),
      },
    },
    components: [...crates.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((crate) => ({
        type: 'library',
        'bom-ref': `pkg:cargo/${crate.name}@${crate.version}`,
        name: crate.name,
        version: crate.version,
        purl: `pkg:cargo/${crate.name}@${crate.version}`,
        scope: crate.compiledIn ? 'required' : 'excluded',
        licenses: [{ expression: crate.license.replaceAll('/', ' OR ') }],
      })),
  };
}

function check() {
  const manifest = JSON.parse(readFileSync(join(workspace, 'npm/package.json'), 'utf8'));
  const problems = Object.keys(manifest.dependencies ?? {}).map((name) => `npm/package.json depends on ${name}`);
  let count = 0;
  for (const root of SHIPPED) {
    for (const crate of cratesOf(workspace, root)) {
      count++;
      if (!crate.license || !allowed(crate.license)) {
        problems.push(`${crate.name} ${crate.version}, in ${root}, is under ${crate.license ?? 'no licence'}`);
      }
    }
  }
  for (const problem of problems) console.error(problem);
  console.log(`${count} crates looked at, ${problems.length} problems`);
  if (problems.length > 0) process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check();

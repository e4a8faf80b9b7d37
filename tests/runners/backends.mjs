// Which backends a machine has, found by asking for each by its name.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROBE = fileURLToPath(new URL('./probe.mjs', import.meta.url));

const NATIVE = {
  x64: [
    'x86_64/avx512+sha-ni',
    'x86_64/avx2+sha-ni',
    'x86_64/sse2+sha-ni',
    'x86_64/avx512',
    'x86_64/avx2',
    'x86_64/sse2',
    'x86_64/portable',
  ],
  arm64: ['aarch64/neon+sha1', 'aarch64/neon', 'aarch64/portable'],
};
const WASM = ['wasm32/simd128', 'wasm32/portable'];

/** What a run with this name must find in the package's `backend`. */
export function expectation(backend, preferred) {
  if (backend === 'default') return { kind: preferred };
  if (backend === 'native' || backend === 'wasm' || backend === 'js') return { kind: backend };
  return { kind: backend.startsWith('wasm32/') ? 'wasm' : 'native', name: backend };
}

/** All names that can be forced here. Browsers and the like have no native module. */
export async function backendNames(runtime, { entries }) {
  if (!/^(node|worker|deno|bun)/.test(runtime)) return ['wasm32/simd128', 'wasm32/portable', 'js'];
  const candidates = [...(NATIVE[process.arch] ?? []), ...WASM, 'js'];
  return candidates.filter((name) => {
    const { stdout } = spawnSync(process.execPath, [PROBE, entries], {
      env: { ...process.env, SHA1DC_BACKEND: name },
      encoding: 'utf8',
    });
    const found = /^(\S+) (\S+)$/m.exec(stdout ?? '');
    return found && (found[2] === name || found[1] === name);
  });
}

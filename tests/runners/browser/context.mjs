// What a page or worker can tell the suites about itself.
export function settingsOf(location) {
  const query = new URLSearchParams(location.search);
  return {
    entry: query.get('entry') ?? '.',
    where: query.get('where') ?? 'page',
    filter: query.get('filter') ?? '',
    long: query.get('long') === 'true',
    csp: query.get('csp') === 'true',
    simd: query.get('simd') !== 'false',
    expected: JSON.parse(query.get('expected') ?? '{}'),
  };
}

/** An engine without SIMD, as far as an engine with it can play one: no module that uses it is valid. */
export function hideSimd() {
  const { validate } = WebAssembly;
  const probe = Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    1,
    5,
    1,
    96,
    0,
    1,
    123,
    3,
    2,
    1,
    0,
    10,
    10,
    1,
    8,
    0,
    65,
    0,
    253,
    15,
    253,
    98,
    11,
  );
  if (!validate(probe)) return;
  WebAssembly.validate = (bytes) => {
    const view = new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength);
    // 0xfd begins every SIMD instruction; short modules are probes for it, and in long ones it cannot be missed.
    return !view.includes(0xfd) && validate(bytes);
  };
}

function blobWorker(source) {
  const script = `const receive = (fn) => { onmessage = ({ data }) => fn(data); };\n${source}`;
  return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
}

function frameRealm() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const { Function: Foreign } = frame.contentWindow;
  return (source) => new Foreign(`return (${source})`)();
}

export async function makeContext(entries, wasmUrl, settings) {
  const impl = await entries[settings.entry]();
  const inPage = typeof document !== 'undefined';
  const facts = {
    runtime: 'browser',
    version: navigator.userAgent,
    node: false,
    expected: settings.expected,
    nodeCryptoOnly: false,
    buffers: false,
    files: false,
    wasmForbidden: settings.csp,
    defaultExport: impl.default,
    entries,
    oracle: async (bytes) => {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', Uint8Array.from(bytes)));
      return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    wasmBytes: settings.csp ? undefined : async () => new Uint8Array(await (await fetch(wasmUrl)).arrayBuffer()),
    foreign: inPage && !settings.csp ? frameRealm() : undefined,
    worker: typeof Worker === 'undefined' || settings.csp ? undefined : blobWorker,
  };
  return { impl, facts };
}

// Builds a Worker with esbuild, with the conditions that Cloudflare's own tools set, and runs it in workerd, or in the
// workerd that miniflare starts.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('./workerd/worker.mjs', import.meta.url));
const miniflareHost = fileURLToPath(new URL('./workerd/miniflare.mjs', import.meta.url));
const target = fileURLToPath(new URL('../../target/tests/', import.meta.url));

/** Modules of WebAssembly are files beside the script, as Cloudflare's tools upload them. */
function wasmModules(folder, modules, from) {
  return {
    name: 'wasm-modules',
    setup(builder) {
      builder.onResolve({ filter: /^sha1dc($|\/)/ }, (args) =>
        from && args.resolveDir !== from && !args.pluginData
          ? builder.resolve(args.path, { kind: args.kind, resolveDir: from, pluginData: 'from' })
          : undefined,
      );
      builder.onResolve({ filter: /\.wasm(\?module)?$/ }, async (args) => {
        if (args.pluginData === 'wasm') return undefined;
        const { path } = await builder.resolve(args.path.replace(/\?module$/, ''), {
          kind: args.kind,
          resolveDir: args.resolveDir,
          pluginData: 'wasm',
        });
        modules.add(basename(path));
        cpSync(path, join(folder, basename(path)));
        return { path: `./${basename(path)}`, external: true };
      });
    },
  };
}

/** Starts workerd on the folder's Worker; gives it and the line of its control channel that tells the port. */
function startWorkerd(program, folder, modules) {
  const list = [
    '(name = "worker.js", esModule = embed "worker.js")',
    ...modules.map((name) => `(name = "${name}", wasm = embed "${name}")`),
  ];
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (modules = [${list.join(', ')}], compatibilityDate = "2026-01-01");
`,
  );
  return spawn(program, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
}

/** Likewise miniflare, in a Node that it accepts. */
function startMiniflare({ node, package: path }, folder, modules) {
  return spawn(node, [miniflareHost, path, folder, ...modules], { stdio: ['pipe', 'inherit', 'inherit', 'pipe'] });
}

/** `program`: workerd's, or miniflare's package and the Node for it. */
export async function runWorkerd({ program, from, settings, onEvent }) {
  mkdirSync(target, { recursive: true });
  const folder = mkdtempSync(join(target, 'workerd-'));
  const name = typeof program === 'string' ? 'workerd' : 'miniflare';
  let child;
  try {
    const modules = new Set();
    await build({
      entryPoints: [source],
      outfile: join(folder, 'worker.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'warning',
      plugins: [wasmModules(folder, modules, from && resolve(from))],
    });
    const start = name === 'workerd' ? startWorkerd : startMiniflare;
    child = start(program, folder, [...modules]);
    const ended = new Promise((done) => child.on('exit', (code, signal) => done(`${name} ended (${signal ?? code})`)));
    const listening = new Promise((done) => {
      createInterface({ input: child.stdio[3] }).on('line', (line) => {
        const message = JSON.parse(line);
        if (message.event === 'listen') done(message.port);
      });
    });
    const port = await Promise.race([listening, ended]);
    if (typeof port === 'string') return port;
    const answer = async () => {
      const response = await fetch(
        `http://127.0.0.1:${port}/?settings=${encodeURIComponent(JSON.stringify(settings))}`,
      );
      let rest = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop();
        for (const line of lines) onEvent(JSON.parse(line));
      }
      return '';
    };
    return await Promise.race([answer(), ended]);
  } catch (error) {
    return `${name} could not be used: ${error.message}`;
  } finally {
    if (child?.stdin) {
      // Miniflare ends its own workerd when its input ends.
      const gone = new Promise((done) => child.once('exit', done));
      child.stdin.end();
      if (child.exitCode === null) await gone;
    } else child?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

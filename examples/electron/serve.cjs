// Answers requests for app://page/...: the page's files, and under /sha1dc/ the package's build for browsers. With a bundler
// the page would import 'sha1dc' and this would serve the bundle.
const { readFile } = require('node:fs/promises');
const path = require('node:path');

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript' };
const PAGE = ['index.html', 'renderer.mjs'];
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'";
const web = path.join(path.dirname(require.resolve('sha1dc/package.json')), 'dist', 'web');

function fileFor(pathname) {
  const name = pathname.slice(1);
  if (PAGE.includes(name)) return path.join(__dirname, name);
  const [, module] = /^sha1dc\/([\w.-]+\.js)$/.exec(name) ?? [];
  return module && path.join(web, module);
}

exports.answer = async function answer(url) {
  const file = fileFor(new URL(url).pathname);
  if (!file) return new Response('not found', { status: 404 });
  const headers = { 'Content-Type': TYPES[path.extname(file)], 'Content-Security-Policy': POLICY };
  return new Response(await readFile(file), { headers });
};

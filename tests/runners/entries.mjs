// The package as a user's module sees it: by bare specifiers. Copied beside an installed package by `--from`.
export const load = {
  '.': () => import('sha1dc'),
  wasm: () => import('sha1dc/wasm'),
  js: () => import('sha1dc/js'),
  'sha1.js': () => import('sha1dc/sha1.js'),
  register: () => import('sha1dc/register'),
};
export { createRequire } from 'node:module';
export const url = import.meta.url;

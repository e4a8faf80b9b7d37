// The package by `require`: the CommonJS build.
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');

exports.load = {
  '.': async () => require('sha1dc'),
  wasm: async () => require('sha1dc/wasm'),
  js: async () => require('sha1dc/js'),
  'sha1.js': async () => require('sha1dc/sha1.js'),
  register: async () => require('sha1dc/register'),
};
exports.createRequire = createRequire;
exports.url = pathToFileURL(__filename).href;

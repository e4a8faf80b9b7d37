import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: { target: 'es2022', outDir: '../dist', chunkSizeWarningLimit: 2000 },
  // Only pages without crypto.subtle come to sha.js. "overrides" in package.json do the same for every bundler.
  resolve: { alias: { 'sha.js/sha1.js': 'sha1dc/sha1.js' } },
});

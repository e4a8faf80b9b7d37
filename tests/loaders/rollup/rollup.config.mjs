import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';

export default {
  input: 'page.mjs',
  output: { file: 'dist/page.mjs', format: 'es' },
  plugins: [resolve({ browser: true }), terser()],
};

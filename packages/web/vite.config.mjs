import { defaultClientConditions, defineConfig } from 'vite';

/**
 * There is one file for the page, and one for each further language, which brings nothing with it. So what Vite puts around
 * `import()`, to load styles and further files first, is left out.
 */
const bareImports = {
  name: 'bare-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

/** `base`: every path is relative, so that the page works below any path, behind a proxy too. */
export default defineConfig({
  base: './',
  plugins: [bareImports],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@tallybook/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/page',
    // Tablets on walls are ten years old.
    target: 'es2020',
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    // What is inlined would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  // `vite` for development: the service runs beside it.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

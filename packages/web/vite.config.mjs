import { defaultClientConditions, defineConfig } from 'vite';

/** `base`: every path is relative, so that the page works below any path, behind a proxy too. */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@tallybook/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/page',
    // Tablets on walls are ten years old.
    target: 'es2020',
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    // What is inlined would be refused by the content security policy.
    assetsInlineLimit: 0,
    // What a page further needs is loaded when it is asked for; it has no styles of its own.
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  // `vite` for development: the service runs beside it.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

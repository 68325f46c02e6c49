import { defaultClientConditions, defineConfig } from 'vite';

/**
 * Rooms that are loaded when they are first entered, one file each. `more` is what several of them need, and small: so
 * each takes two requests at most.
 */
const groups = [
  { name: 'names', test: /src\/pages\/(?:enrol|import)\// },
  { name: 'record', test: /src\/pages\/(?:days|person|corrections)\// },
  { name: 'care', test: /src\/pages\/(?:care|access|personal|audit)\// },
  { name: 'more', test: isShared },
];

/** Whether a part is of pages that are loaded later. */
function isShared(id) {
  return /src\/(?:parts\/(?:access|corrections|use-answer|words\/use-topic|form\/(?:confirm|range))|requests\/(?!access|json)|texts\/topics|pages\/sign-in)/.test(
    id,
  ) && !/parts\/access\/(?:not-allowed|access-notices)/.test(id);
}

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
    rolldownOptions: {
      // Or what the others need of the first file would be a file of its own, found only when the first one is there.
      preserveEntrySignatures: 'allow-extension',
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
    reportCompressedSize: false,
  },
  // `vite` for development: the service runs beside it.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

import { defaultClientConditions, defineConfig } from 'vite';

/** Parts that several of the late pages need. */
const SHARED = [
  String.raw`parts/access/`,
  String.raw`parts/(?:corrections|card|person-link|use-table|form/(?:range|secret))`,
  String.raw`state/days-table`,
  String.raw`(?:texts/topics|pages/(?:sign-in|shared|kiosk/leave))`,
];

/**
 * One file for each group of pages, loaded when one of its pages is first opened. `more` has the parts that several
 * groups need; the rest is in one file with `main.tsx`, which is loaded at the start. Few groups, because small files
 * compress worse.
 */
const groups = [
  {
    name: 'lists',
    test: /src\/(?:pages\/(?:enrol|import|list)[/-]|state\/people\/enrolment|texts\/topics\/lists)/,
  },
  {
    name: 'record',
    test: /src\/(?:pages\/(?:days|corrections|phone-reader|record)[/-]|state\/phone)/,
  },
  {
    name: 'people',
    test: /src\/(?:pages\/(?:people|person|groups|guests)[/-]|parts\/(?:form\/person-fields|person-dialog|tag-list|group-link|use-is-here)|texts\/topics\/(?:people|groups|guests))/,
  },
  {
    name: 'system',
    test: /src\/(?:pages\/(?:system|access|personal|audit|sign-in\/passkey)|parts\/access\/browser-passkeys|texts\/topics\/(?:system|audit|stations|passkeys))/,
  },
  {
    name: 'settings',
    test: /src\/(?:pages\/settings[/-]|state\/(?:settings|reader-urls)|texts\/topics\/settings)/,
  },
  { name: 'more', test: new RegExp(`src/(?:${SHARED.join('|')})`) },
  { name: 'main', test: /./ },
];

/** `base`: every path is relative, so that the page works below any path, also behind a proxy. */
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@tallybook/source', ...defaultClientConditions] },
  build: {
    outDir: 'dist/page',
    // Some tablets on walls are ten years old.
    target: 'es2020',
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    // The content security policy refuses inlined files.
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
    reportCompressedSize: false,
  },
  // For development with `vite`, beside a running service.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

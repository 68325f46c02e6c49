import { defaultClientConditions, defineConfig } from 'vite';

/** What several of the pages that are loaded later need. */
const SHARED = [
  String.raw`parts/access/`,
  String.raw`parts/(?:corrections|card|facts|person-link|placeholders/answered|use-answer|table/(?:issued-columns|use-table)|form/(?:confirm|form-end|range)|words/(?:actor-of|use-topic))`,
  String.raw`state/(?:access/roles-for|answer|days/(?:corrections|picture|table)|names/enrolment)`,
  String.raw`(?:texts/topics|pages/(?:sign-in|kiosk/leave))`,
];

/**
 * Rooms, one file each: what is loaded when one of their pages is first opened. `more` is what several of them need, and
 * everything else is there from the start. The browser is told of all files that a page needs at once.
 */
const groups = [
  {
    name: 'passkeys',
    test: /src\/(?:pages\/(?:access\/(?:own-passkey|passkey)|sign-in\/passkey)|parts\/passkeys|texts\/topics\/passkeys)/,
  },
  { name: 'names', test: /src\/pages\/(?:enrol|import)\// },
  { name: 'record', test: /src\/pages\/(?:days|person|corrections)\// },
  {
    name: 'care',
    test: /src\/(?:pages\/(?:care|access|personal|audit)\/|texts\/topics\/(?:care|audit|stations))/,
  },
  { name: 'phone', test: /src\/(?:pages\/phone-reader|state\/phone)\// },
  { name: 'more', test: new RegExp(`src/(?:${SHARED.join('|')})`) },
  { name: 'first', test: /^(?!.*src\/main\.tsx)/ },
];

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
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
    reportCompressedSize: false,
  },
  // `vite` for development: the service runs beside it.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});

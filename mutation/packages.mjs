/**
 * The packages whose sources are mutated, quick packages first. For each: tests that are left out, as files or as beginnings
 * of full titles, because they take long and other tests check the same rules; and sources below `src/` that are left out.
 */
export const PACKAGES = {
  domain: {
    // It checks every zone at every change of its offset: seconds for each mutant. calendar.test.ts checks the same rules.
    ignoredTests: ['packages/domain/test/time/calendar-zones.slow.test.ts'],
  },
  'store-memory': {
    // The contracts, and the tests of the fakes, check its stores.
    moreTests: ['packages/testing/test/fakes-pass.test.ts'],
  },
  system: {},
  'identity-oidc': {},
  'passkeys-webauthn': {},
  devices: {},
  outputs: {},
  'upstream-http': {},
  spreadsheets: {},
  'http-contract': {},
  client: {
    // It builds the bundle of a page to measure it.
    ignoredTests: ['packages/client/test/size.test.ts'],
  },
  web: {
    // They run the built page, which is not mutated. They check the shown page; the mutated sources are about states and
    // values made from them.
    ignoredTests: ['packages/web/test/browser/**/*.test.ts', 'packages/web/test/size.test.ts'],
    ignoredSources: ['pages/**', 'parts/**', 'texts/{de,en}.ts', '{page-route,routes}.ts'],
  },
  testing: {},
  readers: {},
  'http-koa': {
    // Seconds for each mutant: they send and measure megabytes.
    ignoredTests: ['requests/first-body.slow', 'answers/large-answers'].map(
      (name) => `packages/http-koa/test/${name}.test.ts`,
    ),
  },
  'store-postgres': {
    // Seconds for each mutant: they wait for databases that end and come back.
    ignoredTests: ['connection/outage.slow', 'database/several-servers.slow'].map(
      (name) => `packages/store-postgres/test/${name}.test.ts`,
    ),
  },
  'store-level': {
    // They kill a process again and again, or damage each byte: minutes for each mutant.
    ignoredTests: ['database/kill', 'repair/damaged-files', 'repair/fatal-damage', 'repair/rescued-rows'].map(
      (name) => `packages/store-level/test/${name}.slow.test.ts`,
    ),
  },
  server: {
    // They run the built program, which is not mutated. moved-store runs it as another user, who may not read the copy.
    ignoredTests: [
      'backup/backup-memory.slow',
      'backup/backups.slow',
      'command-line/terminal.slow',
      'program/compiled-program.slow',
      'program/missing-programs',
      'program/private-files.slow',
      'program/process.slow',
      'program/program',
      'scenarios/clock.slow',
      'scenarios/mqtt.slow',
      'scenarios/proxy-groups',
      'scenarios/pushing-guide.slow',
      'scenarios/resume.slow',
      'scenarios/several-readers',
      'scenarios/webhook',
      'stores/disk.slow',
      'stores/moved-store.slow',
      'stores/repair.slow',
      'stores/restart.slow',
      'stores/several-servers.slow',
      'stores/two-processes.slow',
    ].map((name) => `packages/server/test/${name}.test.ts`),
    ignoredTitles: ['tallybook serve', 'The command line'],
  },
};

/** The packages whose sources are mutated, and of each the tests that are left out: they take long, others have the rules. Quick ones first. */
export const PACKAGES = {
  domain: {
    // Asks every zone for every hour of change: seconds for each mutant, and calendar.test.ts has the rules.
    ignoredTests: [
      'packages/domain/test/calendar-zones.test.ts',
      'packages/domain/test/calendar-zones.slow.test.ts',
    ],
  },
  'store-memory': {
    // Its stores are held by the contracts and by what the fakes promise.
    moreTests: ['packages/testing/test/fakes-pass.test.ts'],
  },
  'clock-system': {},
  devices: {},
  indicators: {},
  'publisher-mqtt': {},
  'publisher-webhook': {},
  spreadsheets: {},
  testing: {},
  readers: {},
  'http-koa': {},
  'store-level': {
    // Kills a process again and again: minutes for each mutant.
    ignoredTests: ['packages/store-level/test/kill.test.ts'],
  },
  server: {
    // They run the compiled program, which is not mutated, and not there.
    ignoredTests: [
      'backups',
      'clock',
      'disk',
      'doctor',
      'http-limits',
      'invocation',
      'killed',
      'missing-programs',
      'moved-store',
      'mqtt',
      'private-files',
      'process',
      'program',
      'repair',
      'restart',
      'serve',
      'several-readers',
      'terminal',
      'two-processes',
    ].map((name) => `packages/server/test/${name}.test.ts`),
  },
};

// Loaded by mocha before the tests. Tests start processes on the sources: these get the active mutant, and report the
// mutants that they met. Otherwise code that runs only in such processes would count as untested.
const { mkdtempSync, readdirSync, readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const preload = `--import=${pathToFileURL(join(__dirname, 'met-mutants.mjs'))}`;
const folder = mkdtempSync(join(tmpdir(), 'met-'));
/** For each test, the name of the folder to which its processes write the mutants that they met. */
const tests = new Map();

exports.mochaHooks = {
  beforeEach() {
    const { activeMutant } = stryker();
    if (activeMutant !== undefined) {
      process.env.__STRYKER_ACTIVE_MUTANT__ = activeMutant;
      return;
    }
    const { NODE_OPTIONS = '' } = process.env;
    if (!NODE_OPTIONS.includes(preload)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${preload}`.trim();
    process.env.TALLYBOOK_MET_MUTANTS = mkdtempSync(join(folder, 'test-'));
    tests.set(this.currentTest.fullTitle(), process.env.TALLYBOOK_MET_MUTANTS);
  },
  afterEach() {
    delete process.env.__STRYKER_ACTIVE_MUTANT__;
    delete process.env.TALLYBOOK_MET_MUTANTS;
  },
  afterAll() {
    for (const [test, written] of tests) {
      for (const file of readdirSync(written))
        count(test, JSON.parse(readFileSync(join(written, file), 'utf8')));
    }
    tests.clear();
  },
};

function count(test, met) {
  const { perTest, static: constants } = (stryker().mutantCoverage ??= { static: {}, perTest: {} });
  const all = (perTest[test] ??= {});
  for (const mutant of met) {
    // A process loads all files. A mutant that is also met during the loading here is in a constant, and belongs to no
    // single test.
    if (!(mutant in constants)) all[mutant] = (all[mutant] ?? 0) + 1;
  }
}

function stryker() {
  return (globalThis.__stryker__ ??= {});
}

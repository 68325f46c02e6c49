// Loaded by mocha before the tests: processes that a test starts on the sources are told which mutant is the active one, and
// tell which mutants they met. Without that, what only processes run would count as without a test.
const { mkdtempSync, readdirSync, readFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const preload = `--import=${pathToFileURL(join(__dirname, 'met-mutants.mjs'))}`;
const folder = mkdtempSync(join(tmpdir(), 'met-'));
/** Of each test the name of its folder, where its processes write which mutants they met. */
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
    // A process loads all files. A mutant that is met while they are loaded here too is in a constant, and belongs to no single test.
    if (!(mutant in constants)) all[mutant] = (all[mutant] ?? 0) + 1;
  }
}

function stryker() {
  return (globalThis.__stryker__ ??= {});
}

// Runs tests in several processes, some at the same time, and adds up their results.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lanes } from './ci/step.mjs';
import { findTestFiles, listAllTests, listQuickTests, parseTestArguments } from './test-files.mjs';

/**
 * Number of simultaneous processes: one more than the processors, up to three. Tests wait for processes and timers.
 * More than three were never tried.
 */
export const LANES = Math.min(3, availableParallelism() + 1);
/**
 * More parts than lanes, so that no lane waits long for another. Each part takes six seconds of processor time to
 * start, with its browser.
 */
const PARTS = 4;
/** The groups of {@link allTests}. */
export const COVERING = 'tests that cover';
export const OTHERS = 'other tests';
export const BUILT = 'commands of the built program';
/** Tests that run commands of the built program with TALLYBOOK_TEST_BUILT, and otherwise of the sources. */
const CAN_RUN_BUILT = [
  ...[
    'access-commands.slow',
    'backup-commands',
    'invocation.slow',
    'personal-data',
    'personal/personal-commands',
  ],
  ...['help', 'store-definitions', 'access-definitions'].map((name) => `definitions/${name}`),
].map((name) => `packages/server/test/command-line/${name}.test.ts`);

const COMPILER = ['node', 'node_modules/typescript-native/bin/tsc', '-p'];
/** What is checked beside the tests. */
export const CHECKS = [
  { name: 'types', command: [...COMPILER, 'tsconfig.test.json'] },
  { name: 'types of the page', command: [...COMPILER, 'packages/web/tsconfig.test.json'] },
  { name: 'imports', command: ['npm', 'run', '--silent', 'check:imports'] },
];

/** The tests with random values, with another seed than the tests have otherwise. */
export function properties(mocha) {
  const { files } = parseTestArguments(['properties']);
  return {
    name: 'properties, with another seed',
    command: [...mocha, '--reporter', 'dot', ...files],
    variables: { TALLYBOOK_TEST_SEED: 'random' },
  };
}

/** Test files, distributed over processes. Each process shows its report when it has ended. */
export class TestParts {
  #groups = new Map();

  /**
   * @param {readonly string[]} mocha The command that runs files.
   * @param {readonly { name: string, files: readonly string[], variables?: object, parts?: number }[]} groups Each
   * group is distributed separately, with variables for its processes.
   */
  constructor(mocha, groups) {
    const folder = mkdtempSync(join(tmpdir(), 'tallybook-lanes-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const { name, files, variables, parts = PARTS } of groups) {
      const count = Math.min(parts, files.length);
      const steps = Array.from({ length: count }, (_, part) => ({
        name: `${name}, part ${part + 1} of ${count}`,
        command: [...mocha, ...files.filter((_file, index) => index % count === part)],
        variables: { ...variables, TALLYBOOK_TEST_RESULTS: join(folder, `${name} ${part}.json`) },
      }));
      this.#groups.set(name, steps);
    }
  }

  /** The steps of some groups, or of all, for {@link Lanes}. */
  steps(...names) {
    const wanted = names.length > 0 ? names : [...this.#groups.keys()];
    return wanted.flatMap((name) => this.#groups.get(name) ?? []);
  }

  /** The results of all processes, after they have ended. */
  totals() {
    const results = this.steps().map(({ variables }) => readResults(variables.TALLYBOOK_TEST_RESULTS));
    const sum = (countIn) => results.reduce((total, each) => total + countIn(each), 0);
    return {
      passed: sum((each) => each.passed),
      failed: sum((each) => each.failed),
      leftOut: results.flatMap((each) => each.leftOut),
    };
  }
}

/** The tests that are not slow. None takes long, so one part for each lane is enough: they end at about the same time. */
export function quickTests(mocha) {
  return new TestParts(mocha, [{ name: 'tests', files: listQuickTests(), parts: LANES }]);
}

/** All tests, with the coverage for check-coverage.mjs. Earlier coverage is deleted. */
export function allTests(mocha) {
  const coverage = fileURLToPath(new URL('../coverage/', import.meta.url));
  rmSync(coverage, { recursive: true, force: true });
  const { covering, others } = listAllTests();
  return new TestParts(mocha, [
    {
      name: COVERING,
      files: covering,
      variables: { NODE_V8_COVERAGE: join(coverage, 'tmp') },
      // Other parts follow, so no lane is idle if these end at different times.
      parts: LANES,
    },
    { name: OTHERS, files: others },
    { name: BUILT, files: findTestFiles(CAN_RUN_BUILT), variables: { TALLYBOOK_TEST_BUILT: '1' }, parts: 1 },
  ]);
}

/**
 * Runs parts and other steps at the same time. The last printed line has the totals of all tests.
 *
 * @param {TestParts} parts
 * @param {readonly object[]} others
 * @returns {Promise<boolean>} Whether all tests have passed, and left nothing open, and all other steps have succeeded.
 */
export async function runInLanes(parts, others = []) {
  const ended = await new Lanes(LANES).run([...parts.steps(), ...others]);
  const failed = ended.filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (failed.length > 0) console.log(`FAILED: ${failed.sort().join(' and ')}`);
  const totals = parts.totals();
  console.log(describeTotals(totals));
  const { TALLYBOOK_TEST_RESULTS: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify(totals));
  return totals.failed === 0 && failed.length === 0;
}

/** The totals in one line for people and programs. */
export function describeTotals({ passed, failed, leftOut }) {
  return `${passed} passed, ${failed} failed${leftOut.length > 0 ? `, ${leftOut.length} skipped` : ''}`;
}

/** The results of a process. If it ended before its last test, it wrote no results, and that counts as a failure. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, leftOut: [] };
  }
}

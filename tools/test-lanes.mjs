// Runs tests in processes, some side by side, and adds up what came of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lanes } from './ci/step.mjs';
import { listAllTests } from './test-files.mjs';

/** One more than there are processors, up to three: tests wait for processes and timers, and more have not been tried. */
export const LANES = Math.min(3, availableParallelism() + 1);
/** More than lanes, so that none waits long for the other; each takes six seconds of a processor to begin, with its browser. */
const PARTS = 4;
/** The two groups of {@link allTests}. */
export const COVERING = 'tests that cover';
export const OTHERS = 'other tests';

/** Files of tests, spread over processes, each of which shows its report when it has ended. */
export class TestParts {
  #groups = new Map();

  /**
   * @param {readonly string[]} mocha The command that runs files.
   * @param {readonly { name: string, files: readonly string[], variables?: object, parts?: number }[]} groups Each is
   *   spread by itself, with variables for its processes.
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

  /** For {@link Lanes}: those of a group, or of all. */
  steps(...names) {
    const wanted = names.length > 0 ? names : [...this.#groups.keys()];
    return wanted.flatMap((name) => this.#groups.get(name) ?? []);
  }

  /** What came of all of them, once they have ended. */
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

/** All tests, with what check-coverage.mjs reads. What was counted before is gone. */
export function allTests(mocha) {
  const coverage = fileURLToPath(new URL('../coverage/', import.meta.url));
  rmSync(coverage, { recursive: true, force: true });
  const { covering, others } = listAllTests();
  return new TestParts(mocha, [
    {
      name: COVERING,
      files: covering,
      variables: { NODE_V8_COVERAGE: join(coverage, 'tmp') },
      // Others follow, so their ends cost nothing.
      parts: LANES,
    },
    { name: OTHERS, files: others },
  ]);
}

/**
 * Runs them side by side. The last line is the totals of all.
 *
 * @param {TestParts} parts
 * @returns {Promise<boolean>} Whether all tests have passed, and left nothing open.
 */
export async function runInLanes(parts) {
  const ended = await new Lanes(LANES).run(parts.steps());
  const failed = ended.filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (failed.length > 0) console.log(`FAILED: ${failed.sort().join(' and ')}`);
  const totals = parts.totals();
  console.log(describeTotals(totals));
  const { TALLYBOOK_TEST_RESULTS: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify(totals));
  return totals.failed === 0 && failed.length === 0;
}

/** One line that a person and a machine can read. */
export function describeTotals({ passed, failed, leftOut }) {
  return `${passed} passed, ${failed} failed${leftOut.length > 0 ? `, ${leftOut.length} skipped` : ''}`;
}

/** The results of a process. If it ended before its last test it wrote none, which is a failure. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, leftOut: [] };
  }
}

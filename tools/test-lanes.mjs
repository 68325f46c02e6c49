// Runs tests in processes side by side, one for each of two processors, and adds up what came of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSideBySide } from './ci/step.mjs';

/** Tests measure time and memory; more side by side than two have not been tried. */
const MOST_LANES = 2;

/**
 * Each process has every second file, and shows its report when it has ended. The last line is the totals of all.
 *
 * @param {readonly string[]} mocha The command that runs files.
 * @param {readonly string[]} files
 * @returns {Promise<boolean>} Whether all tests have passed, and left nothing open.
 */
export async function runInLanes(mocha, files) {
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-lanes-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const count = Math.min(MOST_LANES, availableParallelism());
  const lanes = Array.from({ length: count }, (_, lane) => ({
    name: `tests, part ${lane + 1} of ${count}`,
    command: [...mocha, ...files.filter((_file, index) => index % count === lane)],
    variables: { TALLYBOOK_TEST_RESULTS: join(folder, `${lane}.json`) },
  }));
  const ended = await runSideBySide(lanes, count);
  const failed = ended.filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (failed.length > 0) console.log(`FAILED: ${failed.sort().join(' and ')}`);
  const failures = report(lanes.map(({ variables }) => readResults(variables.TALLYBOOK_TEST_RESULTS)));
  return failed.length === 0 && failures === 0;
}

/** Shows the totals, and returns how many tests have failed. */
function report(results) {
  const sum = (countIn) => results.reduce((total, each) => total + countIn(each), 0);
  const passed = sum((each) => each.passed);
  const failed = sum((each) => each.failed);
  const leftOut = results.flatMap((each) => each.leftOut);
  const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : '';
  console.log(`${passed} passed, ${failed} failed${skipped}`);
  const { TALLYBOOK_TEST_RESULTS: file } = process.env;
  if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed, leftOut }));
  return failed;
}

/** What a process has written of its tests; it writes nothing if it ended before the last one, which is a failure. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, leftOut: [] };
  }
}

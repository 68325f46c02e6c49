// The spec report of mocha. At the end it adds the left-out tests with their reasons, and one line of totals for people
// and programs. If TALLYBOOK_TEST_RESULTS names a file, both are written there too.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import mocha from 'mocha';
import { reasonOf } from './left-out.cjs';

const { EVENT_TEST_PENDING, EVENT_RUN_END } = mocha.Runner.constants;

export default class TotalsReporter extends mocha.reporters.Spec {
  #leftOut = [];

  constructor(runner, options) {
    super(runner, options);
    runner.on(EVENT_TEST_PENDING, (test) => this.#leaveOut(test));
    runner.once(EVENT_RUN_END, () => this.#end());
  }

  #leaveOut(test) {
    const reason = reasonOf(test) ?? 'nobody said why';
    this.#leftOut.push({ file: relative(process.cwd(), test.file ?? ''), title: test.fullTitle(), reason });
  }

  #end() {
    const { passes: passed, failures: failed } = this.stats;
    const leftOut = this.#leftOut;
    const counts = new Map();
    for (const { file, reason } of leftOut) {
      const what = `${file}: ${reason}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    for (const [what, count] of counts) console.log(`left out: ${count} of ${what}`);
    const skipped = leftOut.length > 0 ? `, ${leftOut.length} skipped` : '';
    console.log(`${passed} passed, ${failed} failed${skipped}`);
    const { TALLYBOOK_TEST_RESULTS: file } = process.env;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed, failed, leftOut }));
  }
}

// mocha's spec report, closed by one line of totals that a person and a machine can read.
import mocha from 'mocha';

export default class TotalsReporter extends mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const skipped = pending > 0 ? `, ${pending} skipped` : '';
      console.log(`${passes} passed, ${failures} failed${skipped}`);
    });
  }
}

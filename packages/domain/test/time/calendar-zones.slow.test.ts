import { expect } from 'chai';
import { compareDaysAroundChanges } from './days-around-changes.js';

describe('Calendar, in every zone and on every day of 23 or 25 hours from 1970 to 2039', () => {
  it('has the date of the wall clock, turned back by the day start', function () {
    this.timeout(300_000);
    const { checks, wrong } = compareDaysAroundChanges(Intl.supportedValuesOf('timeZone'));
    expect(wrong).to.deep.equal([]);
    expect(checks).to.be.above(250_000);
  });
});

import { counted } from '@tallybook/domain';
import { expect } from 'chai';

describe('A number of things in a message', () => {
  it('is singular or plural, with the right verb', () => {
    expect([0, 1, 2].map((count) => counted(count, 'day'))).to.deep.equal(['0 days', '1 day', '2 days']);
    expect([1, 2].map((count) => counted(count, 'entry', 'entries'))).to.deep.equal(['1 entry', '2 entries']);
    expect(counted(1, 'scan waits', 'scans wait')).to.equal('1 scan waits');
  });
});

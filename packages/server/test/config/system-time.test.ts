import { expect } from 'chai';
import { RELEASED_AT } from '../../src/config/released-at.js';
import { systemTime } from '../../src/config/system-time.js';

describe('The clock of commands', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('is trusted from the release of the program on, in whole seconds', () => {
    Date.now = () => RELEASED_AT * 1_000 + 999;
    expect(systemTime.now()).to.equal(RELEASED_AT);
    expect(systemTime.trust()).to.deep.equal({ isTrusted: true, basis: 'assumed' });
  });

  it('is doubted before it', () => {
    Date.now = () => RELEASED_AT * 1_000 - 1;
    expect(systemTime.now()).to.equal(RELEASED_AT - 1);
    expect(systemTime.trust()).to.deep.equal({ isTrusted: false, doubt: 'before-build' });
  });
});

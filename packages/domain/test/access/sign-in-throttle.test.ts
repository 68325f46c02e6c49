import { expect } from 'chai';
import { SignInThrottle } from '../../src/access/sign-in-throttle.js';

/** Fails a number of times. */
function fail(throttle: SignInThrottle, times: number, account: string, address: string): void {
  for (let n = 0; n < times; n++) throttle.begin({ account, address });
}

describe('SignInThrottle', () => {
  it('remembers 10,000 at most, and forgets the least recently used', () => {
    const throttle = new SignInThrottle(() => 0);
    fail(throttle, 3, 'ada', 'here');
    expect(() => throttle.begin({ account: 'ada', address: 'there' })).to.throw(/try again in 1 s/);
    // Each attempt counts twice: for the account and for the address.
    for (let n = 0; n < 4_990; n++) throttle.begin({ account: `user${n}`, address: `address${n}` });
    expect(() => throttle.begin({ account: 'ada', address: 'there' })).to.throw(/try again in 1 s/);
    for (let n = 4_990; n < 5_010; n++) throttle.begin({ account: `user${n}`, address: `address${n}` });
    expect(throttle.begin({ account: 'ada', address: 'there' }).failures).to.equal(1);
  });

  it('counts a success even if it has forgotten the attempt', () => {
    const throttle = new SignInThrottle(() => 0);
    throttle.succeed({ address: 'here' });
    throttle.succeed({ account: 'ada', address: 'here' });
    expect(throttle.begin({ account: 'ada', address: 'here' }).failures).to.equal(1);
  });

  it('does not count refused attempts: trying does not make the wait longer', () => {
    let now = 0;
    const throttle = new SignInThrottle(() => now);
    fail(throttle, 3, 'ada', 'here');
    for (let n = 0; n < 100; n++)
      expect(() => throttle.begin({ account: 'ada', address: 'here' })).to.throw();
    now = 1_000;
    expect(throttle.begin({ account: 'ada', address: 'here' }).failures).to.equal(4);
  });

  it('does not clear the failures of an address by a success with another account', () => {
    const throttle = new SignInThrottle(() => 0);
    for (let n = 0; n < 9; n++) {
      throttle.begin({ account: `user${n}`, address: 'here' });
      const own = { account: `own${n}`, address: 'here' };
      if (n < 1) throttle.begin(own);
      if (n < 1) throttle.succeed(own);
    }
    expect(throttle.begin({ account: 'ada', address: 'here' }).failures).to.equal(10);
    expect(() => throttle.begin({ account: 'bob', address: 'here' })).to.throw(/try again in 1 s/);
  });
});

import { expect } from 'chai';
import { Pace } from '../../src/requests/pace.js';

describe('Pace', () => {
  it('allows a burst at once, then one after each interval, and says how long to wait', () => {
    const pace = new Pace(100, 3);
    for (let n = 0; n < 3; n++) expect(pace.take('a', 1_000)).to.equal(0);
    expect(pace.take('a', 1_000)).to.equal(100);
    expect(pace.take('a', 1_040)).to.equal(60);
    expect(pace.take('a', 1_100)).to.equal(0);
    expect(pace.take('a', 1_100)).to.equal(100);
  });

  it('allows the whole burst again after a pause, and never more', () => {
    const pace = new Pace(100, 3);
    for (let n = 0; n < 3; n++) pace.take('a', 0);
    for (let n = 0; n < 3; n++) expect(pace.take('a', 1_000_000)).to.equal(0);
    expect(pace.take('a', 1_000_000)).to.equal(100);
  });

  it('takes nothing from a client that is refused', () => {
    const pace = new Pace(100, 1);
    pace.take('a', 0);
    for (let n = 0; n < 50; n++) expect(pace.take('a', 50)).to.equal(50);
    expect(pace.take('a', 100)).to.equal(0);
  });

  it('counts each client by itself', () => {
    const pace = new Pace(100, 1);
    expect([pace.take('a', 0), pace.take('b', 0), pace.take('a', 0)]).to.deep.equal([0, 0, 100]);
  });

  it('remembers 10,000 clients, and forgets the least recent ones first', () => {
    const pace = new Pace(1_000_000, 2);
    pace.take('early', 0);
    pace.take('often', 0);
    for (let n = 0; n < 9_998; n++) pace.take(`n${n}`, 0);
    pace.take('often', 0);
    for (let n = 0; n < 5_000; n++) pace.take(`m${n}`, 0);
    expect(pace.size).to.equal(10_000);
    expect(pace.take('often', 0)).to.equal(1_000_000);
    expect(pace.take('early', 0)).to.equal(0);
    expect(pace.take('early', 0)).to.equal(0);
  });
});

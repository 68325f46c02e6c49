import { expect } from 'chai';
import { loadOnce } from '../src/load-once.js';

describe('a module that is loaded once', () => {
  it('is loaded at the first call, for all', async () => {
    let loads = 0;
    const load = loadOnce(() => Promise.resolve(++loads));
    expect(loads).to.equal(0);
    expect(await Promise.all([load(), load()])).to.deep.equal([1, 1]);
    expect(await load()).to.equal(1);
  });

  it('is loaded again by the next call after a failure, and not by waiting calls', async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      if (++loads === 1) throw new Error('first');
      return Promise.resolve(loads);
    });
    const both = await Promise.allSettled([load(), load().catch(load)]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(await load()).to.equal(2);
  });
});

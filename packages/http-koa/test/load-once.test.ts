import { expect } from 'chai';
import { loadOnce } from '../src/load-once.js';

describe('what is loaded once', () => {
  it('is loaded at the first call, for all', async () => {
    let loads = 0;
    const load = loadOnce(() => Promise.resolve(++loads));
    expect(loads).to.equal(0);
    expect(await Promise.all([load(), load()])).to.deep.equal([1, 1]);
    expect(await load()).to.equal(1);
  });

  it('is loaded again by the next call after that has failed, and not by those that waited for it', async () => {
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

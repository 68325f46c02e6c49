import { expect } from 'chai';
import { Gate } from '../src/gate.js';
import { turns } from './shelf.js';

describe('Gate', () => {
  it('lets so many go at a time, and the others in the order of coming', async () => {
    const gate = new Gate(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number): (() => Promise<void>) => {
      return () => {
        begun.push(n);
        return new Promise((resolve) => ends.push(resolve));
      };
    };
    const all = [1, 2, 3, 4].map((n) => gate.run(work(n)));
    await turns();
    expect(begun).to.deep.equal([1, 2]);
    ends[1]?.();
    await turns();
    expect(begun).to.deep.equal([1, 2, 3]);
    ends[0]?.();
    ends[2]?.();
    await turns();
    expect(begun).to.deep.equal([1, 2, 3, 4]);
    ends[3]?.();
    await Promise.all(all);
  });

  it('gives the place of work that fails to the next, and its failure to who asked for it', async () => {
    const gate = new Gate(1);
    const failure = new Error('unreadable');
    const fail = (): Promise<never> => Promise.reject(failure);
    const outcomes = await Promise.allSettled([gate.run(fail), gate.run(fail), gate.run(async () => 'done')]);
    expect(outcomes).to.deep.equal([
      { status: 'rejected', reason: failure },
      { status: 'rejected', reason: failure },
      { status: 'fulfilled', value: 'done' },
    ]);
    expect(await gate.run(async () => 'again')).to.equal('again');
  });
});

import { expect } from 'chai';
import { Gate } from '@tallybook/domain/record';

/** Work that ends when the test says so. */
class Work {
  readonly began: number[] = [];
  readonly #ends = new Map<number, () => void>();

  begin(n: number): Promise<void> {
    this.began.push(n);
    return new Promise((resolve) => this.#ends.set(n, resolve));
  }

  end(n: number): void {
    this.#ends.get(n)?.();
  }
}

describe('Gate', () => {
  it('runs two pieces of work at a time, and the others in the order of their calls', async () => {
    const [gate, work] = [new Gate(2), new Work()];
    const runs = [0, 1, 2, 3, 4].map((n) => gate.run(() => work.begin(n)));
    expect(work.began).to.deep.equal([0, 1]);
    work.end(1);
    await runs[1];
    await Promise.resolve();
    expect(work.began).to.deep.equal([0, 1, 2]);
    work.end(2);
    await runs[2];
    await Promise.resolve();
    expect(work.began).to.deep.equal([0, 1, 2, 3]);
    work.end(0);
    await runs[0];
    await Promise.resolve();
    expect(work.began).to.deep.equal([0, 1, 2, 3, 4]);
    for (const n of [3, 4]) work.end(n);
    await Promise.all(runs);
  });

  it('lets clients take turns, so that nobody waits for all the work of another', async () => {
    const [gate, work] = [new Gate(1), new Work()];
    const runs = [0, 1, 2, 3].map((n) => gate.run(() => work.begin(n), 'one'));
    runs.push(...[4, 5].map((n) => gate.run(() => work.begin(n), 'other')));
    for (const n of [0, 1, 4, 2, 5, 3]) {
      expect(work.began.at(-1)).to.equal(n);
      work.end(n);
      await runs[n];
      await Promise.resolve();
    }
  });

  it('gives the place of work that fails to the next one, and its error to its caller', async () => {
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

import { expect } from 'chai';
import { InTurn } from '../../src/http/in-turn.js';

describe('Works in turn', () => {
  /** Work that reports its beginning, and ends when the test says so. */
  class Work {
    readonly begun: string[] = [];
    readonly ends = new Map<string, () => void>();

    start(name: string): () => Promise<string> {
      return () => {
        this.begun.push(name);
        return new Promise((resolve) => this.ends.set(name, () => resolve(name)));
      };
    }
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('wait for those of the same name before them, and for no others', async () => {
    const turns = new InTurn();
    const work = new Work();
    const all = [
      turns.run('a', work.start('a1')),
      turns.run('a', work.start('a2')),
      turns.run('b', work.start('b1')),
    ];
    await turn();
    expect(work.begun).to.have.members(['a1', 'b1']);
    work.ends.get('a1')?.();
    await turn();
    expect(work.begun).to.have.members(['a1', 'b1', 'a2']);
    for (const end of work.ends.values()) end();
    expect(await Promise.all(all)).to.deep.equal(['a1', 'a2', 'b1']);
  });

  it('wait also for one that came when the first was done already', async () => {
    const turns = new InTurn();
    const work = new Work();
    const first = turns.run('a', work.start('a1'));
    const second = turns.run('a', work.start('a2'));
    await turn();
    work.ends.get('a1')?.();
    await first;
    const third = turns.run('a', work.start('a3'));
    await turn();
    expect(work.begun).to.deep.equal(['a1', 'a2']);
    work.ends.get('a2')?.();
    await second;
    await turn();
    work.ends.get('a3')?.();
    expect(await third).to.equal('a3');
  });

  it('go on after one that failed, which rejects as it failed', async () => {
    const turns = new InTurn();
    const failed = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', () => Promise.resolve('yes'));
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(await next).to.equal('yes');
  });
});

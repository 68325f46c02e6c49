import { expect } from 'chai';
import { InTurn } from '../../src/http/device-numbers.js';

describe('Work in turn', () => {
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

  it('waits for earlier work of the same name, and for no other', async () => {
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

  it('waits also for work that came after the end of the first', async () => {
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

  it('continues after failed work, which rejects with its error', async () => {
    const turns = new InTurn();
    const failed = turns.run('a', () => Promise.reject(new Error('no')));
    const next = turns.run('a', () => Promise.resolve('yes'));
    expect(await failed.catch((error: unknown) => String(error))).to.equal('Error: no');
    expect(await next).to.equal('yes');
  });
});

import type { ReceiptStore } from '@tallybook/domain';
import { expect } from 'chai';
import { DeviceNumbers, RunNumbers } from '../../src/http/device-numbers.js';

describe('The numbers of a run', () => {
  it('count as taken up to the first missing one, and above it one by one', () => {
    const numbers = new RunNumbers();
    numbers.take([1, 2, 4, 5], [3]);
    expect([1, 2, 3, 4, 5, 6].filter((n) => numbers.has(n))).to.deep.equal([1, 2, 4, 5]);
    expect(numbers.upTo).to.equal(2);
    numbers.take([3], []);
    expect(numbers.upTo).to.equal(5);
    expect(numbers.has(6)).to.equal(false);
  });

  it('may have gaps: numbers that the device does not send again count as taken', () => {
    const numbers = new RunNumbers();
    numbers.take([7], []);
    expect(numbers.upTo).to.equal(7);
    numbers.take([9], [12, 10, 11]);
    expect(numbers.upTo).to.equal(9);
    expect([1, 8, 10].map((n) => numbers.has(n))).to.deep.equal([true, true, false]);
  });

  it('are accepted in any order, and the largest stays the largest', () => {
    const numbers = new RunNumbers();
    numbers.take([9, 3, 7], []);
    expect(numbers.upTo).to.equal(9);
    numbers.take([5], []);
    expect(numbers.upTo).to.equal(9);
  });

  it('are new until they are kept, or until another server has noted them', () => {
    const numbers = new RunNumbers();
    expect(numbers.isNew).to.equal(false);
    numbers.take([1, 2], []);
    expect(numbers.isNew).to.equal(true);
    numbers.kept(1);
    expect(numbers.isNew).to.equal(true);
    numbers.kept(2);
    numbers.kept(1);
    expect(numbers.isNew).to.equal(false);
    numbers.take([3], []);
    numbers.learn(4);
    expect([numbers.isNew, numbers.upTo]).to.deep.equal([false, 4]);
    numbers.learn(2);
    expect([numbers.isNew, numbers.upTo]).to.deep.equal([false, 4]);
  });

  it('are not new if the store knew larger numbers than this server', () => {
    const numbers = new RunNumbers();
    numbers.take([8], [5]);
    numbers.learn(6);
    expect([numbers.upTo, numbers.isNew]).to.deep.equal([6, false]);
    expect([7, 8].map((n) => numbers.has(n))).to.deep.equal([false, true]);
  });
});

describe('The numbers of a device', () => {
  /** Keeps receipts, and fails when the test says so. */
  class Receipts implements Pick<ReceiptStore, 'latest' | 'note'> {
    readonly notes: string[] = [];
    isAway = false;

    latest(device: string, run: string): Promise<number> {
      if (this.isAway) return Promise.reject(new Error('away'));
      return Promise.resolve(device === 'door' && run === 'a' ? 5 : 0);
    }

    note(device: string, run: string, number: number): Promise<void> {
      if (this.isAway) return Promise.reject(new Error('away'));
      this.notes.push(`${device} ${run} ${number}`);
      return Promise.resolve();
    }
  }
  const begin = (): { readonly receipts: Receipts; readonly device: DeviceNumbers } => {
    const receipts = new Receipts();
    return { receipts, device: new DeviceNumbers('door', receipts as Partial<ReceiptStore> as ReceiptStore) };
  };

  it('begin with the noted number of that run of that device', async () => {
    const { device } = begin();
    expect((await device.of('a')).upTo).to.equal(5);
    expect((await device.of('b')).upTo).to.equal(0);
  });

  it('are the former ones in the same run, also while the store cannot be read', async () => {
    const { device, receipts } = begin();
    receipts.isAway = true;
    const numbers = await device.of('a');
    expect(numbers.upTo).to.equal(0);
    expect(await device.of('a')).to.equal(numbers);
    receipts.isAway = false;
    expect((await device.of('a')).upTo).to.equal(5);
  });

  it('are noted once, and again after a failure', async () => {
    const { device, receipts } = begin();
    const numbers = await device.of('b');
    expect(await device.keep('b', numbers)).to.equal(true);
    numbers.take([1, 2], []);
    receipts.isAway = true;
    expect(await device.keep('b', numbers)).to.equal(false);
    receipts.isAway = false;
    expect(await device.keep('b', numbers)).to.equal(true);
    expect(await device.keep('b', numbers)).to.equal(true);
    expect(receipts.notes).to.deep.equal(['door b 2']);
  });

  it('count as noted without a store for them', async () => {
    const device = new DeviceNumbers('door', undefined);
    const numbers = await device.of('a');
    numbers.take([1], []);
    expect(await device.keep('a', numbers)).to.equal(true);
  });
});

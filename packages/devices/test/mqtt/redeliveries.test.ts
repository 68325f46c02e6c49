import { expect } from 'chai';
import { Redeliveries, type Delivery } from '../../src/mqtt/redeliveries.js';

const done = Promise.resolve();

function delivery(more: Partial<Delivery> = {}): Delivery {
  return { packetId: 7, isRepeated: true, topic: 'door', payload: Buffer.from('04A2B3C4D5'), ...more };
}

describe('Redeliveries', () => {
  let redeliveries: Redeliveries;

  beforeEach(() => {
    redeliveries = new Redeliveries();
    redeliveries.connected(0);
    redeliveries.note(delivery({ isRepeated: false }), done, 0);
  });

  it('recognises a message that is sent again after the connection was lost', () => {
    redeliveries.lost(10);
    redeliveries.connected(20);
    expect(redeliveries.find(delivery(), 20)).to.equal(done);
  });

  it('recognises no message that differs in number, topic or payload, or is not marked as repeated', () => {
    const others = [
      { isRepeated: false },
      { packetId: 8 },
      { topic: 'gate' },
      { payload: Buffer.from('04A2B3C4D6') },
      { topic: 'door0', payload: Buffer.from('4A2B3C4D5') },
    ];
    for (const other of others) expect(redeliveries.find(delivery(other), 10)).to.equal(undefined);
  });

  it('recognises it for two minutes of connection, after an outage of any length', () => {
    redeliveries.lost(60_000);
    redeliveries.connected(1e9);
    expect(redeliveries.find(delivery(), 1e9 + 60_000)).to.equal(done);
    expect(redeliveries.find(delivery(), 1e9 + 60_001)).to.equal(undefined);
  });

  it('forgets a message when its number is given to another', () => {
    redeliveries.note(delivery({ isRepeated: false, topic: 'gate' }), done, 1);
    expect(redeliveries.find(delivery(), 2)).to.equal(undefined);
  });

  it('forgets a message that could not be handled, but not the next one with that number', async () => {
    const failed = Promise.reject(new Error('not open'));
    redeliveries.note(delivery(), failed, 1);
    await failed.catch(() => undefined);
    expect(redeliveries.find(delivery(), 2)).to.equal(undefined);
    let fail: (error: Error) => void = () => undefined;
    const slow = new Promise<void>((_, reject) => (fail = reject));
    redeliveries.note(delivery(), slow, 3);
    redeliveries.note(delivery(), done, 4);
    fail(new Error('not open'));
    await slow.catch(() => undefined);
    expect(redeliveries.find(delivery(), 5)).to.equal(done);
  });

  it('keeps the latest 1000', () => {
    for (let packetId = 8; packetId < 1_007; packetId++) redeliveries.note(delivery({ packetId }), done, 1);
    expect(redeliveries.find(delivery(), 2)).to.equal(done);
    redeliveries.note(delivery({ packetId: 1_007 }), done, 1);
    expect(redeliveries.find(delivery(), 2)).to.equal(undefined);
    expect(redeliveries.find(delivery({ packetId: 8 }), 2)).to.equal(done);
  });
});

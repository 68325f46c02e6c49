import { ConsumerPositions } from '@tallybook/domain/record';
import { expect } from 'chai';

describe('ConsumerPositions', () => {
  let positions: ConsumerPositions;
  beforeEach(() => (positions = new ConsumerPositions()));

  it('has no position before one is read or noted', () => {
    expect(positions.get('mqtt')).to.equal(undefined);
    expect(positions.unwritten()).to.deep.equal([]);
  });

  it('writes a noted position with the next commit, and once', () => {
    expect(positions.note('mqtt', 7)).to.equal(false);
    expect(positions.unwritten()).to.deep.equal([{ consumer: 'mqtt', cursor: 7 }]);
    positions.settle(positions.unwritten());
    expect(positions.unwritten()).to.deep.equal([]);
    expect(positions.note('mqtt', 7)).to.equal(false);
    expect(positions.unwritten()).to.deep.equal([]);
    expect(positions.get('mqtt')).to.equal(7);
  });

  it('writes a position again if it moves during the write', () => {
    positions.note('mqtt', 7);
    const writing = positions.unwritten();
    positions.note('mqtt', 8);
    positions.settle(writing);
    expect(positions.unwritten()).to.deep.equal([{ consumer: 'mqtt', cursor: 8 }]);
  });

  it('does not write a position that was read, and does not replace a noted one by it', () => {
    positions.learn('mqtt', 7);
    expect(positions.unwritten()).to.deep.equal([]);
    positions.note('mqtt', 9);
    positions.learn('mqtt', 7);
    expect(positions.get('mqtt')).to.equal(9);
  });

  it('asks for a separate commit 256 changes after the written position, and after another 256', () => {
    positions.learn('mqtt', 1_000);
    expect(positions.note('mqtt', 1_255)).to.equal(false);
    expect(positions.note('mqtt', 1_256)).to.equal(true);
    expect(positions.note('mqtt', 1_257)).to.equal(false);
    expect(positions.note('mqtt', 1_512)).to.equal(true);
    positions.settle(positions.unwritten());
    expect(positions.note('mqtt', 1_767)).to.equal(false);
    expect(positions.note('mqtt', 1_768)).to.equal(true);
  });

  it('asks for it also if a position goes back as far', () => {
    positions.learn('mqtt', 1_000);
    expect(positions.note('mqtt', 744)).to.equal(true);
  });

  it('keeps the position of each consumer, until it is cleared', () => {
    positions.note('mqtt', 7);
    positions.note('webhook', 3);
    positions.settle([{ consumer: 'webhook', cursor: 3 }]);
    positions.settle([{ consumer: 'gone', cursor: 1 }]);
    expect(positions.unwritten()).to.deep.equal([{ consumer: 'mqtt', cursor: 7 }]);
    positions.clear();
    expect([positions.get('mqtt'), positions.get('webhook'), positions.get('gone')]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

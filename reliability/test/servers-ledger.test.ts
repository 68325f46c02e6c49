import { expect } from 'chai';
import { ServersLedger, type Shown, type ShownTag } from '../servers/servers-ledger.js';

const ADA = 'A0000001';
const BOB = 'A0000002';

function shown(tags: readonly ShownTag[], more: Partial<Shown> = {}): Shown {
  return { tags, names: new Map(), groups: new Map(), guests: new Set(), journal: [], ...more };
}

describe('ServersLedger', () => {
  it('is content with what was acknowledged, and lets what was not be there or not', () => {
    const ledger = new ServersLedger();
    for (const at of [1, 2, 3]) ledger.sent({ id: ADA, at });
    ledger.answered({ id: ADA, at: 1 }, 'counted');
    ledger.answered({ id: ADA, at: 1 }, 'repeated');
    ledger.answered({ id: ADA, at: 2 }, 'already-counted');
    expect(ledger.judge(shown([{ id: ADA, count: 2, scans: [1, 2] }]))).to.be.empty;
    expect(ledger.judge(shown([{ id: ADA, count: 3, scans: [1, 2, 3] }]))).to.be.empty;
  });

  it('finds a tap that is lost, is of somebody else, was never sent, or counts twice', () => {
    const ledger = new ServersLedger();
    ledger.sent({ id: ADA, at: 1 });
    ledger.answered({ id: ADA, at: 1 }, 'counted');
    expect(ledger.judge(shown([]))).to.have.length(1);
    expect(ledger.judge(shown([{ id: BOB, count: 1, scans: [1] }]))).to.have.length(2);
    expect(ledger.judge(shown([{ id: ADA, count: 2, scans: [1, 2] }]))).to.have.length(1);
    expect(ledger.judge(shown([{ id: ADA, count: 2, scans: [1] }]))).to.have.length(1);
  });

  it('finds who was told something else the second time, and two who were told that they are first', () => {
    const twice = new ServersLedger();
    twice.sent({ id: ADA, at: 1 });
    for (const outcome of ['counted', 'already-counted']) twice.answered({ id: ADA, at: 1 }, outcome);
    expect(twice.judge(shown([{ id: ADA, count: 1, scans: [1] }]))).to.have.length(1);
    const two = new ServersLedger();
    for (const at of [1, 2]) {
      two.sent({ id: ADA, at });
      two.answered({ id: ADA, at }, 'counted');
    }
    expect(two.judge(shown([{ id: ADA, count: 2, scans: [1, 2] }]))).to.have.length(1);
  });

  it('finds a name that is gone, older than acknowledged, or was never sent', () => {
    const ledger = new ServersLedger();
    for (let n = 0; n < 3; n++) ledger.names.next(ADA);
    ledger.names.acknowledge(ADA, 2);
    const withName = (version: number): Shown => shown([], { names: new Map([[ADA, version]]) });
    for (const version of [2, 3]) expect(ledger.judge(withName(version))).to.be.empty;
    for (const version of [1, 4]) expect(ledger.judge(withName(version))).to.have.length(1);
    expect(ledger.judge(shown([]))).to.have.length(1);
  });

  it('finds groups that are gone, older than acknowledged, or were never sent', () => {
    const ledger = new ServersLedger();
    for (let n = 0; n < 3; n++) ledger.groups.next('ada');
    ledger.groups.acknowledge('ada', 2);
    const withGroups = (version: number): Shown => shown([], { groups: new Map([['ada', version]]) });
    for (const version of [2, 3]) expect(ledger.judge(withGroups(version))).to.be.empty;
    for (const version of [1, 4]) expect(ledger.judge(withGroups(version))).to.have.length(1);
    expect(ledger.judge(shown([]))).to.have.length(1);
  });

  it('finds a guest who is gone, and lets one be there who was not acknowledged', () => {
    const ledger = new ServersLedger();
    ledger.guestCame(ledger.guestComes('A0'));
    ledger.guestComes('A0');
    expect(ledger.judge(shown([], { guests: new Set(['A0 1']) }))).to.be.empty;
    expect(ledger.judge(shown([], { guests: new Set(['A0 1', 'A0 2']) }))).to.be.empty;
    expect(ledger.judge(shown([], { guests: new Set(['A0 2']) }))).to.have.length(1);
  });

  it('finds a change that the stream left out, told twice, told in another order, or did not tell at the end', () => {
    const told = (...ids: readonly string[]): readonly string[] => {
      const ledger = new ServersLedger();
      for (const id of ids) ledger.follow(id);
      return ledger.judge(shown([], { journal: ['a', 'b', 'c'] }));
    };
    expect(told('a', 'b', 'c')).to.be.empty;
    for (const wrong of [
      ['a', 'c'],
      ['a', 'a', 'b', 'c'],
      ['b', 'a', 'c'],
      ['a', 'b'],
    ]) {
      expect(told(...wrong), wrong.join()).to.not.be.empty;
    }
  });
});

import { parseTallyId, toDay, toTimestamp, type Change } from '@tallybook/domain';
import { expect } from 'chai';
import { describeChange } from '../../src/publishing/publisher.js';

describe('describeChange', () => {
  const day = toDay(20_411);
  const id = parseTallyId('04A2B3C4D5');
  const told: readonly (readonly [change: Change, data: object])[] = [
    [
      { kind: 'day', day, action: 'removed' },
      { event: 'day-removed', day },
    ],
    [
      { kind: 'day', day, action: 'merged' },
      { event: 'day-merged', day },
    ],
    [
      { kind: 'correction', number: 7, day, id },
      { event: 'day-corrected', day },
    ],
    [{ kind: 'repaired' }, { event: 'repaired', day: null }],
  ];
  for (const [change, data] of told) {
    it(`describes a change of the record without a tag: ${JSON.stringify(data)}`, () => {
      expect(describeChange(change, { id: 'a-1', isLate: false, name: undefined })).to.deep.equal({
        kind: 'record',
        id: 'a-1',
        data,
      });
    });
  }

  it('has place, time and outcome of a scan, and the name if names are published', () => {
    const at = toTimestamp(9);
    const scan = { kind: 'scan', day, id, at, reader: undefined, outcome: 'counted' } as const;
    const name = { first: 'Ada', last: 'Lovelace' };
    expect(describeChange({ ...scan, reader: 'door' }, { id: 'a-1', isLate: true, name })).to.deep.equal({
      kind: 'scan',
      id: 'a-1',
      data: { id, day, at: 9, outcome: 'counted', reader: 'door', name, late: true },
    });
    const filed = { sequence: 1 };
    expect(describeChange({ ...scan, filed }, { id: 'a-2', isLate: false, name: null })).to.deep.equal({
      kind: 'scan',
      id: 'a-2',
      data: { id, day, at: 9, outcome: 'counted', reader: null, filed, name: null, late: false },
    });
  });

  it('has the sequence of a provisional scan, and has it again after the filing', () => {
    const scan = {
      kind: 'provisional',
      sequence: 7,
      id,
      reader: 'door',
      bootId: 'a',
      monotonicMs: 1,
    } as const;
    expect(describeChange(scan, { id: 'a-1', isLate: false, name: undefined })).to.deep.equal({
      kind: 'scan',
      id: 'a-1',
      data: { id, day: null, at: null, outcome: 'provisional', reader: 'door', sequence: 7, late: false },
    });
  });
});

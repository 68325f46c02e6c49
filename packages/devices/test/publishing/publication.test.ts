import { parseTallyId, toDay, type Change } from '@tallybook/domain';
import { expect } from 'chai';
import { describeChange } from '../../src/publishing/publication.js';

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
    it(`tells of a change of the record, and of no tag: ${JSON.stringify(data)}`, () => {
      expect(describeChange(change, { id: 'a-1', isLate: false, name: undefined })).to.deep.equal({
        kind: 'record',
        id: 'a-1',
        data,
      });
    });
  }
});

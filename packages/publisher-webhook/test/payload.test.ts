import { toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { formatPayload } from '../src/payload.js';

describe('The payload of a change of the record', () => {
  const types = {
    'day-removed': 'day.removed',
    'day-merged': 'day.merged',
    'day-corrected': 'day.corrected',
    repaired: 'record.repaired',
  } as const;
  for (const [event, type] of Object.entries(types)) {
    it(`has the type ${type}, the day and the time of the request`, () => {
      const data = { event: event as keyof typeof types, day: toDay(20_411) };
      const payload = formatPayload({ kind: 'record', id: 'a-1', data }, toTimestamp(1_763_700_000));
      expect(JSON.parse(payload)).to.deep.equal({
        type,
        timestamp: '2025-11-21T04:40:00.000Z',
        data: { day: 20_411 },
      });
    });
  }
});

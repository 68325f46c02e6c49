import type { ScanData } from '@tallybook/devices';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { formatPayload } from '../../src/webhook/payload.js';

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

describe('The payload of a scan', () => {
  const id = parseTallyId('04A2B3C4D5');
  const payloadOf = (data: ScanData): unknown =>
    JSON.parse(formatPayload({ kind: 'scan', id: 'a-1', data }, toTimestamp(1_763_700_000)));

  it('has the time of the scan, and all of its published fields', () => {
    const data = {
      id,
      day: toDay(20_411),
      at: toTimestamp(1_763_600_000),
      reader: 'door',
      late: true,
    } as const;
    expect(payloadOf({ ...data, outcome: 'counted' })).to.deep.equal({
      type: 'scan.recorded',
      timestamp: '2025-11-20T00:53:20.000Z',
      data: { ...data, outcome: 'counted' },
    });
  });

  it('has the time of the request while the time of the scan is unknown', () => {
    const data = { id, day: null, at: null, outcome: 'provisional', reader: 'door', late: false } as const;
    expect(payloadOf(data)).to.deep.equal({
      ...{ type: 'scan.provisional', timestamp: '2025-11-21T04:40:00.000Z', data },
    });
  });

  it('has the latest date of JavaScript for a time beyond it', () => {
    const at = toTimestamp(Number.MAX_SAFE_INTEGER);
    expect(
      payloadOf({ id, day: toDay(0), at, outcome: 'counted', reader: null, late: false }),
    ).to.have.property('timestamp', '+275760-09-13T00:00:00.000Z');
  });
});

import { DAY_MAX, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { TODAY, RunningService, useService } from '../../fixtures/running-service.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';

const U64_MAX = '18446744073709551615';
const U32_TOO_LARGE = '4294967296';

describe('GET /api/day', () => {
  const service = useService();

  it('lists the tags of the day, in the order of their first scan and each once', async () => {
    for (const id of [bob, ada, bob]) {
      await service.tap(id);
      service.clock.advance(1_000);
    }
    const { text } = await service.request(`/api/day?day=${TODAY}`);
    expect(text).to.equal(`{"date":${TODAY},"ids":["${bob}","${ada}"]}`);
  });

  it('adds first scan, last scan and number of scans with expand=entries', async () => {
    await service.tap(ada);
    service.clock.advance(60_000);
    await service.tap(ada);
    const { text } = await service.request(`/api/day?day=${TODAY}&expand=entries`);
    expect(text).to.equal(
      `{"date":${TODAY},"ids":["${ada}"],"entries":[{"id":"${ada}","first":1763700000,"last":1763700060,"count":2}]}`,
    );
  });

  it('derives the day from a timestamp', async () => {
    await service.tap(ada);
    const first = TODAY * 86_400;
    for (const timestamp of [first, first + 86_399]) {
      expect((await service.request(`/api/day?timestamp=${timestamp}`)).status).to.equal(200);
    }
    for (const timestamp of [first - 1, first + 86_400]) {
      expect((await service.request(`/api/day?timestamp=${timestamp}`)).status).to.equal(404);
    }
  });

  it('derives the day with the calendar of the record', async () => {
    await using service = await RunningService.start({
      calendar: { zone: 'Europe/Berlin', dayStart: '06:00' },
    });
    await service.tap(ada);
    // 04:40 UTC is 05:40 in Berlin, before the day start, so it is still yesterday there.
    const target = `/api/day?timestamp=${service.clock.now()}`;
    expect(await service.json(target)).to.deep.include({ date: TODAY - 1 });
  });

  it('ignores `day` beside a timestamp, even if it is malformed or given twice', async () => {
    await service.tap(ada);
    const now = service.clock.now();
    for (const day of ['day=0', 'day=abc', 'day=', `day=${U32_TOO_LARGE}`, 'day=1&day=2']) {
      expect((await service.request(`/api/day?${day}&timestamp=${now}`)).status, day).to.equal(200);
    }
  });

  it('answers 404 `Not found` without timestamp and day, and for a day without a record', async () => {
    for (const query of ['', '?', '?expand=entries', '?Day=1', '?day=20411', '?timestamp=0']) {
      const { status, text } = await service.request(`/api/day${query}`);
      expect([status, text], query).to.deep.equal([404, 'Not found']);
    }
  });

  it('accepts the first and the last possible day, by number and by timestamp', async () => {
    await service.days.record(toDay(0), parseTallyId(ada), toTimestamp(0));
    await service.days.record(DAY_MAX, parseTallyId(ada), toTimestamp(Number.MAX_SAFE_INTEGER));
    const first = [`day=0`, 'day=00000', 'timestamp=0', 'timestamp=86399'];
    const last = [
      `day=${DAY_MAX}`,
      `timestamp=${U64_MAX}`,
      `timestamp=000${U64_MAX}`,
      `timestamp=${BigInt(DAY_MAX) * 86_400n}`,
      'timestamp=9007199254740993',
    ];
    for (const query of first) {
      expect((await service.request(`/api/day?${query}`)).text, query).to.match(/^\{"date":0,/);
    }
    for (const query of last) {
      expect((await service.request(`/api/day?${query}`)).text, query).to.match(/^\{"date":4294967295,/);
    }
  });
});

describe('GET /api/days', () => {
  const service = useService();

  const record = async (service: RunningService, ...days: number[]): Promise<void> => {
    for (const day of days) {
      await service.days.record(toDay(day), parseTallyId(ada), toTimestamp(0));
    }
  };

  it('lists the days with a record, ascending, both bounds included', async () => {
    await record(service, 9, 3, 10, 5, 4);
    const { text } = await service.request(`/api/days?from=${4 * 86_400}&to=${9 * 86_400}`);
    expect(text).to.equal('[4,5,9]');
  });

  it('uses the days of the bounds', async () => {
    await record(service, 4, 5);
    expect((await service.request(`/api/days?from=${5 * 86_400 - 1}&to=${5 * 86_400}`)).text).to.equal(
      '[4,5]',
    );
    expect((await service.request(`/api/days?from=${5 * 86_400 + 9}&to=${5 * 86_400}`)).text).to.equal('[5]');
  });

  it('is empty when nothing is recorded, and when from is on a later day than to', async () => {
    expect((await service.request('/api/days?from=0&to=99999999')).text).to.equal('[]');
    await record(service, 4, 5);
    expect((await service.request(`/api/days?from=${5 * 86_400}&to=${4 * 86_400}`)).text).to.equal('[]');
  });

  it('accepts a range from the first to the last possible day', async () => {
    await record(service, 0, DAY_MAX);
    expect((await service.request(`/api/days?from=0&to=${U64_MAX}`)).text).to.equal(`[0,${DAY_MAX}]`);
    expect((await service.request(`/api/days?from=${U64_MAX}&to=${U64_MAX}`)).text).to.equal(`[${DAY_MAX}]`);
  });

  it('ignores unknown parameters', async () => {
    expect((await service.request('/api/days?from=0&to=1&day=x&day=y&__proto__=1')).text).to.equal('[]');
  });
});

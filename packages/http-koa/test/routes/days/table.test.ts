import { toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import { NOW, TODAY, RunningService, useService } from '../../fixtures/running-service.js';
import { ada, bob as nobody } from '../../../../testing/test/fixtures/known-values.js';

const range = `from=${NOW - 86_400}&to=${NOW}`;

async function start(options: Parameters<typeof RunningService.start>[0] = {}): Promise<RunningService> {
  const service = await RunningService.start(options);
  await service.mapping.put(ada, { first: 'Ada', last: 'Lovelace' });
  await service.tap(ada);
  service.clock.advance(60_000);
  await service.tap(ada);
  await service.tap(nobody);
  return service;
}

describe('GET /api/table', () => {
  const service = useService(start);

  it('has the days with a record, and people with their first and last scan', async () => {
    const { text } = await service.request(`/api/table?${range}`);
    expect(text).to.equal(
      `{"days":[${TODAY}],"groups":[],"people":[` +
        `{"person":"tag-${ada}","name":{"first":"Ada","last":"Lovelace"},"number":null,"groups":[],"ids":["${ada}"],"days":{"${TODAY}":{"first":${NOW},"last":${NOW + 60},"scans":2}}},` +
        `{"person":null,"name":null,"number":null,"groups":[],"ids":["${nobody}"],"days":{"${TODAY}":{"first":${NOW + 60},"last":${NOW + 60},"scans":1}}}]}`,
    );
  });

  it('uses the days of the bounds by the calendar', async () => {
    // 04:40 UTC is 05:40 in Berlin, before the day start, so it is still yesterday there.
    await using service = await start({ calendar: { zone: 'Europe/Berlin', dayStart: '06:00' } });
    const daysOf = async (from: number, to: number): Promise<unknown> =>
      (await service.json<{ days: unknown }>(`/api/table?from=${from}&to=${to}`)).days;
    expect(await daysOf(NOW, NOW)).to.deep.equal([TODAY - 1]);
    expect(await daysOf(NOW + 1_200, NOW + 1_200)).to.deep.equal([]);
  });

  it('has all people with a name and no days if from is later than to', async () => {
    expect(await service.json(`/api/table?from=${NOW}&to=0`)).to.deep.equal({
      days: [],
      groups: [],
      people: [
        {
          ...{ person: `tag-${ada}`, name: { first: 'Ada', last: 'Lovelace' }, number: null },
          ...{ groups: [], ids: [ada], days: {} },
        },
      ],
    });
  });

  it('is sent again after a scan and after a name, and not while it has not changed', async () => {
    const ask = async (tag: string): Promise<{ status: number; tag: string }> => {
      const { status, headers } = await service.request(`/api/table?${range}`, {
        headers: { 'If-None-Match': tag },
      });
      return { status, tag: headers.get('etag') ?? '' };
    };
    const first = await ask('"other"');
    expect(first.status).to.equal(200);
    const reads = service.days.reads;
    expect(await ask(first.tag)).to.deep.equal({ ...first, status: 304 });
    expect(service.days.reads, 'it lists the days, and reads none').to.equal(reads + 1);
    service.clock.advance(1_000);
    await service.tap(nobody);
    const second = await ask(first.tag);
    expect(second.status).to.equal(200);
    await service.mapping.put(nobody, { first: 'No', last: 'Body' });
    expect((await ask(second.tag)).status).to.equal(200);
  });

  it('answers HEAD', async () => {
    const { status, headers, text } = await service.request(`/api/table?${range}`, { method: 'HEAD' });
    expect([status, text, headers.has('etag')]).to.deep.equal([200, '', true]);
  });

  it('has the same bytes when it is too large to be kept', async () => {
    const answers: string[] = [];
    for (const maxCachedBytes of [8_388_608, 1_000]) {
      await using service = await start({ maxCachedBytes });
      for (let day = 17_000; day < 20_400; day++) {
        const entries = [ada, nobody].map((id, n) => {
          const at = toTimestamp(day * 86_400 + n);
          return { id, first: at, last: at, count: 1 };
        });
        await service.days.merge(toDay(day), entries);
      }
      const { text, headers } = await service.request(`/api/table?from=${17_000 * 86_400}&to=${NOW}`);
      expect(headers.has('content-length')).to.equal(maxCachedBytes > 1_000);
      answers.push(text);
    }
    expect(answers[0]?.length).to.be.above(400_000);
    expect(answers[1]).to.equal(answers[0]);
    const { days, people } = JSON.parse(answers[1] ?? '') as { days: unknown[]; people: { days: object }[] };
    expect([days.length, ...people.map((person) => Object.keys(person.days).length)]).to.deep.equal([
      3_401, 3_401, 3_401,
    ]);
  });

  it('refuses a range of more than 3,660 days', async () => {
    const refused = async (query: string): Promise<string> => {
      const { status, text } = await service.request(`/api/table?${query}`);
      expect(status, query).to.equal(400);
      return text;
    };
    expect(await refused(`from=0&to=${3_660 * 86_400}`)).to.equal(
      'from and to: a range has at most 3660 days; got 3661',
    );
    expect(await refused('from=0&to=18446744073709551615')).to.match(/; got 4294967296$/);
    const { text } = await service.request('/api/table?from=0&to=400000000', {
      headers: { Accept: 'application/json' },
    });
    expect(JSON.parse(text)).to.include({ code: 'RANGE_TOO_LONG', status: 400 });
    expect((await service.request(`/api/table?from=0&to=${3_660 * 86_400 - 1}`)).status).to.equal(200);
    expect(service.reports).to.deep.equal([]);
  });
});

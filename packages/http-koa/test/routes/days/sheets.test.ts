import { text as textOf } from 'node:stream/consumers';
import { parseTallyId, TallybookError, toTimestamp, type AttendanceDay, type Day } from '@tallybook/domain';
import { expect } from 'chai';
import { fillDays } from '../../fixtures/fill-days.js';
import { NOW, RunningService, useService } from '../../fixtures/running-service.js';
import { ada, bob as nobody } from '../../../../testing/test/fixtures/known-values.js';

const range = `from=${NOW}&to=${NOW}`;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function start(options: Parameters<typeof RunningService.start>[0] = {}): Promise<RunningService> {
  const service = await RunningService.start(options);
  await service.mapping.put(ada, { first: '=Ada', last: 'Lovelace' });
  await service.tap(ada);
  service.clock.advance(60_000);
  await service.tap(ada);
  await service.tap(nobody);
  return service;
}

/** A day of a thousand entries; their times and ids do not compress well. */
function large(day: Day): AttendanceDay {
  const entries = Array.from({ length: 1_000 }, (_, n) => {
    const mixed = ((day * 1_000 + n) * 2_654_435_761) % 4_294_967_296;
    const at = toTimestamp(day * 86_400 + (mixed % 86_400));
    const id = parseTallyId(`AB${mixed.toString(16).padStart(8, '0')}`);
    return { id, first: at, last: at, count: (mixed % 1_000) + 1 };
  });
  return { day, entries };
}

/** The query of all these days. */
const whole = `from=0&to=${400 * 86_400}&shape=entries`;

const inBerlin = { calendar: { zone: 'Europe/Berlin' } };

describe('GET /api/csv', () => {
  const service = useService(() => start(inBerlin));

  it('gives people and days as a file for spreadsheets', async () => {
    const { status, headers, text } = await service.request(`/api/csv?${range}`);
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).to.equal(
      'attachment; filename="tallybook-2025-11-21-to-2025-11-21.csv"',
    );
    expect(headers.get('cache-control')).to.equal('no-store');
    // `fetch` takes the byte order mark away.
    expect(text).to.equal(
      '"Last name","First name","Number","Person","Groups","Tags","Days (times: Europe/Berlin)","2025-11-21"\r\n' +
        `"Lovelace","'=Ada",,"tag-${ada}",,"04-A2-B3-C4-D5",1,05:40:00\r\n` +
        ',,,,,"00-06-54-78-86",1,05:41:00\r\n',
    );
  });

  it('gives entries for the shape of entries', async () => {
    const { headers, text } = await service.request(`/api/csv?${range}&shape=entries`);
    expect(headers.get('content-disposition')).to.equal(
      'attachment; filename="tallybook-entries-2025-11-21-to-2025-11-21.csv"',
    );
    expect(text).to.equal(
      '"Date","Last name","First name","Number","Person","Groups","Tag","First scan (Europe/Berlin)","Last scan (Europe/Berlin)","Scans","Corrected"\r\n' +
        `2025-11-21,"Lovelace","'=Ada",,"tag-${ada}",,"04-A2-B3-C4-D5",05:40:00,05:41:00,2,\r\n` +
        '2025-11-21,,,,,,"00-06-54-78-86",05:41:00,05:41:00,1,\r\n',
    );
  });

  it('gives bare text to programs', async () => {
    const { text } = await service.request(`/api/csv?${range}&shape=entries&profile=data&lang=de`);
    expect(text.split('\r\n').slice(0, 2)).to.deep.equal([
      '"date","last","first","number","person","groups","id","first_scan","last_scan","scans","corrected"',
      `2025-11-21,"Lovelace","=Ada",,"tag-${ada}",,"${ada}",2025-11-21T05:40:00+01:00,2025-11-21T05:41:00+01:00,2,`,
    ]);
  });

  it('writes times in the requested zone, and days unchanged', async () => {
    const { text } = await service.request(`/api/csv?${range}&shape=entries&zone=America/New_York`);
    expect(text.split('\r\n')[1]).to.contain('2025-11-21,"Lovelace"').and.contain(',2025-11-20 23:40:00,');
  });

  const beginningOf = async (
    query: string,
    headers: Record<string, string> = {},
  ): Promise<readonly [hasMark: boolean, delimiter: string, title: string]> => {
    const response = await fetch(`${service.url}/api/csv?${range}${query}`, { headers });
    const text = Buffer.from(await response.arrayBuffer()).toString();
    const [, mark = '', title = '', delimiter = ''] = /^(\uFEFF?)"(.*?)"(.)/.exec(text) ?? [];
    return [mark !== '', delimiter, title];
  };

  it('has the requested language, delimiter and byte order mark', async () => {
    const german = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' };
    expect(await beginningOf('')).to.deep.equal([true, ',', 'Last name']);
    expect(await beginningOf('', german)).to.deep.equal([true, ';', 'Nachname']);
    expect(await beginningOf('&lang=en', german)).to.deep.equal([true, ',', 'Last name']);
    expect(await beginningOf('&lang=de')).to.deep.equal([true, ';', 'Nachname']);
    expect(await beginningOf('&lang=de&delimiter=tab&bom=no')).to.deep.equal([false, '\t', 'Nachname']);
    expect(await beginningOf('&delimiter=semicolon')).to.deep.equal([true, ';', 'Last name']);
    expect(await beginningOf('&profile=data', german)).to.deep.equal([false, ',', 'last']);
    expect(await beginningOf('&profile=data&bom=yes&delimiter=semicolon')).to.deep.equal([true, ';', 'last']);
  });

  it('is English with the delimiter of another language that has no translation', async () => {
    for (const [accepted, delimiter] of [
      ['fr', ';'],
      ['*', ','],
      ['ja', ','],
      ['not a tag', ','],
      // Longer than any language tag, so the server does not parse it.
      [`fr-x${'-a'.repeat(60)}`, ','],
    ] as const) {
      const beginning = await beginningOf('', { 'Accept-Language': accepted });
      expect(beginning, accepted).to.deep.equal([true, delimiter, 'Last name']);
    }
  });

  it('has a Vary header for the headers that it uses', async () => {
    const { headers } = await service.request(`/api/csv?${range}`);
    expect(headers.get('vary')).to.equal('Accept-Language');
    expect((await service.request(`/api/csv?${range}&lang=de`)).headers.has('vary')).to.equal(false);
  });
});

describe('GET /api/xlsx', () => {
  it('gives a workbook', async () => {
    await using service = await start();
    for (const [shape, name] of [
      ['table', 'tallybook'],
      ['entries', 'tallybook-entries'],
    ] as const) {
      const response = await fetch(`${service.url}/api/xlsx?${range}&shape=${shape}&lang=de`);
      expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, XLSX]);
      expect(response.headers.get('content-disposition')).to.equal(
        `attachment; filename="${name}-2025-11-21-to-2025-11-21.xlsx"`,
      );
      const bytes = Buffer.from(await response.arrayBuffer());
      // A ZIP begins with these bytes. The tests of the writer check its contents.
      expect(bytes.subarray(0, 4).toString('latin1')).to.equal('PK\u0003\u0004');
      expect(bytes.includes('xl/worksheets/sheet1.xml')).to.equal(true);
    }
  });
});

for (const path of ['/api/csv', '/api/xlsx']) {
  describe(`A refused parameter of ${path}`, () => {
    it('is a range that is too long', async () => {
      await using service = await start();
      const { status, text, headers } = await service.request(`${path}?from=0&to=${3_660 * 86_400}`);
      expect([status, headers.has('content-disposition')]).to.deep.equal([400, false]);
      expect(text).to.equal('from and to: a range has at most 3660 days; got 3661');
      expect((await service.request(`${path}?from=0`, { method: 'HEAD' })).status).to.equal(400);
    });

    it('is an unknown time zone', async () => {
      await using service = await start();
      for (const zone of ['', 'Mars/Olympus', 'Europe/Berlin%00', '%ff']) {
        const { status, text } = await service.request(`${path}?${range}&zone=${zone}`);
        expect(status, zone).to.equal(400);
        expect(text).to.match(/^zone: must be an IANA time zone such as UTC or Europe\/Berlin; got "/);
      }
      expect(service.reports).to.deep.equal([]);
    });
  });

  describe(`Exports at ${path}`, () => {
    it('share their limit with backups, and one too many gets 503', async () => {
      await using service = await start({ maxExports: 1 });
      fillDays(service, large);
      const response = await service.begin(`${path}?${whole}`);
      for (const other of [`${path}?${range}`, '/api/export']) {
        const { status, headers, text } = await service.request(other);
        expect([status, headers.get('retry-after')]).to.deep.equal([503, '10']);
        expect(text).to.match(/^all 1 exports/);
      }
      expect((await service.request(`${path}?${range}`, { method: 'HEAD' })).status).to.equal(200);
      response.destroy();
      service.days.list = () => Promise.resolve([]);
      while ((await service.request(`${path}?${range}`)).status === 503) await new Promise(setImmediate);
      expect(service.reports).to.deep.equal([]);
    });

    it('are cut when the store fails in the middle, which is reported', async () => {
      await using service = await start();
      fillDays(service, large);
      service.days.load = (day) =>
        day < 10
          ? Promise.resolve(large(day))
          : Promise.reject(new TallybookError('STORE_READ_FAILED', 'the card is gone'));
      const response = await service.begin(`${path}?${whole}`);
      const failure: unknown = await textOf(response).catch((error: unknown) => error);
      expect(failure).to.have.property('code', 'ECONNRESET');
      expect(service.reports).to.have.length(1);
    });

    it('are a 500 when the store cannot be read at all, which is reported', async () => {
      await using service = await start();
      service.mapping.failure = new TallybookError('STORE_READ_FAILED', 'the card is gone');
      const { status, headers, text } = await service.request(`${path}?${range}`);
      expect([status, text]).to.deep.equal([500, 'Internal server error']);
      expect(headers.has('content-disposition')).to.equal(false);
      expect(service.reports).to.have.length(1);
    });
  });
}

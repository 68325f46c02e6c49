import assert from 'node:assert/strict';
import { migratePostgres, PostgresStorage, type SiteCalendar } from '@tallybook/store-postgres';
import { usePostgres } from '../fixtures/postgres.js';
import { facetOf } from '@tallybook/testing';
import { rejection } from '../../../testing/test/fixtures/rejection.js';

const berlin: SiteCalendar = { zone: 'Europe/Berlin', dayStart: '04:00' };
const utc: SiteCalendar = { zone: 'UTC', dayStart: '00:00' };

describe('The calendar of a site', () => {
  const postgres = usePostgres();

  async function open(url: string, calendar?: SiteCalendar): Promise<void> {
    const store = facetOf(new PostgresStorage(url, calendar && { calendar }), 'mapping');
    await store.open();
    await store.close();
  }

  const refusalOf = async (url: string, calendar: SiteCalendar): Promise<string> =>
    (await rejection(open(url, calendar), 'STORE_UNAVAILABLE')).message;

  it('is that of the first server, and one with another is told both ways out', async () => {
    const url = postgres.current.site();
    await open(url);
    await open(url, berlin);
    await open(url, berlin);
    const message = await refusalOf(url, utc);
    assert.match(
      message,
      /use --zone Europe\/Berlin --day-start 04:00; or, .* "tallybook migrate --store URL --zone UTC --day-start 00:00"$/,
    );
    await refusalOf(url, { ...berlin, dayStart: '00:00' });
    await refusalOf(url, { ...berlin, zone: 'Europe/London' });
    // Commands that record nothing do not care.
    await open(url);
  });

  it('is the same by another name of the zone', async () => {
    const url = postgres.current.site();
    await open(url, utc);
    for (const zone of ['Etc/UTC', 'utc', 'Zulu']) await open(url, { ...utc, zone });
  });

  it('is changed for a site that is there, and for that alone', async () => {
    const [url, other] = [postgres.current.site(), postgres.current.site()];
    await open(url, utc);
    await open(other, utc);
    await migratePostgres(url, { calendar: berlin });
    await open(url, berlin);
    await refusalOf(url, utc);
    await open(other, utc);
    await assert.rejects(migratePostgres(postgres.current.site(), { calendar: berlin }), /has no such site/);
  });

  it('is one, also if servers with two of them start at the same time', async () => {
    const url = postgres.current.site();
    await open(url);
    const outcomes = await Promise.allSettled([berlin, utc, berlin, utc].map((each) => open(url, each)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2);
  });
});

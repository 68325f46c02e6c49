import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { openAll, toTimestamp } from '@tallybook/domain';
import { migratePostgres } from '@tallybook/store-postgres';
import type pg from 'pg';
import { refusal, useOwnServer } from '../fixtures/postgres.js';
import { prepareSession } from '../../src/connection/prepare-session.js';
import { facetOf } from '@tallybook/testing';
import { InnerStorage } from '../fixtures/inner-storage.js';
import { sql } from '../fixtures/sql.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { ada, day } from '../../../testing/test/fixtures/known-values.js';

/** Settings that an administrator may have made for other programs. */
const OTHERS = {
  default_transaction_isolation: 'serializable',
  statement_timeout: '7s',
  idle_in_transaction_session_timeout: '1s',
  lock_timeout: '1ms',
  search_path: 'elsewhere, tallybook, pg_catalog',
  DateStyle: 'German, DMY',
  TimeZone: 'Pacific/Apia',
  standard_conforming_strings: 'off',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '0',
};

describe('The settings of a PostgreSQL', () => {
  const server = useOwnServer();
  let sites = 0;

  afterEach(async () => {
    await sql(server.url, 'ALTER ROLE tallybook RESET ALL');
  });

  async function within<T>(work: (database: InnerStorage) => Promise<T>): Promise<T> {
    const database = new InnerStorage(`${server.url}?site=s${sites++}`);
    await database.open();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  const settingOf = (name: string): Promise<unknown> =>
    within(async (database) => {
      const row = await database.inner.write(async (transaction) => {
        const [found] = await transaction.rows<{ value: string }>(
          "SELECT current_setting($2) AS value WHERE $1 <> ''",
          name,
        );
        return found;
      });
      return row?.value;
    });

  for (const given of ['off', 'local']) {
    it(`makes a commit durable before it is answered, although synchronous_commit is ${given} for the role`, async () => {
      await sql(server.url, `ALTER ROLE tallybook SET synchronous_commit = ${given}`);
      assert.equal(await settingOf('synchronous_commit'), 'on');
    });
  }

  for (const given of ['remote_write', 'on', 'remote_apply']) {
    it(`leaves synchronous_commit = ${given}, which was chosen for standbys`, async () => {
      await sql(server.url, `ALTER ROLE tallybook SET synchronous_commit = ${given}`);
      assert.equal(await settingOf('synchronous_commit'), given);
    });
  }

  it('does not affect stored data, with all settings for other programs', async () => {
    for (const [name, value] of Object.entries(OTHERS))
      await sql(server.url, `ALTER ROLE tallybook SET ${name} = ${quoted(name, value)}`);
    const name = { first: "O'Brien \\ ', E'", last: 'Ünïcödé \u{1F600}' };
    await within(async (database) => {
      const [days, names] = [facetOf(database, 'days'), facetOf(database, 'mapping')];
      const opened = await openAll([days, names]);
      await Promise.all(
        Array.from({ length: 40 }, (_, second) => days.record(day, ada, toTimestamp(1_763_500_000 + second))),
      );
      await names.put(ada, name);
      assert.deepEqual(await names.get(ada), name);
      assert.equal((await days.scans(day, ada)).length, 40);
      await using snapshot = await facetOf(database, 'snapshots').take();
      const seen: unknown[] = [];
      for await (const record of snapshot.days()) seen.push(record.day);
      assert.deepEqual(seen, [day]);
      await opened.close();
    });
    assert.equal(await settingOf('transaction_isolation'), 'read committed');
    assert.equal(await settingOf('statement_timeout'), '0');
    assert.equal(await settingOf('lock_timeout'), '20s');
  });

  it('is reported when a power cut could damage the database, and when that is over', async () => {
    const told: (readonly string[])[] = [];
    const database = new InnerStorage(server.url, { onUnsafe: (settings) => told.push(settings) });
    await database.open();
    await database.close();
    await sql(
      server.url,
      'ALTER SYSTEM SET fsync = on',
      'ALTER SYSTEM SET full_page_writes = on',
      'SELECT pg_reload_conf()',
    );
    await untilOn('fsync');
    await database.open();
    await database.close();
    assert.deepEqual(told, [['fsync', 'full_page_writes'], []]);
  });

  /** A new setting takes a moment to come to a new session. */
  async function untilOn(name: string): Promise<void> {
    for (;;) {
      const [row] = (await sql(server.url, `SELECT current_setting('${name}') AS value`)) as {
        value: string;
      }[];
      if (row?.value === 'on') return;
      await pause(5);
    }
  }

  it('is named if it prevents writes', async () => {
    await sql(server.url, 'ALTER ROLE tallybook SET default_transaction_read_only = on');
    const error = await refusal(server.url, 'STORE_UNAVAILABLE');
    assert.match(error.message, /does not accept writes: default_transaction_read_only is on/);
    const reset = 'ALTER ROLE tallybook RESET default_transaction_read_only';
    await sql(server.url, 'SET default_transaction_read_only = off', reset);
  });

  it('is refused if the database cannot store every character of a name', async () => {
    await sql(
      server.url,
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    const url = server.url.replace(/postgres$/, 'latin');
    const error = await refusal(url, 'STORE_UNAVAILABLE');
    assert.match(error.message, /encoding LATIN1.*ENCODING 'UTF8'/);
    await assert.rejects(migratePostgres(url), /encoding LATIN1/);
  });

  it('is refused with a clear message if the server is too old', async () => {
    const rows = [
      {
        readOnly: 'off',
        encoding: 'UTF8',
        fsync: 'on',
        full_page_writes: 'on',
        versionNumber: '120022',
        version: '12.22',
      },
    ];
    const client = { query: () => Promise.resolve({ rows }) } as unknown as pg.PoolClient;
    const error = await rejection(prepareSession(client, { idleInTransactionMs: 0 }), 'STORE_UNAVAILABLE');
    assert.equal(error.message, 'the server is PostgreSQL 12.22; version 13 or later is needed');
  });

  it('stores every name in a database without an encoding', async () => {
    await sql(
      server.url,
      "CREATE DATABASE bytes TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    const url = server.url.replace(/postgres$/, 'bytes');
    await migratePostgres(url);
    const names = facetOf(new InnerStorage(url), 'mapping');
    await names.open();
    const name = { first: 'Zoë', last: '\u{1F600}' };
    await names.put(ada, name);
    assert.deepEqual(await names.get(ada), name);
    await names.close();
  });

  it('does not forget the writers of others because the clock of a server runs ahead', async () => {
    const url = `${server.url}?site=ahead`;
    const days = facetOf(new InnerStorage(url), 'days');
    await days.open();
    await days.record(day, ada, toTimestamp(1_763_500_000));
    const nextYear = Math.floor(Date.now() / 1_000) + 366 * 86_400;
    const ahead = facetOf(new InnerStorage(url, { clock: { now: () => toTimestamp(nextYear) } }), 'days');
    await ahead.open();
    await ahead.record(day, ada, toTimestamp(1_763_500_001));
    await ahead.close();
    await ahead.open();
    const writers = await sql(server.url, "SELECT writer FROM tallybook.writer WHERE site = 'ahead'");
    assert.equal(writers.length, 2);
    await ahead.close();
    await days.close();
  });

  it('forgets writers after 30 days, and not before', async () => {
    const days = facetOf(new InnerStorage(`${server.url}?site=old`), 'days');
    await days.open();
    await days.record(day, ada, toTimestamp(1_763_500_000));
    await days.close();
    const countAfter = async (ageDays: number): Promise<number> => {
      await sql(
        server.url,
        `UPDATE tallybook.writer SET written_at = extract(epoch FROM now())::bigint - ${ageDays * 86_400} WHERE site = 'old'`,
      );
      await days.open();
      await days.close();
      return (await sql(server.url, "SELECT writer FROM tallybook.writer WHERE site = 'old'")).length;
    };
    assert.equal(await countAfter(29), 1);
    assert.equal(await countAfter(31), 0);
  });
});

/** A list is no text. */
function quoted(name: string, value: string): string {
  return name === 'search_path' || name === 'DateStyle' ? value : `'${value}'`;
}

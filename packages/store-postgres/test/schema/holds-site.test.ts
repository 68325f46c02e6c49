import assert from 'node:assert/strict';
import { isTallybookError } from '@tallybook/domain';
import { holdsPostgresSite, PostgresStorage } from '@tallybook/store-postgres';
import { migrations } from '../../src/schema/migrations.js';
import { readFormat, requireFormat } from '../../src/schema/format.js';
import { usePostgres } from '../fixtures/postgres.js';
import { facetOf } from '@tallybook/testing';
import { has } from '../fixtures/has.js';
import { sql } from '../fixtures/sql.js';

const latest = migrations.at(-1)?.format ?? 0;

describe('The site of a PostgreSQL', () => {
  const postgres = usePostgres();

  it('is there when a store was opened, which says that it made it, once', async () => {
    const [url, other] = [postgres.current.site(), postgres.current.site()];
    assert.equal(await holdsPostgresSite(url), false);
    // Asking makes none.
    assert.equal(await holdsPostgresSite(url), false);
    let made = 0;
    for (let opening = 1; opening <= 2; opening++) {
      const store = facetOf(new PostgresStorage(url, { onSiteMade: () => made++ }), 'mapping');
      await store.open();
      await store.close();
    }
    assert.equal(made, 1);
    assert.equal(await holdsPostgresSite(url), true);
    assert.equal(await holdsPostgresSite(other), false);
  });

  it('is that of the environment, as far as the URL leaves it out', async () => {
    const url = postgres.current.site();
    const [, password] = /:([^:@/]+)@/.exec(url) ?? [];
    // Nothing is left out then.
    if (password === undefined) return;
    const environment = { PGPASSWORD: decodeURIComponent(password) };
    assert.equal(await holdsPostgresSite(url.replace(`:${password}@`, '@'), { environment }), false);
  });

  it('cannot be looked for without tables, without a database, and by another URL', async () => {
    const name = `bare${process.pid}`;
    await sql(postgres.current.url, `CREATE DATABASE ${name}`);
    const bare = postgres.current.url.replace(/(?<=[^/]\/)[^/?]+(?=\?|$)/, name);
    await assert.rejects(holdsPostgresSite(bare), has('STORE_UNAVAILABLE'));
    await assert.rejects(holdsPostgresSite(bare.replace(name, 'nothing')), has('STORE_UNAVAILABLE'));
    await assert.rejects(holdsPostgresSite('mysql://db'), has('INVALID_OPTION'));
    // No connection to it is left, or this would be refused.
    await sql(postgres.current.url, `DROP DATABASE ${name}`);
  });
});

describe('The format of a PostgreSQL', () => {
  it('is none where there is no table, or no schema, and is not known after another error', async () => {
    const readingWith = (code: string): Promise<unknown> =>
      readFormat({
        query: () => Promise.reject(Object.assign(new Error('no'), { code, severity: 'ERROR' })),
      });
    assert.equal(await readingWith('42P01'), undefined);
    assert.equal(await readingWith('3F000'), undefined);
    await assert.rejects(readingWith('42501'), { code: '42501' });
  });

  it('is taken if it is this one, or a newer one that is compatible', () => {
    requireFormat({ format: latest, compatible: latest }, 'db');
    requireFormat({ format: latest + 7, compatible: latest }, 'db');
    requireFormat({ format: latest + 7, compatible: 1 }, 'db');
  });

  it('is refused if it is older, or newer and not compatible, in words that say what to do', () => {
    for (const [found, words] of [
      [{ format: latest - 1, compatible: 1 }, /has format 0, an older format; run "tallybook migrate/],
      [{ format: latest + 1, compatible: latest + 1 }, /has format 2, a newer format; use a newer version/],
    ] as const) {
      assert.throws(
        () => requireFormat(found, 'db'),
        (error) => {
          assert.ok(isTallybookError(error, 'STORE_FORMAT_UNSUPPORTED'));
          assert.deepEqual(error.details, { format: found.format, supported: latest });
          assert.match(error.message, words);
          return true;
        },
      );
    }
  });
});

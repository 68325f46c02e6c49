import assert from 'node:assert/strict';
import { migratePostgres, PostgresStorage } from '@tallybook/store-postgres';
import { migrations, type Migration } from '../../src/schema/migrations.js';
import { useOwnServer } from '../fixtures/postgres.js';
import { has } from '../fixtures/has.js';
import { sql } from '../fixtures/sql.js';
import { ada } from '../../../testing/test/fixtures/known-values.js';

const known = [...migrations];

/** Two made-up formats after the latest one. */
const first: Migration = {
  format: known.length + 1,
  compatible: known.length,
  statements: [
    'ALTER TABLE tallybook.name ADD COLUMN IF NOT EXISTS middle text',
    'CREATE TABLE IF NOT EXISTS tallybook.made_up (site text PRIMARY KEY)',
    "INSERT INTO tallybook.made_up (site) VALUES ('hall') ON CONFLICT (site) DO NOTHING",
  ],
};
const second: Migration = {
  format: known.length + 2,
  compatible: known.length + 1,
  statements: ['ALTER TABLE tallybook.made_up ADD COLUMN IF NOT EXISTS size bigint NOT NULL DEFAULT 7'],
};

/** Makes this program one of the last of these migrations. */
function becomeVersion(...added: readonly Migration[]): void {
  (migrations as Migration[]).splice(0, migrations.length, ...known, ...added);
}

describe('A migration of PostgreSQL', () => {
  const server = useOwnServer(() => undefined);
  let databases = 0;
  let url = '';

  beforeEach(async () => {
    const name = `d${databases++}`;
    await sql(server.url, `CREATE DATABASE ${name}`);
    url = server.url.replace(/postgres$/, name);
    await migratePostgres(url);
  });

  afterEach(() => becomeVersion());

  const open = async (): Promise<PostgresStorage> => {
    const storage = new PostgresStorage(url);
    await storage.open();
    return storage;
  };

  it('runs beside a server of the version before, which goes on and can start again', async () => {
    const running = await open();
    becomeVersion(first);
    assert.deepEqual(await migratePostgres(url), { from: known.length, to: known.length + 1 });
    becomeVersion();
    await running.mapping.put(ada, { first: 'Ada', last: '' });
    await running.close();
    const again = await open();
    assert.equal((await again.mapping.read()).size, 1);
    await again.close();
    becomeVersion(first);
    const updated = await open();
    assert.equal((await updated.mapping.read()).size, 1);
    await updated.close();
  });

  it('brings several formats at once, and then excludes servers that do not know the tables', async () => {
    becomeVersion(first, second);
    assert.deepEqual(await migratePostgres(url), { from: known.length, to: known.length + 2 });
    assert.deepEqual(await sql(url, 'SELECT size FROM tallybook.made_up'), [{ size: '7' }]);
    becomeVersion(first);
    await (await open()).close();
    becomeVersion();
    await assert.rejects(open(), has('STORE_FORMAT_UNSUPPORTED'));
    await assert.rejects(migratePostgres(url), has('STORE_FORMAT_UNSUPPORTED'));
  });

  it('is finished by the next call, if it was interrupted before any statement', async () => {
    for (let done = 0; done <= first.statements.length; done++) {
      becomeVersion({
        ...first,
        statements: [...first.statements.slice(0, done), 'SELECT interrupted_here()'],
      });
      await assert.rejects(migratePostgres(url));
      assert.deepEqual(await sql(url, 'SELECT format FROM tallybook.format'), [
        { format: String(known.length) },
      ]);
      becomeVersion();
      await (await open()).close();
    }
    becomeVersion(first);
    await assert.rejects(open(), /run "tallybook migrate/);
    assert.deepEqual(await migratePostgres(url), { from: known.length, to: known.length + 1 });
    assert.deepEqual(await sql(url, 'SELECT site FROM tallybook.made_up'), [{ site: 'hall' }]);
    await (await open()).close();
  });
});

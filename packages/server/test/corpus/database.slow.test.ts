import { expect } from 'chai';
import { createStorage } from '../../src/config/stores.js';
import { usePostgres } from '../../../store-postgres/test/fixtures/postgres.js';
import { sql } from '../../../store-postgres/test/fixtures/sql.js';
import { failureOf } from '../fixtures/failure-of.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { contentsOf } from './contents.js';
import { asOfThen, corpora, linesIn, rowsIn } from './corpora.js';

for (const version of corpora) {
  describe(`The database of ${version}`, () => {
    const postgres = usePostgres();
    const name = `corpus_${process.pid}_${version.replaceAll('.', '_')}`;
    let url: string;

    before(async () => {
      await sql(postgres.current.url, `CREATE DATABASE ${name}`);
      url = postgres.current.url.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
      await sql(url, linesIn(version, 'database.sql').join('\n'));
    });

    const site = (): string => `${url}${url.includes('?') ? '&' : '?'}site=corpus`;

    it('has every row, and the journal', async () => {
      await withStores(createStorage(site(), asOfThen), async (stores) => {
        expect(await contentsOf(stores)).to.deep.equal(rowsIn(version, 'database.jsonl'));
      });
    });

    it('is refused in words if it has a later format', async () => {
      await sql(url, 'UPDATE tallybook.format SET format = 2, compatible = 2');
      const opening = withStores(createStorage(site()), () => Promise.resolve());
      expect(await failureOf(opening, 'STORE_FORMAT_UNSUPPORTED')).to.match(/format 2, a newer format/);
      await sql(url, 'UPDATE tallybook.format SET format = 1, compatible = 1');
    });
  });
}

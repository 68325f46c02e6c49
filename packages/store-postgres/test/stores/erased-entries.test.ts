import { expect } from 'chai';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { ada, bob, day, at } from '../../../testing/test/fixtures/known-values.js';

describe('Scans of an erased tag in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  let database: InnerStorage;
  let days: InnerStorage['days'];
  let erasures: InnerStorage['erasures'];

  beforeEach(async () => {
    database = await storageOf(postgres.current.site());
    ({ days, erasures } = database);
  });

  /** Takes over an erasure of another place, which ends later than the one here: scans after it stay. */
  async function takeOver(until: number): Promise<void> {
    const [erasure] = await erasures.list();
    if (erasure === undefined) throw new Error('nobody was erased');
    await erasures.add([{ ...erasure, until: at(until) }], at(500));
  }

  it('go up to the erasure, whatever the order was in which they came', async () => {
    await erasures.erase({ ids: [ada], until: at(-50), expiresAt: at(1_000) });
    for (const second of [0, 100, 70, 20, 60, 40, 80]) await days.record(day, ada, at(second));
    await days.record(day, bob, at(10));
    // Without its indexes the database gives them in the order of recording.
    const settings = ['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'];
    const statement = `SELECT set_config(name, 'off', false) FROM unnest($2::text[]) AS t (name) WHERE $1 <> ''`;
    await database.inner.write((transaction) => transaction.write(statement, settings));
    await takeOver(40);
    expect(await days.scans(day, ada)).to.deep.equal([60, 70, 80, 100].map(at));
    const record = await days.load(day);
    expect(record?.entries).to.deep.equal([
      { id: bob, first: at(10), last: at(10), count: 1 },
      { id: ada, first: at(60), last: at(100), count: 4 },
    ]);
  });

  it('do not change a day on which none of them goes', async () => {
    await erasures.erase({ ids: [ada], until: at(-50), expiresAt: at(1_000) });
    await days.record(day, ada, at(0));
    await days.record(day, ada, at(10));
    const before = await days.dayRevision(day);
    await takeOver(-1);
    expect(await days.dayRevision(day)).to.equal(before);
    await takeOver(0);
    expect(await days.dayRevision(day)).to.not.equal(before);
  });

  it('are refused up to the later one of two erasures, also while the earlier one is made anew', async () => {
    await erasures.erase({ ids: [ada], until: at(50), expiresAt: at(1_000) });
    const erasing = erasures.erase({ ids: [ada], until: at(20), expiresAt: at(1_000) });
    const during = erasures.isRefused(ada, at(50));
    await erasing;
    expect(during).to.equal(true);
    expect(erasures.of(ada).map((erasure) => erasure.until)).to.deep.equal([at(50)]);
  });

  it('are traced, all of them, as the changes of the journal are', async () => {
    const count = 1_001;
    await database.inner.write(async (transaction) => {
      const key = [Buffer.from(ada, 'hex'), count];
      await transaction.write(
        `INSERT INTO tallybook.entry (site, day, id, first_at, last_at, scans, place)
          SELECT $1, n, $2, n * 86400, n * 86400, 1, 1 FROM generate_series(1, $3::bigint) AS n`,
        ...key,
      );
      await transaction.write(
        `INSERT INTO tallybook.change (site, seq, written_at, kind, day, id, body)
          SELECT $1, n, 0, 'scan', n, $2, '{}' FROM generate_series(10001, 10000 + $3::bigint) AS n`,
        ...key,
      );
    });
    const kinds: string[] = [];
    for await (const { kind } of erasures.trace(ada)) kinds.push(kind);
    expect(kinds.filter((kind) => kind === 'entry')).to.have.length(count);
    expect(kinds.filter((kind) => kind === 'change')).to.have.length(count);
  });
});

import assert from 'node:assert/strict';
import { carriedKeyOf, isTallybookError, mergePeople, plainCarried, toCarried } from '@tallybook/domain';
import type { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres, useStorages } from '../fixtures/postgres.js';
import { sql } from '../fixtures/sql.js';

const row = toCarried({
  ...{
    kind: 'occasion',
    id: '1',
    stamp: [1, 0, 'a'],
    persons: ['00112233445566'],
    tags: [],
    value: { a: 'ß' },
  },
});
const later = toCarried({ ...plainCarried(row), stamp: [2, 0, 'b'], value: null });

describe('Rows of a later version in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();
  let url: string;
  let here: InnerStorage;
  let there: InnerStorage;

  beforeEach(async () => {
    url = postgres.current.site();
    here = await storageOf(url);
    there = await storageOf(url);
  });

  const carry = ({ people }: InnerStorage, ...rows: readonly (typeof row)[]): Promise<void> =>
    mergePeople(
      people,
      rows.map((each) => ({ kind: 'carried', row: each })),
    );

  it('are there at all servers, and each of them tells its followers', async () => {
    const latest = await there.journal.latest();
    await carry(here, row);
    assert.deepEqual(await there.people.carried(undefined, 10), [row]);
    assert.deepEqual(await there.journal.read(latest, 10), {
      isKnown: true,
      entries: [{ cursor: latest + 1, change: { kind: 'carried', row: carriedKeyOf(row) } }],
    });
  });

  it('are the later ones, whichever server writes first', async () => {
    await Promise.all([carry(here, later), carry(there, row)]);
    await carry(there, row);
    assert.deepEqual(await here.people.carried(undefined, 10), [later]);
  });

  it('do not stop a follower if they are changes of an unknown kind', async () => {
    const latest = await here.journal.latest();
    await carry(there, row, toCarried({ ...plainCarried(row), id: '2' }));
    const { site } = Object.fromEntries(new URL(url).searchParams) as { readonly site: string };
    await sql(
      postgres.current.url,
      `UPDATE tallybook.change SET kind = 'occasion-decided', body = '{"by":7}' WHERE site = '${site}' AND seq = ${latest + 1}`,
    );
    assert.deepEqual(await here.journal.read(latest, 10), {
      isKnown: true,
      entries: [
        { cursor: latest + 1, change: { kind: 'carried' } },
        { cursor: latest + 2, change: { kind: 'carried', row: 'occasion 2' } },
      ],
    });
  });

  it('are never read if they are damaged', async () => {
    await carry(here, row);
    const { site } = Object.fromEntries(new URL(url).searchParams) as { readonly site: string };
    for (const body of [
      '{',
      '{}',
      JSON.stringify(plainCarried(toCarried({ ...plainCarried(row), id: '2' }))),
    ]) {
      await sql(postgres.current.url, `UPDATE tallybook.carried SET body = '${body}' WHERE site = '${site}'`);
      for (const reading of [
        () => here.people.carried(undefined, 10),
        () => here.people.read({ carried: [carriedKeyOf(row)] }),
      ])
        await assert.rejects(reading(), (error) => isTallybookError(error, 'STORE_CORRUPT'));
    }
  });
});

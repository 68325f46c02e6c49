import assert from 'node:assert/strict';
import { makeOnce } from '../../src/schema/migrate.js';

describe('A table that somebody else makes at the same time', () => {
  const failure = (code: string): Error => Object.assign(new Error('it failed'), { code, severity: 'ERROR' });

  /** How often the statement was run until it was done, or failed for good. */
  async function runs(
    code: string,
    failures: number,
  ): Promise<{ readonly runs: number; readonly code: string }> {
    let count = 0;
    const query = (): Promise<never[]> =>
      ++count <= failures ? Promise.reject(failure(code)) : Promise.resolve([]);
    const outcome = await makeOnce({ query }, 'CREATE TABLE IF NOT EXISTS a ()').then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    );
    return { runs: count, code: outcome };
  }

  for (const [what, code] of [
    ['a unique index of the catalogue', '23505'],
    ['the schema', '42P06'],
    ['the table', '42P07'],
    ['the type of its rows', '42710'],
    ['a conflict of transactions', '40001'],
  ] as const) {
    it(`is there when it is looked for again, if it was ${what} that was in the way`, async () => {
      assert.deepEqual(await runs(code, 1), { runs: 2, code: 'done' });
      assert.deepEqual(await runs(code, 9), { runs: 5, code });
    });
  }

  it('is not tried again after another error', async () => {
    assert.deepEqual(await runs('42501', 1), { runs: 1, code: '42501' });
  });
});

import assert from 'node:assert/strict';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { usePostgres, useStorages } from '../fixtures/postgres.js';

const id = parseTallyId('04A2B3C4D5');
const day = toDay(20_411);
const at = toTimestamp(1_763_500_000);

const texts = [`'); DROP TABLE tallybook.name; --`, `$1 \\'; DELETE FROM tallybook.day; $$`, `%s" OR ""="`];

describe('Text from outside in a PostgreSQL', () => {
  const postgres = usePostgres();
  const storageOf = useStorages();

  it('is stored unchanged, and never run as SQL', async () => {
    for (const text of texts) {
      const { mapping, days, corrections, receipts } = await storageOf(postgres.current.site());
      await mapping.put(id, { first: text, last: text });
      await days.record(day, id, at);
      await corrections.correct([
        { action: 'void', day, id, at, reason: text, author: text, madeAt: at, state: 'approved' },
      ]);
      await receipts.note(text, text, 7);
      assert.deepEqual(await mapping.get(id), { first: text, last: text });
      assert.equal((await days.load(day))?.entries.length, 1);
      const [correction] = await corrections.list(day, day);
      assert.deepEqual([correction?.reason, correction?.author], [text, text]);
      assert.deepEqual(await receipts.list(), [{ device: text, run: text, number: 7 }]);
    }
  });
});

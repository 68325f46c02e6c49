import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { readRawRows } from '../fixtures/raw-rows.js';
import { openStores } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const page = new URL('../../../../docs/reference/storage-format.md', import.meta.url);
const EXAMPLE_ROW = /^\| `([0-9a-f]+)` +\| (?:`([0-9a-f]+)`|empty) +\|/gm;

describe('docs/reference/storage-format.md', () => {
  const directory = useTempDirectory();

  it('shows the real rows', async () => {
    const clock = { now: () => toTimestamp(1_763_503_601) };
    const stores = await openStores(directory.path, { clock });
    const day = toDay(20_411);
    const ada = parseTallyId('04A2B3C4D5');
    await stores.names.put(ada, { first: 'Ada', last: 'Lovelace' });
    for (const second of [1_763_500_000, 1_763_500_060, 1_763_503_600]) {
      await stores.days.record(day, ada, toTimestamp(second), { reader: 'door' });
    }
    await stores.days.record(day, parseTallyId('010203'), toTimestamp(1_763_500_060));
    await stores.journal.advance('mqtt', 4);
    await stores[Symbol.asyncDispose]();

    const example = (await readFile(page, 'utf8')).matchAll(EXAMPLE_ROW);
    const shown = Array.from(example, ([, key = '', value = '']) => [key, value]);
    // The identity and the key of erasures differ from store to store, and the stamps of names have it as their node.
    const rows = [...(await readRawRows(directory.path))].filter(([key]) => !/^000[15]/.test(key));
    expect(shown).to.deep.equal(rows);
  });
});

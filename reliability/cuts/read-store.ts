import { openAll, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelDatabase, LevelDayStore, LevelMappingStore } from '@tallybook/store-level';
import type { Contents, ShownEntry } from '../ledger/contents.js';

/** A tag that the load does not use. */
const PROBE = parseTallyId('FACE0001');
const PROBE_DAY = toDay(4_000_000_000);
const LAST_DAY = toDay(4_294_967_295);

/** Opens a store and reads everything. Rejects if it does not open or cannot be read. */
export function readStore(path: string): Promise<Contents> {
  return withStores(path, async (names, days) => {
    const mapping = await names.read();
    const shown = new Map<number, readonly ShownEntry[]>();
    for (const day of await days.list(toDay(0), LAST_DAY)) {
      shown.set(day, (await days.load(day))?.entries ?? []);
    }
    return { mapping, days: shown };
  });
}

/** Rejects if a store does not take writes, or does not keep them. */
export async function requireWritable(path: string): Promise<void> {
  await withStores(path, async (names, days) => {
    await names.put(PROBE, { first: 'still', last: 'writes' });
    await days.record(PROBE_DAY, PROBE, toTimestamp(1));
  });
  await withStores(path, async (names, days) => {
    const name = await names.get(PROBE);
    const record = await days.load(PROBE_DAY);
    if (name?.last === 'writes' && record?.entries.length === 1) return;
    throw new Error('what is written to the store after the cut is not kept');
  });
}

async function withStores<T>(
  path: string,
  work: (names: LevelMappingStore, days: LevelDayStore) => Promise<T>,
): Promise<T> {
  const database = new LevelDatabase(path);
  const names = new LevelMappingStore(database);
  const days = new LevelDayStore(database);
  const opened = await openAll([names, days]);
  try {
    return await work(names, days);
  } finally {
    await opened.close();
  }
}

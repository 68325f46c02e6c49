// Opens damaged stores, one after another, and reports each result. As in a service, clients send requests at once.
// If damage ends this process by a signal, the parent starts another one.
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { LevelStorage, type StoreNotice } from '@tallybook/store-level';
import { Level } from 'level';
import { readRecord } from '../cuts/read-store.js';
import type { Contents } from '../ledger/contents.js';

/** A request to open a store. */
export interface OpenRequest {
  readonly path: string;
  /** Whether this process says `open` and waits for another message before it uses the store. */
  readonly isHeldOpen?: boolean;
  /** Lets LevelDB open the store without the check of its files, to prove that this harness finds damage. */
  readonly isBlind?: boolean;
}

/** The result of opening a store. */
export interface OpenAnswer {
  /** The notices of the store. */
  readonly notices: readonly StoreNotice['kind'][];
  /** Its contents; absent if it did not open, or could not be read or written. */
  readonly contents?: Contents;
  readonly refusal?: string;
}

/** A tag and a day that no other data uses. */
const PROBE = parseTallyId('FACE0001');
const PROBE_DAY = toDay(4_000_000_000);
/** Clients that request all data at once. */
const CLIENTS = 3;

process.on('message', (request: OpenRequest | 'go on') => {
  if (request === 'go on') return;
  void answer(request).then((result) => process.send?.(result));
});

async function answer(request: OpenRequest): Promise<OpenAnswer> {
  const notices: StoreNotice['kind'][] = [];
  try {
    if (request.isBlind !== true) {
      const contents = await use(request, (notice) => notices.push(notice.kind));
      await compact(request.path);
      return { notices, contents };
    }
    await compact(request.path);
    return { notices };
  } catch (error) {
    return { notices, refusal: String(error) };
  }
}

/** Opens, reads and writes a store, while all its rows are checked. */
async function use(
  { path, isHeldOpen }: OpenRequest,
  notify: (notice: StoreNotice) => void,
): Promise<Contents> {
  await using storage = new LevelStorage(path, { repairsDamage: true, notify, checkAfterMs: 0 });
  await storage.open();
  if (isHeldOpen === true) {
    const goOn = new Promise((resolve) => process.once('message', resolve));
    process.send?.('open');
    await goOn;
  }
  const [contents] = await Promise.all(Array.from({ length: CLIENTS }, () => read(storage)));
  await storage.mapping.put(PROBE, { first: 'still', last: 'writes' });
  await storage.days.record(PROBE_DAY, PROBE, toTimestamp(1));
  await storage.days.remove(PROBE_DAY);
  await storage.mapping.remove(PROBE);
  if (contents === undefined) throw new Error('nobody asked');
  return contents;
}

async function read(storage: LevelStorage): Promise<Contents> {
  const contents = await readRecord(storage);
  contents.days.delete(PROBE_DAY);
  // A repair may have restored a name that an earlier start wrote and removed again.
  return { ...contents, mapping: new Map([...contents.mapping].filter(([id]) => id !== PROBE)) };
}

interface CompactedLevel {
  compactRange: (start: Buffer, end: Buffer, options: { readonly keyEncoding: 'buffer' }) => Promise<void>;
}

/**
 * Makes LevelDB join all tables, as it does by itself sooner or later. Joining ends the process for other kinds of
 * damage than reading does.
 */
async function compact(path: string): Promise<void> {
  // `Level` has more methods on Node than in its types, which are for all platforms.
  const tables = { compression: false, blockRestartInterval: 1 };
  const level = new Level(path, { createIfMissing: false, ...tables }) as Level & CompactedLevel;
  await level.open();
  try {
    await level.iterator({ keyEncoding: 'buffer', valueEncoding: 'buffer' }).all();
    await level.compactRange(Buffer.alloc(0), Buffer.from([0xff]), { keyEncoding: 'buffer' });
  } finally {
    await level.close();
  }
}

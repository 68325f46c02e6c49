// Opens damaged stores, one after another, and reports each result. As in a service, clients send requests at once.
// If damage ends this process by a signal, the parent starts another one.
import {
  openAll,
  parseTallyId,
  toDay,
  toTimestamp,
  type JournalEntry,
  type MappingStore,
  type DayStore,
  type ProvisionalStore,
  type Journal,
  type Lifecycle,
} from '@tallybook/domain';
import { LevelStorage, type StoreNotice } from '@tallybook/store-level';
import { Level } from 'level';
import type { Contents, ShownEntry, ShownJournal } from '../ledger/contents.js';
import { facetOf } from '@tallybook/testing';

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

const PAGE_ENTRIES = 1_000;
const LAST_DAY = toDay(4_294_967_295);
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
  const database = new LevelStorage(path, { repairsDamage: true, notify, checkAfterMs: 0 });
  const stores = {
    mapping: facetOf(database, 'mapping'),
    days: facetOf(database, 'days'),
    provisional: facetOf(database, 'provisional'),
    journal: facetOf(database, 'journal'),
  };
  const opened = await openAll(Object.values(stores));
  try {
    if (isHeldOpen === true) {
      const goOn = new Promise((resolve) => process.once('message', resolve));
      process.send?.('open');
      await goOn;
    }
    const [contents] = await Promise.all(Array.from({ length: CLIENTS }, () => read(stores)));
    await stores.mapping.put(PROBE, { first: 'still', last: 'writes' });
    await stores.days.record(PROBE_DAY, PROBE, toTimestamp(1));
    await stores.days.remove(PROBE_DAY);
    await stores.mapping.remove(PROBE);
    if (contents === undefined) throw new Error('nobody asked');
    return contents;
  } finally {
    await opened.close();
  }
}

async function read(stores: {
  readonly mapping: MappingStore & Lifecycle;
  readonly days: DayStore & Lifecycle;
  readonly provisional: ProvisionalStore & Lifecycle;
  readonly journal: Journal & Lifecycle;
}): Promise<Contents> {
  const [mapping, waiting, days] = await Promise.all([
    stores.mapping.read(),
    stores.provisional.list(),
    stores.days.list(toDay(0), LAST_DAY),
  ]);
  const shown = new Map<number, readonly ShownEntry[]>();
  for (const day of days) {
    if (day === PROBE_DAY) continue;
    const record = await stores.days.load(day);
    shown.set(day, record?.entries ?? []);
  }
  const provisional = waiting.map(({ sequence, id, shown: seen }) => ({
    sequence,
    id,
    shown: seen,
    isFiling: false,
  }));
  // A repair may have restored a name that an earlier start wrote and removed again.
  const names = new Map([...mapping].filter(([id]) => id !== PROBE));
  return { mapping: names, days: shown, provisional, journal: await readJournal(stores.journal) };
}

/** Reads the journal from its beginning up to the first damage. */
async function readJournal(journal: Journal & Lifecycle): Promise<ShownJournal> {
  const latest = await journal.latest();
  const entries: JournalEntry[] = [];
  for (;;) {
    const page = await journal.read(entries.at(-1)?.cursor ?? 0, PAGE_ENTRIES);
    if (!page.isKnown || page.entries.length === 0) return { after: 0, latest, entries, position: undefined };
    entries.push(...page.entries);
  }
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

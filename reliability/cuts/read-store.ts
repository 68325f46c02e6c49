import {
  AttendanceService,
  Calendar,
  type JournalEntry,
  openAll,
  parseTallyId,
  Timekeeper,
  toDay,
  toTimestamp,
  type Journal,
  type MappingStore,
  type DayStore,
  type ProvisionalStore,
  type Lifecycle,
} from '@tallybook/domain';
import type { CorrectionStore, ErasureStore } from '@tallybook/domain/record';
import type { AccessStore } from '@tallybook/domain/access';
import { SystemSecrets } from '@tallybook/system';
import { LevelStorage } from '@tallybook/store-level';
import { ManualClock, facetOf } from '@tallybook/testing';
import type { Contents, ShownAccess, ShownEntry, ShownJournal } from '../ledger/contents.js';
import { showAccess } from '../service/show-access.js';

/** A tag that the load does not use. */
const PROBE = parseTallyId('FACE0001');
const PROBE_DAY = toDay(4_000_000_000);
/** Later than any scan of the load, in seconds since 1970. */
const LATER = 2_100_000_000;
/** The consumer of the journal that the service under test has. */
const FOLLOWER = 'follower';
const PAGE_ENTRIES = 10_000;
const LAST_DAY = toDay(4_294_967_295);

/**
 * Opens a store and reads all of it. Rejects if it does not open or cannot be read.
 *
 * @param versions Versions that users may have.
 */
export function readStore(
  path: string,
  versions: ReadonlyMap<string, readonly number[]> = new Map(),
): Promise<Contents> {
  return withStores(path, async ({ mapping: names, days, provisional, journal, corrections, access }) => {
    const mapping = await names.read();
    const shown = new Map<number, readonly ShownEntry[]>();
    for (const day of await days.list(toDay(0), LAST_DAY)) {
      shown.set(day, (await days.load(day))?.entries ?? []);
    }
    const waiting = (await provisional.list()).filter(({ filing }) => filing?.isRecorded !== true);
    return {
      mapping,
      days: shown,
      journal: await readJournal(journal),
      corrections: await corrections.list(toDay(0), LAST_DAY),
      access: await readAccess(access, versions),
      provisional: waiting.map(({ sequence, id, shown: seen, filing }) => ({
        sequence,
        id,
        shown: seen,
        isFiling: filing !== undefined,
      })),
    };
  });
}

/** The smallest work factor, as in the service under test: a hash with a smaller one would be computed again. */
const secrets = new SystemSecrets({ workFactor: 10 });
/** Kept, because a store is read often. */
const checked = new Map<string, Promise<boolean>>();

async function readAccess(
  store: AccessStore & Lifecycle,
  versions: ReadonlyMap<string, readonly number[]>,
): Promise<ShownAccess> {
  const { users, credentials } = await store.read();
  return showAccess({ users, credentials }, versions, (name, password) => {
    const hash = users.find((user) => user.name === name)?.password;
    const known = checked.get(`${hash} ${password}`);
    if (known !== undefined) return known;
    const check = secrets.check(password, hash).then(({ matches }) => matches);
    checked.set(`${hash} ${password}`, check);
    return check;
  });
}

async function readJournal(journal: Journal & Lifecycle): Promise<ShownJournal> {
  const latest = await journal.latest();
  const entries: JournalEntry[] = [];
  for (;;) {
    const page = await journal.read(entries.at(-1)?.cursor ?? 0, PAGE_ENTRIES);
    if (!page.isKnown) throw new Error(`the journal cannot be read from its beginning: ${page.reason}`);
    if (page.entries.length === 0)
      return { after: 0, latest, entries, position: await journal.position(FOLLOWER) };
    entries.push(...page.entries);
  }
}

/** Files the provisional scans, as a start with the right time does. Rejects if a scan cannot be filed. */
export async function fileProvisional(path: string): Promise<void> {
  await withStores(path, async (stores) => {
    const waiting = await stores.provisional.list();
    if (waiting.length === 0) return;
    const clock = new ManualClock(0);
    clock.bootId = waiting[0]?.bootId ?? '';
    clock.advance(LATER * 1000);
    const calendar = new Calendar({ zone: 'UTC' });
    const service = new AttendanceService({ ...stores, calendar, timekeeper: new Timekeeper(clock) });
    await new Promise<void>((resolve, reject) => {
      let filed = 0;
      service.events.subscribe((event) => {
        if (event.kind === 'trouble') {
          reject(new Error('what was provisional cannot be filed', { cause: event.error }));
        }
        if (event.kind === 'attendance' && ++filed === waiting.length) resolve();
      });
      service.open().catch(reject);
    });
    await service.close();
  });
}

/** Rejects if a store does not take writes, or does not keep them. */
export async function requireWritable(path: string): Promise<void> {
  const before = await withStores(path, async ({ mapping, days, journal }) => {
    const latest = await journal.latest();
    await mapping.put(PROBE, { first: 'still', last: 'writes' });
    await days.record(PROBE_DAY, PROBE, toTimestamp(1));
    return latest;
  });
  await withStores(path, async ({ mapping, days, journal }) => {
    const name = await mapping.get(PROBE);
    const record = await days.load(PROBE_DAY);
    if (name?.last !== 'writes' || record?.entries.length !== 1) {
      throw new Error('what is written to the store after the cut is not kept');
    }
    const page = await journal.read(before, PAGE_ENTRIES);
    const kinds = page.isKnown ? page.entries.map(({ change }) => change.kind) : [page.reason];
    if (kinds.join() !== 'name,scan') {
      throw new Error(`the journal has ${kinds.join()} of what is written to the store after the cut`);
    }
  });
}

interface Stores {
  readonly mapping: MappingStore & Lifecycle;
  readonly days: DayStore & Lifecycle;
  readonly provisional: ProvisionalStore & Lifecycle;
  readonly corrections: CorrectionStore & Lifecycle;
  readonly erasures: ErasureStore & Lifecycle;
  readonly access: AccessStore & Lifecycle;
  readonly journal: Journal & Lifecycle;
}

async function withStores<T>(path: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  const database = new LevelStorage(path);
  const stores = {
    mapping: facetOf(database, 'mapping'),
    days: facetOf(database, 'days'),
    provisional: facetOf(database, 'provisional'),
    corrections: facetOf(database, 'corrections'),
    erasures: facetOf(database, 'erasures'),
    access: facetOf(database, 'access'),
    journal: facetOf(database, 'journal'),
  };
  const opened = await openAll(Object.values(stores));
  try {
    return await work(stores);
  } finally {
    await opened.close();
  }
}

import { AttendanceService, Calendar, parseTallyId, Timekeeper, toDay, toTimestamp } from '@tallybook/domain';
import type { AccessStore } from '@tallybook/domain/access';
import { SystemSecrets } from '@tallybook/system';
import { LevelStorage } from '@tallybook/store-level';
import { ManualClock } from '@tallybook/testing';
import type { Contents, ShownAccess, ShownEntry } from '../ledger/contents.js';
import { readEntries, readJournal } from '../ledger/read-journal.js';
import { readPeople } from '../ledger/read-people.js';
import { showAccess } from '../service/show-access.js';

/** A tag that the load does not use. */
const PROBE = parseTallyId('FACE0001');
const PROBE_DAY = toDay(4_000_000_000);
/** Later than any scan of the load, in seconds since 1970. */
const LATER = 2_100_000_000;
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
  return withStorage(path, async (storage) => {
    const record = await readRecord(storage);
    const { reason } = record.journal;
    if (reason !== undefined) throw new Error(`the journal cannot be read from its beginning: ${reason}`);
    return {
      ...record,
      corrections: await storage.corrections.list(toDay(0), LAST_DAY),
      access: await readAccess(storage.access, versions),
      people: await readPeople(storage.people),
    };
  });
}

/** Names, days and provisional scans of a store, and its journal as far as it can be read. */
export async function readRecord({ mapping, days, provisional, journal }: LevelStorage) {
  const shown = new Map<number, readonly ShownEntry[]>();
  for (const day of await days.list(toDay(0), LAST_DAY)) {
    shown.set(day, (await days.load(day))?.entries ?? []);
  }
  const waiting = (await provisional.list()).filter(({ filing }) => filing?.isRecorded !== true);
  return {
    mapping: await mapping.read(),
    days: shown,
    provisional: waiting.map(({ sequence, id, shown: seen, filing }) => ({
      ...{ sequence, id, shown: seen, isFiling: filing !== undefined },
    })),
    journal: await readJournal(journal),
  };
}

/** The smallest work factor, as in the service under test: a hash with a smaller one would be computed again. */
const secrets = new SystemSecrets({ workFactor: 10 });
/** Kept, because a store is read often. */
const checked = new Map<string, Promise<boolean>>();

async function readAccess(
  store: AccessStore,
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

/** Files the provisional scans, as a start with the right time does. Rejects if a scan cannot be filed. */
export async function fileProvisional(path: string): Promise<void> {
  await withStorage(path, async ({ mapping, days, provisional, erasures }) => {
    const waiting = await provisional.list();
    if (waiting.length === 0) return;
    const clock = new ManualClock(0);
    clock.bootId = waiting[0]?.bootId ?? '';
    clock.advance(LATER * 1000);
    const calendar = new Calendar({ zone: 'UTC' });
    const service = new AttendanceService({
      ...{ mapping, days, provisional, erasures, calendar, timekeeper: new Timekeeper(clock) },
    });
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
  const before = await withStorage(path, async ({ mapping, days, journal }) => {
    const latest = await journal.latest();
    await mapping.put(PROBE, { first: 'still', last: 'writes' });
    await days.record(PROBE_DAY, PROBE, toTimestamp(1));
    return latest;
  });
  await withStorage(path, async ({ mapping, days, journal }) => {
    const name = await mapping.get(PROBE);
    const record = await days.load(PROBE_DAY);
    if (name?.last !== 'writes' || record?.entries.length !== 1) {
      throw new Error('what is written to the store after the cut is not kept');
    }
    const { entries, reason } = await readEntries(journal, before);
    const kinds = entries.map(({ change }) => change.kind);
    if (kinds.join() !== 'name,scan') {
      throw new Error(
        `the journal has ${reason ?? kinds.join()} of what is written to the store after the cut`,
      );
    }
  });
}

async function withStorage<T>(path: string, work: (storage: LevelStorage) => Promise<T>): Promise<T> {
  await using storage = new LevelStorage(path);
  await storage.open();
  return await work(storage);
}

import { setImmediate } from 'node:timers/promises';
import type {
  AttendanceDay,
  Day,
  Entry,
  RecordOutcome,
  Revision,
  TallyId,
  Timestamp,
} from '@tallybook/domain';
import { MemoryDayStore, type MemoryDays, type MemoryEntry } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Methods, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryDayStore, 'days') {
  known(day: Day, id: TallyId): MemoryEntry | undefined {
    return this.days.get(day)?.get(id);
  }
}

/** Changes the entry after a scan. */
const miswriting = (change: (entry: Entry, at: Timestamp) => Entry): Methods<Sabotaged> => ({
  record: (sound, fake) => async (day, id, at) => {
    const outcome = await sound(day, id, at);
    const known = fake.known(day, id);
    if (known !== undefined) known.entry = change(known.entry, at);
    return outcome;
  },
});

/** Changes the entries of a loaded day. */
const misreading = (change: (entries: readonly Entry[]) => readonly Entry[]): Methods<Sabotaged> => ({
  load: (sound) => async (day) => {
    const record = await sound(day);
    return record && { day, entries: change(record.entries) };
  },
});

const operations = [
  'record',
  'merge',
  'load',
  'details',
  'scans',
  'list',
  'remove',
  'dayRevision',
  'listRevision',
];

export const dayStoreSabotages = [
  ...faults(Sabotaged, {
    'says counted for every scan': {
      fails: ['says already-counted from the second scan on'],
      record: (sound) => (day, id, at) => sound(day, id, at).then(() => 'counted'),
    },
    'says already-counted for every scan': {
      fails: ['counts the first scan of a tag on a day'],
      record: (sound) => (day, id, at) => sound(day, id, at).then(() => 'already-counted'),
    },
    'counts a tag once for all days': {
      fails: ['counts a tag anew on another day'],
      record: (sound, fake) => async (day, id, at) => {
        const isKnown = [...fake.days.values()].some((record) => record.has(id));
        return sound(day, id, at).then(() => (isKnown ? 'already-counted' : 'counted'));
      },
    },
    'does not count beyond one': {
      fails: ['keeps first scan, last scan and number of scans'],
      ...miswriting((entry) => ({ ...entry, count: 1 })),
    },
    'takes the scan that came last for the latest one': {
      fails: ['keeps first and last right when scans come out of order'],
      ...miswriting((entry, at) => ({ ...entry, last: at })),
    },
    'takes the scan that came first for the earliest one': {
      fails: ['moves an entry forward when an earlier scan is recorded'],
      record: (sound, fake) => async (day, id, at) => {
        const first = fake.known(day, id)?.entry.first;
        const outcome = await sound(day, id, at);
        const known = fake.known(day, id);
        if (known !== undefined) known.entry = { ...known.entry, first: first ?? at };
        return outcome;
      },
    },
    'counts a scan again that it holds': {
      fails: ['changes nothing when a scan is recorded again'],
      record: (sound, fake) => (day, id, at) => {
        fake.known(day, id)?.scans.clear();
        return sound(day, id, at);
      },
    },
    'says counted when a scan is recorded again': {
      fails: ['says already-counted when a scan is recorded again'],
      record: (sound, fake) => (day, id, at) => {
        const isHeld = fake.known(day, id)?.scans.has(at) === true;
        return sound(day, id, at).then((outcome) => (isHeld ? 'counted' : outcome));
      },
    },
    'returns entries in the order of their ids': {
      fails: ['returns entries in the order of their first scan'],
      ...misreading((entries) => [...entries].sort((a, b) => (a.id < b.id ? -1 : 1))),
    },
    'orders equal first scans by id': {
      fails: [
        'keeps the order of recording among equal first scans',
        'keeps the order of the calls among scans recorded at the same time',
      ],
      ...misreading((entries) => [...entries].sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1))),
    },
    'leaves entries in the order of recording': {
      fails: ['merges an entry for a tag that the day does not hold'],
      load: (sound, fake) => async (day) => {
        const record = await sound(day);
        return (
          record && { day, entries: [...(fake.days.get(day)?.values() ?? [])].map(({ entry }) => entry) }
        );
      },
    },
    'has an empty record for a day without one': {
      fails: ['has nothing for a day without a record'],
      load: (sound) => (day) => sound(day).then((record) => record ?? { day, entries: [] }),
    },
    'takes tags for one whose ids begin alike': {
      fails: [
        'keeps ids apart that begin alike, have leading zeros or the most bytes',
        'loses nothing of scans recorded at the same time',
      ],
      record: (sound, fake) => (day, id, at) => {
        const ids = [...(fake.days.get(day)?.keys() ?? [])];
        return sound(day, ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, at);
      },
    },
    'keeps timestamps in 32 bits': {
      fails: ['keeps the first and the last day and timestamp that exist'],
      record: (sound) => (day, id, at) => sound(day, id, (at >>> 0) as Timestamp),
    },
    'lists days in the order of their digits': {
      fails: ['lists days ascending, both bounds included'],
      list: (sound) => (from, to) =>
        sound(from, to).then((days) => days.map(String).sort().map(Number) as Day[]),
    },
    'leaves the upper bound out of the list': {
      fails: ['lists a day once, however many entries it has'],
      list: (sound) => (from, to) => sound(from, to).then((days) => days.filter((day) => day < to)),
    },
    'swaps the bounds of a list when from is later than to': {
      fails: ['lists nothing when from is later than to, and when it is empty'],
      list: (sound) => (from, to) => (from > to ? sound(to, from) : sound(from, to)),
    },
    'removes every day': {
      fails: ['removes a day and no other one'],
      remove: (sound, fake) => async (day) => {
        const wasThere = await sound(day);
        fake.days.clear();
        return wasThere;
      },
    },
    'says that it removed a day that was not there': {
      fails: ['says so when there is no day to remove'],
      remove: (sound) => (day) => sound(day).then(() => true),
    },
    'remembers the scans of a removed day': class extends Sabotaged {
      static readonly fails = ['starts a removed day empty when it is recorded anew'];
      #removed: MemoryDays = new Map();

      override remove(day: Day): Promise<boolean> {
        this.#removed = new Map(this.days);
        return super.remove(day);
      }

      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const removed = this.#removed.get(day);
        if (removed !== undefined) this.days.set(day, removed);
        return super.record(day, id, at);
      }
    },
    'reads the whole day, then writes the whole day': {
      fails: [
        'lets record finish when close is called meanwhile',
        'counts a tag once when its scans are recorded at the same time',
      ],
      record: (sound, fake) => async (day, id, at) => {
        const before = structuredClone(fake.days.get(day));
        await setImmediate();
        if (before === undefined) fake.days.delete(day);
        else fake.days.set(day, before);
        return sound(day, id, at);
      },
    },
    'writes to the day of the last call': {
      fails: ['keeps days apart that are recorded at the same time'],
      record: (sound) => {
        let latest: Day | undefined;
        return async (day, id, at) => {
          latest = day;
          await Promise.resolve();
          return sound(latest, id, at);
        };
      },
    },
    'merges only entries of tags that the day holds': {
      fails: ['has another revision of the list after a day came or went'],
      merge: (sound, fake) => (day, entries) =>
        sound(
          day,
          entries.filter(({ id }) => fake.known(day, id) !== undefined),
        ),
    },
    'adds up the counts of merged entries': {
      fails: [
        'merges to the earliest first, the latest last and the larger count',
        'changes nothing when an entry is merged again',
      ],
      merge: (sound, fake) => (day, entries) => {
        const added = entries.map((entry) => ({
          ...entry,
          count: entry.count + (fake.known(day, entry.id)?.entry.count ?? 0),
        }));
        return sound(day, added);
      },
    },
    'merges no entry whose first and last scan it has': {
      fails: ['takes the larger count of an entry whose scans it knows'],
      merge: (sound, fake) => (day, entries) => {
        const isNew = ({ id, first, last }: Entry): boolean => {
          const known = fake.known(day, id)?.entry;
          return known?.first !== first || known.last !== last;
        };
        return sound(day, entries.filter(isNew));
      },
    },
    'does not know the scans of merged entries': {
      fails: ['holds the first and the last scan of a merged entry'],
      merge: (sound, fake) => async (day, entries) => {
        await sound(day, entries);
        for (const { id } of entries) fake.known(day, id)?.scans.clear();
      },
    },
    'leaves out the scans of merged entries': {
      fails: ['knows the scans of a merged entry, and those it had before'],
      merge: (sound) => (day, entries) =>
        sound(
          day,
          entries.map(({ id, first, last, count }) => ({ id, first, last, count })),
        ),
    },
    'gives a day without its scans': {
      fails: ['gives a day with the known scans of each entry'],
      details: (_, fake) => (day) => fake.load(day),
    },
    'gives all entries of a day without scans in details': {
      fails: ['makes the same day of the details of a day'],
      details: (sound) => async (day) => {
        const record = await sound(day);
        return record && { day, entries: record.entries.filter(({ scans }) => scans !== undefined) };
      },
    },
    'keeps flags in 32 bits': {
      fails: ['carries the flags of scans, whatever their place in the entry'],
      record: (sound) => (day, id, at, source) =>
        sound(day, id, at, { ...source, flags: (source?.flags ?? 0) >>> 0 }),
    },
    'replaces the flags of a scan': {
      fails: ['joins the flags of scans of one second bit by bit'],
      record: (sound, fake) => async (day, id, at, source) => {
        const outcome = await sound(day, id, at, source);
        fake.known(day, id)?.scans.set(at, source?.flags ?? 0);
        return outcome;
      },
    },
    'keeps the revision of a day while only flags change': class extends Sabotaged {
      static readonly fails = ['has another revision of a day after each change of it'];
      #flagged = 0;

      override async record(...args: Parameters<MemoryDayStore['record']>): Promise<RecordOutcome> {
        if (args[3]?.flags !== undefined) this.#flagged++;
        return super.record(...args);
      }

      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then((revision) => String(Number(revision) - this.#flagged));
      }
    },
    'forgets flags in a restart': {
      fails: ['keeps scans and their flags across a restart'],
      onClose: (_, fake) => async () => {
        for (const record of fake.days.values())
          for (const { scans } of record.values()) for (const at of scans.keys()) scans.set(at, 0);
      },
    },
    'makes a record of no entries': {
      fails: ['creates no record when no entries are merged'],
      merge: (sound, fake) => async (day, entries) => {
        await sound(day, entries);
        if (!fake.days.has(day)) fake.days.set(day, new Map());
      },
    },
    'changes what was loaded when more is recorded': class extends Sabotaged {
      static readonly fails = ['does not change what was loaded when more is recorded'];
      readonly #loaded = new Map<Day, Entry[]>();

      override async load(day: Day): Promise<AttendanceDay | undefined> {
        const record = await super.load(day);
        const entries = this.#loaded.get(day) ?? [];
        this.#loaded.set(day, entries);
        entries.splice(0, Infinity, ...(record?.entries ?? []));
        return record && { day, entries };
      }

      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const outcome = await super.record(day, id, at);
        if (this.#loaded.has(day)) await this.load(day);
        return outcome;
      }
    },
    'has the number of entries as the revision of a day': {
      fails: ['has another revision of a day after each change of it'],
      dayRevision: (sound, fake) => (day) => sound(day).then(() => String(fake.days.get(day)?.size)),
    },
    'has another revision of a day each time it is asked': {
      fails: ['keeps the revision of a day while it does not change'],
      dayRevision: (sound) => {
        let asked = 0;
        return (day) => sound(day).then(() => String(++asked));
      },
    },
    'has the number of days as the revision of the list': {
      fails: ['has another revision of the list after a day came or went'],
      listRevision: (sound, fake) => () => sound().then(() => String(fake.days.size)),
    },
    'has another revision of the list after each scan': class extends Sabotaged {
      static readonly fails = ['keeps the revision of the list while known days get more scans'];
      #scans = 0;

      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.#scans++;
        return super.record(day, id, at);
      }

      override listRevision(): Promise<Revision> {
        return super.listRevision().then((revision) => `${revision} ${this.#scans}`);
      }
    },
    'forgets everything in a restart': class extends MemoryDayStore {
      static readonly fails = ['keeps what it acknowledged across a restart'];
      constructor() {
        super(new Map());
      }
    },
    'forgets single scans in a restart': {
      fails: ['goes on with a day after a restart in the middle of it'],
      onClose: (_, fake) => async () => {
        for (const record of fake.days.values()) for (const { scans } of record.values()) scans.clear();
      },
    },
    'brings removed days back in a restart': class extends Sabotaged {
      static readonly fails = ['keeps a removed day removed across a restart'];
      readonly #removed: MemoryDays = new Map();

      override remove(day: Day): Promise<boolean> {
        const record = this.days.get(day);
        if (record !== undefined) this.#removed.set(day, record);
        return super.remove(day);
      }

      protected override async onClose(): Promise<void> {
        for (const [day, record] of this.#removed) this.days.set(day, record);
      }
    },
    'knows the first and the last scan only': {
      fails: ['knows the scans of a tag on a day one by one, ascending'],
      scans: (sound) => async (day, id) => {
        const all = await sound(day, id);
        return all.filter((_, index) => index === 0 || index === all.length - 1);
      },
    },
    'knows no scans that were merged': class extends Sabotaged {
      static readonly fails = ['knows the first and the last scan of a merged entry'];
      readonly #recorded = new Set<string>();

      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.#recorded.add(`${day} ${id} ${at}`);
        return super.record(day, id, at);
      }

      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        const all = await super.scans(day, id);
        return all.filter((at) => this.#recorded.has(`${day} ${id} ${at}`));
      }
    },
    'knows the scans of removed days': class extends Sabotaged {
      static readonly fails = ['returns no scans for a tag that is absent or removed'];
      readonly #seen = new Map<string, Timestamp[]>();

      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const key = `${day} ${id}`;
        this.#seen.set(key, [...(this.#seen.get(key) ?? []), at]);
        return super.record(day, id, at);
      }

      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        const all = await super.scans(day, id);
        return all.length > 0 ? all : (this.#seen.get(`${day} ${id}`) ?? []);
      }
    },
  }),
  ...closedStoreSabotages(MemoryDayStore, operations),
];

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
import type { Sabotage } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryDayStore {
  readonly days: MemoryDays;

  constructor(days: MemoryDays) {
    super(days);
    this.days = days;
  }

  known(day: Day, id: TallyId): MemoryEntry | undefined {
    return this.days.get(day)?.get(id);
  }
}

/** A fake whose sabotage changes the entry after a scan. */
abstract class Miswriting extends Sabotaged {
  protected abstract miswrite(entry: Entry, at: Timestamp): Entry;

  override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
    const outcome = await super.record(day, id, at);
    const known = this.known(day, id);
    if (known !== undefined) known.entry = this.miswrite(known.entry, at);
    return outcome;
  }
}

/** A fake whose sabotage changes the loaded data. */
abstract class Misreading extends Sabotaged {
  protected abstract misread(entries: readonly Entry[], day: Day): readonly Entry[];

  override async load(day: Day): Promise<AttendanceDay | undefined> {
    const record = await super.load(day);
    return record && { day, entries: this.misread(record.entries, day) };
  }
}

const operations = ['record', 'merge', 'load', 'scans', 'list', 'remove', 'dayRevision', 'listRevision'];

export const dayStoreSabotages: readonly Sabotage<new (days: MemoryDays) => MemoryDayStore>[] = [
  {
    fault: 'says counted for every scan',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, at).then(() => 'counted');
      }
    },
    fails: ['says already-counted from the second scan on'],
  },
  {
    fault: 'says already-counted for every scan',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, at).then(() => 'already-counted');
      }
    },
    fails: ['counts the first scan of a tag on a day'],
  },
  {
    fault: 'counts a tag once for all days',
    Fake: class extends Sabotaged {
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const isKnown = [...this.days.values()].some((record) => record.has(id));
        return super.record(day, id, at).then(() => (isKnown ? 'already-counted' : 'counted'));
      }
    },
    fails: ['counts a tag anew on another day'],
  },
  {
    fault: 'does not count beyond one',
    Fake: class extends Miswriting {
      protected override miswrite(entry: Entry): Entry {
        return { ...entry, count: 1 };
      }
    },
    fails: ['keeps first scan, last scan and number of scans'],
  },
  {
    fault: 'takes the scan that came last for the latest one',
    Fake: class extends Miswriting {
      protected override miswrite(entry: Entry, at: Timestamp): Entry {
        return { ...entry, last: at };
      }
    },
    fails: ['keeps first and last right when scans come out of order'],
  },
  {
    fault: 'takes the scan that came first for the earliest one',
    Fake: class extends Sabotaged {
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const first = this.known(day, id)?.entry.first;
        const outcome = await super.record(day, id, at);
        const known = this.known(day, id);
        if (known !== undefined) known.entry = { ...known.entry, first: first ?? at };
        return outcome;
      }
    },
    fails: ['moves an entry forward when an earlier scan is recorded'],
  },
  {
    fault: 'counts a scan again that it holds',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.known(day, id)?.scans.clear();
        return super.record(day, id, at);
      }
    },
    fails: ['changes nothing when a scan is recorded again'],
  },
  {
    fault: 'says counted when a scan is recorded again',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const isHeld = this.known(day, id)?.scans.has(at) === true;
        return super.record(day, id, at).then((outcome) => (isHeld ? 'counted' : outcome));
      }
    },
    fails: ['says already-counted when a scan is recorded again'],
  },
  {
    fault: 'returns entries in the order of their ids',
    Fake: class extends Misreading {
      protected override misread(entries: readonly Entry[]): readonly Entry[] {
        return [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
      }
    },
    fails: ['returns entries in the order of their first scan'],
  },
  {
    fault: 'orders equal first scans by id',
    Fake: class extends Misreading {
      protected override misread(entries: readonly Entry[]): readonly Entry[] {
        return [...entries].sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1));
      }
    },
    fails: [
      'keeps the order of recording among equal first scans',
      'keeps the order of the calls among scans recorded at the same time',
    ],
  },
  {
    fault: 'leaves entries in the order of recording',
    Fake: class extends Misreading {
      protected override misread(_: readonly Entry[], day: Day): readonly Entry[] {
        return [...(this.days.get(day)?.values() ?? [])].map(({ entry }) => entry);
      }
    },
    fails: ['merges an entry for a tag that the day does not hold'],
  },
  {
    fault: 'has an empty record for a day without one',
    Fake: class extends Sabotaged {
      override load(day: Day): Promise<AttendanceDay | undefined> {
        return super.load(day).then((record) => record ?? { day, entries: [] });
      }
    },
    fails: ['has nothing for a day without a record'],
  },
  {
    fault: 'takes tags for one whose ids begin alike',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const ids = [...(this.days.get(day)?.keys() ?? [])];
        return super.record(day, ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, at);
      }
    },
    fails: [
      'keeps ids apart that begin alike, have leading zeros or the most bytes',
      'loses nothing of scans recorded at the same time',
    ],
  },
  {
    fault: 'keeps timestamps in 32 bits',
    Fake: class extends Sabotaged {
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, (at >>> 0) as Timestamp);
      }
    },
    fails: ['keeps the first and the last day and timestamp that exist'],
  },
  {
    fault: 'lists days in the order of their digits',
    Fake: class extends Sabotaged {
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return super.list(from, to).then((days) => days.map(String).sort().map(Number) as Day[]);
      }
    },
    fails: ['lists days ascending, both bounds included'],
  },
  {
    fault: 'leaves the upper bound out of the list',
    Fake: class extends Sabotaged {
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return super.list(from, to).then((days) => days.filter((day) => day < to));
      }
    },
    fails: ['lists a day once, however many entries it has'],
  },
  {
    fault: 'lists a day for each of its entries',
    Fake: class extends Sabotaged {
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        const perEntry = (day: Day): Day[] => [...(this.days.get(day)?.keys() ?? [])].map(() => day);
        return super.list(from, to).then((days) => days.flatMap(perEntry));
      }
    },
    fails: ['lists a day once, however many entries it has'],
  },
  {
    fault: 'swaps the bounds of a list when from is later than to',
    Fake: class extends Sabotaged {
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return from > to ? super.list(to, from) : super.list(from, to);
      }
    },
    fails: ['lists nothing when from is later than to, and when it is empty'],
  },
  {
    fault: 'removes every day',
    Fake: class extends Sabotaged {
      override async remove(day: Day): Promise<boolean> {
        const wasThere = await super.remove(day);
        this.days.clear();
        return wasThere;
      }
    },
    fails: ['removes a day and no other one'],
  },
  {
    fault: 'says that it removed a day that was not there',
    Fake: class extends Sabotaged {
      override remove(day: Day): Promise<boolean> {
        return super.remove(day).then(() => true);
      }
    },
    fails: ['says so when there is no day to remove'],
  },
  {
    fault: 'remembers the scans of a removed day',
    Fake: class extends Sabotaged {
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
    fails: ['starts a removed day empty when it is recorded anew'],
  },
  {
    fault: 'reads the whole day, then writes the whole day',
    Fake: class extends Sabotaged {
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const before = structuredClone(this.days.get(day));
        await setImmediate();
        if (before === undefined) this.days.delete(day);
        else this.days.set(day, before);
        return super.record(day, id, at);
      }
    },
    fails: [
      'lets record finish when close is called meanwhile',
      'counts a tag once when its scans are recorded at the same time',
    ],
  },
  {
    fault: 'writes to the day of the last call',
    Fake: class extends Sabotaged {
      #day: Day | undefined;

      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.#day = day;
        await Promise.resolve();
        return super.record(this.#day, id, at);
      }
    },
    fails: ['keeps days apart that are recorded at the same time'],
  },
  {
    fault: 'merges only entries of tags that the day holds',
    Fake: class extends Sabotaged {
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        return super.merge(
          day,
          entries.filter(({ id }) => this.known(day, id) !== undefined),
        );
      }
    },
    fails: ['has another revision of the list after a day came or went'],
  },
  {
    fault: 'adds up the counts of merged entries',
    Fake: class extends Sabotaged {
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        const added = entries.map((entry) => ({
          ...entry,
          count: entry.count + (this.known(day, entry.id)?.entry.count ?? 0),
        }));
        return super.merge(day, added);
      }
    },
    fails: [
      'merges to the earliest first, the latest last and the larger count',
      'changes nothing when an entry is merged again',
    ],
  },
  {
    fault: 'merges no entry whose first and last scan it has',
    Fake: class extends Sabotaged {
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        const isNew = ({ id, first, last }: Entry): boolean => {
          const known = this.known(day, id)?.entry;
          return known?.first !== first || known.last !== last;
        };
        return super.merge(day, entries.filter(isNew));
      }
    },
    fails: ['takes the larger count of an entry whose scans it knows'],
  },
  {
    fault: 'does not know the scans of merged entries',
    Fake: class extends Sabotaged {
      override async merge(day: Day, entries: readonly Entry[]): Promise<void> {
        await super.merge(day, entries);
        for (const { id } of entries) this.known(day, id)?.scans.clear();
      }
    },
    fails: ['holds the first and the last scan of a merged entry'],
  },
  {
    fault: 'makes a record of no entries',
    Fake: class extends Sabotaged {
      override async merge(day: Day, entries: readonly Entry[]): Promise<void> {
        await super.merge(day, entries);
        if (!this.days.has(day)) this.days.set(day, new Map());
      }
    },
    fails: ['makes no record when no entries are merged'],
  },
  {
    fault: 'changes what was loaded when more is recorded',
    Fake: class extends Misreading {
      readonly #loaded = new Map<Day, Entry[]>();

      protected override misread(entries: readonly Entry[], day: Day): readonly Entry[] {
        const loaded = this.#loaded.get(day) ?? [];
        this.#loaded.set(day, loaded);
        loaded.splice(0, Infinity, ...entries);
        return loaded;
      }

      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const outcome = await super.record(day, id, at);
        if (this.#loaded.has(day)) await this.load(day);
        return outcome;
      }
    },
    fails: ['does not change what was loaded when more is recorded'],
  },
  {
    fault: 'has one revision of a day for ever',
    Fake: class extends Sabotaged {
      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => '0');
      }
    },
    fails: ['has another revision of a day after each change of it'],
  },
  {
    fault: 'has the number of entries as the revision of a day',
    Fake: class extends Sabotaged {
      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => String(this.days.get(day)?.size));
      }
    },
    fails: ['has another revision of a day after each change of it'],
  },
  {
    fault: 'has another revision of a day each time it is asked',
    Fake: class extends Sabotaged {
      #asked = 0;

      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => String(++this.#asked));
      }
    },
    fails: ['keeps the revision of a day while it does not change'],
  },
  {
    fault: 'has the number of days as the revision of the list',
    Fake: class extends Sabotaged {
      override listRevision(): Promise<Revision> {
        return super.listRevision().then(() => String(this.days.size));
      }
    },
    fails: ['has another revision of the list after a day came or went'],
  },
  {
    fault: 'has another revision of the list after each scan',
    Fake: class extends Sabotaged {
      #scans = 0;

      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.#scans++;
        return super.record(day, id, at);
      }

      override listRevision(): Promise<Revision> {
        return super.listRevision().then((revision) => `${revision} ${this.#scans}`);
      }
    },
    fails: ['keeps the revision of the list while known days get more scans'],
  },
  {
    fault: 'forgets everything in a restart',
    Fake: class extends MemoryDayStore {
      constructor() {
        super(new Map());
      }
    },
    fails: ['keeps what it acknowledged across a restart'],
  },
  {
    fault: 'forgets single scans in a restart',
    Fake: class extends Sabotaged {
      protected override async onClose(): Promise<void> {
        for (const record of this.days.values()) for (const { scans } of record.values()) scans.clear();
      }
    },
    fails: ['goes on with a day after a restart in the middle of it'],
  },
  {
    fault: 'brings removed days back in a restart',
    Fake: class extends Sabotaged {
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
    fails: ['keeps a removed day removed across a restart'],
  },
  {
    fault: 'knows the scans in the order of recording',
    Fake: class extends Sabotaged {
      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        await super.scans(day, id);
        return [...(this.known(day, id)?.scans ?? [])];
      }
    },
    fails: ['knows the scans of a tag on a day one by one, ascending'],
  },
  {
    fault: 'knows the first and the last scan only',
    Fake: class extends Sabotaged {
      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        const all = await super.scans(day, id);
        return all.filter((_, index) => index === 0 || index === all.length - 1);
      }
    },
    fails: ['knows the scans of a tag on a day one by one, ascending'],
  },
  {
    fault: 'knows no scans that were merged',
    Fake: class extends Sabotaged {
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
    fails: ['knows the first and the last scan of a merged entry'],
  },
  {
    fault: 'knows the scans of removed days',
    Fake: class extends Sabotaged {
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
    fails: ['knows no scans of who was not there, or was removed'],
  },
  ...closedStoreSabotages(MemoryDayStore, operations),
];

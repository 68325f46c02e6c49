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
import { faults, type Sabotage } from '../sabotage.js';

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
  ...faults<new (days: MemoryDays) => MemoryDayStore>({
    'says counted for every scan': class extends Sabotaged {
      static readonly fails = ['says already-counted from the second scan on'];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, at).then(() => 'counted');
      }
    },
    'says already-counted for every scan': class extends Sabotaged {
      static readonly fails = ['counts the first scan of a tag on a day'];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, at).then(() => 'already-counted');
      }
    },
    'counts a tag once for all days': class extends Sabotaged {
      static readonly fails = ['counts a tag anew on another day'];
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const isKnown = [...this.days.values()].some((record) => record.has(id));
        return super.record(day, id, at).then(() => (isKnown ? 'already-counted' : 'counted'));
      }
    },
    'does not count beyond one': class extends Miswriting {
      static readonly fails = ['keeps first scan, last scan and number of scans'];
      protected override miswrite(entry: Entry): Entry {
        return { ...entry, count: 1 };
      }
    },
    'takes the scan that came last for the latest one': class extends Miswriting {
      static readonly fails = ['keeps first and last right when scans come out of order'];
      protected override miswrite(entry: Entry, at: Timestamp): Entry {
        return { ...entry, last: at };
      }
    },
    'takes the scan that came first for the earliest one': class extends Sabotaged {
      static readonly fails = ['moves an entry forward when an earlier scan is recorded'];
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const first = this.known(day, id)?.entry.first;
        const outcome = await super.record(day, id, at);
        const known = this.known(day, id);
        if (known !== undefined) known.entry = { ...known.entry, first: first ?? at };
        return outcome;
      }
    },
    'counts a scan again that it holds': class extends Sabotaged {
      static readonly fails = ['changes nothing when a scan is recorded again'];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.known(day, id)?.scans.clear();
        return super.record(day, id, at);
      }
    },
    'says counted when a scan is recorded again': class extends Sabotaged {
      static readonly fails = ['says already-counted when a scan is recorded again'];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const isHeld = this.known(day, id)?.scans.has(at) === true;
        return super.record(day, id, at).then((outcome) => (isHeld ? 'counted' : outcome));
      }
    },
    'returns entries in the order of their ids': class extends Misreading {
      static readonly fails = ['returns entries in the order of their first scan'];
      protected override misread(entries: readonly Entry[]): readonly Entry[] {
        return [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
      }
    },
    'orders equal first scans by id': class extends Misreading {
      static readonly fails = [
        'keeps the order of recording among equal first scans',
        'keeps the order of the calls among scans recorded at the same time',
      ];
      protected override misread(entries: readonly Entry[]): readonly Entry[] {
        return [...entries].sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1));
      }
    },
    'leaves entries in the order of recording': class extends Misreading {
      static readonly fails = ['merges an entry for a tag that the day does not hold'];
      protected override misread(_: readonly Entry[], day: Day): readonly Entry[] {
        return [...(this.days.get(day)?.values() ?? [])].map(({ entry }) => entry);
      }
    },
    'has an empty record for a day without one': class extends Sabotaged {
      static readonly fails = ['has nothing for a day without a record'];
      override load(day: Day): Promise<AttendanceDay | undefined> {
        return super.load(day).then((record) => record ?? { day, entries: [] });
      }
    },
    'takes tags for one whose ids begin alike': class extends Sabotaged {
      static readonly fails = [
        'keeps ids apart that begin alike, have leading zeros or the most bytes',
        'loses nothing of scans recorded at the same time',
      ];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const ids = [...(this.days.get(day)?.keys() ?? [])];
        return super.record(day, ids.find((each) => each.slice(0, 6) === id.slice(0, 6)) ?? id, at);
      }
    },
    'keeps timestamps in 32 bits': class extends Sabotaged {
      static readonly fails = ['keeps the first and the last day and timestamp that exist'];
      override record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        return super.record(day, id, (at >>> 0) as Timestamp);
      }
    },
    'lists days in the order of their digits': class extends Sabotaged {
      static readonly fails = ['lists days ascending, both bounds included'];
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return super.list(from, to).then((days) => days.map(String).sort().map(Number) as Day[]);
      }
    },
    'leaves the upper bound out of the list': class extends Sabotaged {
      static readonly fails = ['lists a day once, however many entries it has'];
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return super.list(from, to).then((days) => days.filter((day) => day < to));
      }
    },
    'lists a day for each of its entries': class extends Sabotaged {
      static readonly fails = ['lists a day once, however many entries it has'];
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        const perEntry = (day: Day): Day[] => [...(this.days.get(day)?.keys() ?? [])].map(() => day);
        return super.list(from, to).then((days) => days.flatMap(perEntry));
      }
    },
    'swaps the bounds of a list when from is later than to': class extends Sabotaged {
      static readonly fails = ['lists nothing when from is later than to, and when it is empty'];
      override list(from: Day, to: Day): Promise<readonly Day[]> {
        return from > to ? super.list(to, from) : super.list(from, to);
      }
    },
    'removes every day': class extends Sabotaged {
      static readonly fails = ['removes a day and no other one'];
      override async remove(day: Day): Promise<boolean> {
        const wasThere = await super.remove(day);
        this.days.clear();
        return wasThere;
      }
    },
    'says that it removed a day that was not there': class extends Sabotaged {
      static readonly fails = ['says so when there is no day to remove'];
      override remove(day: Day): Promise<boolean> {
        return super.remove(day).then(() => true);
      }
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
    'reads the whole day, then writes the whole day': class extends Sabotaged {
      static readonly fails = [
        'lets record finish when close is called meanwhile',
        'counts a tag once when its scans are recorded at the same time',
      ];
      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        const before = structuredClone(this.days.get(day));
        await setImmediate();
        if (before === undefined) this.days.delete(day);
        else this.days.set(day, before);
        return super.record(day, id, at);
      }
    },
    'writes to the day of the last call': class extends Sabotaged {
      static readonly fails = ['keeps days apart that are recorded at the same time'];
      #day: Day | undefined;

      override async record(day: Day, id: TallyId, at: Timestamp): Promise<RecordOutcome> {
        this.#day = day;
        await Promise.resolve();
        return super.record(this.#day, id, at);
      }
    },
    'merges only entries of tags that the day holds': class extends Sabotaged {
      static readonly fails = ['has another revision of the list after a day came or went'];
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        return super.merge(
          day,
          entries.filter(({ id }) => this.known(day, id) !== undefined),
        );
      }
    },
    'adds up the counts of merged entries': class extends Sabotaged {
      static readonly fails = [
        'merges to the earliest first, the latest last and the larger count',
        'changes nothing when an entry is merged again',
      ];
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        const added = entries.map((entry) => ({
          ...entry,
          count: entry.count + (this.known(day, entry.id)?.entry.count ?? 0),
        }));
        return super.merge(day, added);
      }
    },
    'merges no entry whose first and last scan it has': class extends Sabotaged {
      static readonly fails = ['takes the larger count of an entry whose scans it knows'];
      override merge(day: Day, entries: readonly Entry[]): Promise<void> {
        const isNew = ({ id, first, last }: Entry): boolean => {
          const known = this.known(day, id)?.entry;
          return known?.first !== first || known.last !== last;
        };
        return super.merge(day, entries.filter(isNew));
      }
    },
    'does not know the scans of merged entries': class extends Sabotaged {
      static readonly fails = ['holds the first and the last scan of a merged entry'];
      override async merge(day: Day, entries: readonly Entry[]): Promise<void> {
        await super.merge(day, entries);
        for (const { id } of entries) this.known(day, id)?.scans.clear();
      }
    },
    'makes a record of no entries': class extends Sabotaged {
      static readonly fails = ['makes no record when no entries are merged'];
      override async merge(day: Day, entries: readonly Entry[]): Promise<void> {
        await super.merge(day, entries);
        if (!this.days.has(day)) this.days.set(day, new Map());
      }
    },
    'changes what was loaded when more is recorded': class extends Misreading {
      static readonly fails = ['does not change what was loaded when more is recorded'];
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
    'has one revision of a day for ever': class extends Sabotaged {
      static readonly fails = ['has another revision of a day after each change of it'];
      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => '0');
      }
    },
    'has the number of entries as the revision of a day': class extends Sabotaged {
      static readonly fails = ['has another revision of a day after each change of it'];
      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => String(this.days.get(day)?.size));
      }
    },
    'has another revision of a day each time it is asked': class extends Sabotaged {
      static readonly fails = ['keeps the revision of a day while it does not change'];
      #asked = 0;

      override dayRevision(day: Day): Promise<Revision> {
        return super.dayRevision(day).then(() => String(++this.#asked));
      }
    },
    'has the number of days as the revision of the list': class extends Sabotaged {
      static readonly fails = ['has another revision of the list after a day came or went'];
      override listRevision(): Promise<Revision> {
        return super.listRevision().then(() => String(this.days.size));
      }
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
    'forgets single scans in a restart': class extends Sabotaged {
      static readonly fails = ['goes on with a day after a restart in the middle of it'];
      protected override async onClose(): Promise<void> {
        for (const record of this.days.values()) for (const { scans } of record.values()) scans.clear();
      }
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
    'knows the scans in the order of recording': class extends Sabotaged {
      static readonly fails = ['knows the scans of a tag on a day one by one, ascending'];
      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        await super.scans(day, id);
        return [...(this.known(day, id)?.scans ?? [])];
      }
    },
    'knows the first and the last scan only': class extends Sabotaged {
      static readonly fails = ['knows the scans of a tag on a day one by one, ascending'];
      override async scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
        const all = await super.scans(day, id);
        return all.filter((_, index) => index === 0 || index === all.length - 1);
      }
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
      static readonly fails = ['knows no scans of who was not there, or was removed'];
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

import type { AttendanceDay, Day, Name, ProvisionalScan, Snapshot, TallyId } from '@tallybook/domain';
import { MemorySnapshotSource, type MemoryContents } from '@tallybook/testing';
import { faults } from '../sabotage.js';

/** A fake whose sabotage changes a snapshot. */
abstract class Sabotaged extends MemorySnapshotSource {
  protected readonly contents: MemoryContents;

  constructor(contents: MemoryContents) {
    super(contents);
    this.contents = contents;
  }

  /** A snapshot of the present. */
  protected fresh(): Promise<Snapshot> {
    return super.take();
  }

  override async take(): Promise<Snapshot> {
    const snapshot = await super.take();
    return { ...snapshot, ...this.spoil(snapshot) };
  }

  protected abstract spoil(snapshot: Snapshot): Partial<Snapshot>;
}

async function* changed<T, U>(
  values: AsyncIterable<T>,
  change: (values: T[]) => readonly U[],
): AsyncGenerator<U, void, undefined> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  yield* change(all);
}

/** Data that is read later than the snapshot was taken. */
async function* later<T>(read: () => Promise<AsyncIterable<T>>): AsyncGenerator<T, void, undefined> {
  yield* await read();
}

type Association = readonly [id: TallyId, name: Name];

export const snapshotSourceSabotages = faults(MemorySnapshotSource, {
  'gives names in the order of putting': class extends Sabotaged {
    static readonly fails = ['gives all names, ascending by id'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const names = [...this.contents.names];
      return { names: () => changed(snapshot.names(), () => names) };
    }
  },
  'invents a name': class extends Sabotaged {
    static readonly fails = ['gives nothing of stores that hold nothing'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const invented: Association = ['FFEE' as TallyId, { first: 'No', last: 'Body' }];
      return { names: () => changed(snapshot.names(), (all) => [...all, invented]) };
    }
  },
  'gives days in the order of recording': class extends Sabotaged {
    static readonly fails = ['gives all days, ascending'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const order = [...this.contents.days.keys()];
      const place = ({ day }: AttendanceDay): number => order.indexOf(day);
      return {
        days: (...bounds) =>
          changed(snapshot.days(...bounds), (all) => all.sort((a, b) => place(a) - place(b))),
      };
    }
  },
  'gives all days whatever is asked for': class extends Sabotaged {
    static readonly fails = ['gives the days from one to another, both included, and no others'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      return { days: () => snapshot.days() };
    }
  },
  'leaves out the last day that is asked for': class extends Sabotaged {
    static readonly fails = ['gives the days from one to another, both included, and no others'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const leaveOut = (last: Day) => (all: AttendanceDay[]) => all.filter(({ day }) => day !== last);
      return {
        days: (from, to) =>
          to === undefined ? snapshot.days() : changed(snapshot.days(from, to), leaveOut(to)),
      };
    }
  },
  'gives entries in the order of their ids': class extends Sabotaged {
    static readonly fails = ['gives each day as its store does'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const sort = ({ day, entries }: AttendanceDay): AttendanceDay => ({
        day,
        entries: [...entries].sort((a, b) => (a.id < b.id ? 1 : -1)),
      });
      return { days: (...bounds) => changed(snapshot.days(...bounds), (all) => all.map(sort)) };
    }
  },
  'leaves filings out': class extends Sabotaged {
    static readonly fails = ['gives provisional scans as their store does'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const strip = (scan: ProvisionalScan): ProvisionalScan => {
        const stripped: { filing?: unknown } = { ...scan };
        delete stripped.filing;
        return stripped as ProvisionalScan;
      };
      return { provisional: () => changed(snapshot.provisional(), (all) => all.map(strip)) };
    }
  },
  'can be read once only': class extends Sabotaged {
    static readonly fails = ['gives the same again, also while it is being read'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      const once = snapshot.days();
      return { days: (...bounds) => (bounds.length === 0 ? once : snapshot.days(...bounds)) };
    }
  },
  'reads names when they are asked for': class extends Sabotaged {
    static readonly fails = ['gives names as they were, whatever becomes of them'];
    protected spoil(): Partial<Snapshot> {
      return { names: () => later(async () => (await this.fresh()).names()) };
    }
  },
  'reads days when they are asked for': class extends Sabotaged {
    static readonly fails = ['gives days as they were, whatever becomes of them'];
    protected spoil(): Partial<Snapshot> {
      return { days: (...bounds) => later(async () => (await this.fresh()).days(...bounds)) };
    }
  },
  'reads provisional scans when they are asked for': class extends Sabotaged {
    static readonly fails = ['gives provisional scans as they were, whatever becomes of them'];
    protected spoil(): Partial<Snapshot> {
      return { provisional: () => later(async () => (await this.fresh()).provisional()) };
    }
  },
  'gives the moment of the first one again while that is open': class extends MemorySnapshotSource {
    static readonly fails = ['can be taken while another one is open, each of its own moment'];
    #first: Promise<Snapshot> | undefined;

    override take(): Promise<Snapshot> {
      this.#first ??= super.take();
      return this.#first;
    }
  },
  'puts everything back as it was when it is disposed of': class extends Sabotaged {
    static readonly fails = ['keeps nobody from writing'];
    protected spoil(): Partial<Snapshot> {
      const { names, days } = this.contents;
      const before = new Map(names);
      return {
        [Symbol.asyncDispose]: () => {
          (names as Map<TallyId, Name>).clear();
          for (const [id, name] of before) (names as Map<TallyId, Name>).set(id, name);
          days.clear();
          return Promise.resolve();
        },
      };
    }
  },
  'can be disposed of once only': class extends Sabotaged {
    static readonly fails = ['can be disposed of twice'];
    protected spoil(): Partial<Snapshot> {
      let isOpen = true;
      return {
        [Symbol.asyncDispose]: () => {
          if (!isOpen) return Promise.reject(new Error('disposed of already'));
          isOpen = false;
          return Promise.resolve();
        },
      };
    }
  },
  'gives corrections by number only': class extends Sabotaged {
    static readonly fails = ['gives corrections as their store does'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      return {
        corrections: (from, to) =>
          changed(snapshot.corrections(from, to), (all) => all.sort((a, b) => a.number - b.number)),
      };
    }
  },
  'gives corrections as they are now': class extends Sabotaged {
    static readonly fails = ['gives corrections as they were, whatever becomes of them'];
    protected spoil(): Partial<Snapshot> {
      return {
        corrections: (from, to) => later(async () => (await this.fresh()).corrections(from, to)),
      };
    }
  },
  'gives only the first and the last scan': class extends Sabotaged {
    static readonly fails = ['gives the scans of a tag as the store of the days does'];
    protected spoil(snapshot: Snapshot): Partial<Snapshot> {
      return {
        scans: async (day, id) => {
          const all = await snapshot.scans(day, id);
          return all.filter((_, index) => index === 0 || index === all.length - 1);
        },
      };
    }
  },
  'gives scans as they are now': class extends Sabotaged {
    static readonly fails = ['gives scans as they were, whatever becomes of them'];
    protected spoil(): Partial<Snapshot> {
      return { scans: async (day, id) => (await this.fresh()).scans(day, id) };
    }
  },
});

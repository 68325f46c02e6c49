import type { AttendanceDay, Name, ProvisionalScan, Snapshot, TallyId } from '@tallybook/domain';
import { MemorySnapshotSource, type MemoryContents } from '@tallybook/testing';
import { faults, type Methods, showing } from '../sabotage.js';

/** A source whose sabotage can access what it holds. */
class Sabotaged extends showing(MemorySnapshotSource, 'contents') {}

/** Changes a snapshot. `fresh` takes another one. */
const spoiling = (
  spoil: (snapshot: Snapshot, contents: MemoryContents, fresh: () => Promise<Snapshot>) => Partial<Snapshot>,
): Methods<Sabotaged> => ({
  take: (sound, fake) => async () => {
    const snapshot = await sound();
    return { ...snapshot, ...spoil(snapshot, fake.contents, sound) };
  },
});

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

/** Reads something when it is asked for, later than the snapshot was taken. */
const late = (name: Exclude<keyof Snapshot, 'scans' | typeof Symbol.asyncDispose>): Methods<Sabotaged> =>
  spoiling((_, _contents, fresh) => ({
    [name]: (...bounds: readonly never[]) =>
      later(async () =>
        ((await fresh())[name] as (...args: readonly never[]) => AsyncIterable<unknown>)(...bounds),
      ),
  }));

/** Gives rows in the opposite order. */
const backwards = (
  ...names: readonly ('persons' | 'timelines' | 'groups' | 'carried')[]
): Methods<Sabotaged> =>
  spoiling((snapshot) =>
    Object.fromEntries(
      names.map((name) => [name, () => changed<unknown, unknown>(snapshot[name](), (all) => all.reverse())]),
    ),
  );

type Association = readonly [id: TallyId, name: Name];

export const snapshotSourceSabotages = faults(Sabotaged, {
  'gives names in the order of putting': {
    fails: ['gives all names, ascending by id'],
    ...spoiling((snapshot, contents) => {
      const names = [...contents.names];
      return { names: () => changed(snapshot.names(), () => names) };
    }),
  },
  'invents a name': {
    fails: ['gives nothing of stores that hold nothing'],
    ...spoiling((snapshot) => {
      const invented: Association = ['FFEE' as TallyId, { first: 'No', last: 'Body' }];
      return { names: () => changed(snapshot.names(), (all) => [...all, invented]) };
    }),
  },
  'gives days in the order of recording': {
    fails: ['gives all days, ascending'],
    ...spoiling((snapshot, contents) => {
      const order = [...contents.days.keys()];
      const place = ({ day }: AttendanceDay): number => order.indexOf(day);
      return {
        days: (...bounds) =>
          changed(snapshot.days(...bounds), (all) => all.sort((a, b) => place(a) - place(b))),
      };
    }),
  },
  'gives all days whatever is asked for': {
    fails: ['gives the days from one to another, both included, and no others'],
    ...spoiling((snapshot) => ({ days: () => snapshot.days() })),
  },
  'gives entries in the order of their ids': {
    fails: ['gives each day as its store does'],
    ...spoiling((snapshot) => {
      const sort = ({ day, entries }: AttendanceDay): AttendanceDay => ({
        day,
        entries: [...entries].sort((a, b) => (a.id < b.id ? 1 : -1)),
      });
      return { days: (...bounds) => changed(snapshot.days(...bounds), (all) => all.map(sort)) };
    }),
  },
  'leaves filings out': {
    fails: ['gives provisional scans as their store does'],
    ...spoiling((snapshot) => {
      const strip = (scan: ProvisionalScan): ProvisionalScan => {
        const stripped: { filing?: unknown } = { ...scan };
        delete stripped.filing;
        return stripped as ProvisionalScan;
      };
      return { provisional: () => changed(snapshot.provisional(), (all) => all.map(strip)) };
    }),
  },
  'can be read once only': {
    fails: ['gives the same again, also while it is being read'],
    ...spoiling((snapshot) => {
      const once = snapshot.days();
      return { days: (...bounds) => (bounds.length === 0 ? once : snapshot.days(...bounds)) };
    }),
  },
  'reads names when they are asked for': {
    fails: ['gives names as they were, whatever becomes of them'],
    ...late('names'),
  },
  'reads days when they are asked for': {
    fails: ['gives days as they were, whatever becomes of them'],
    ...late('days'),
  },
  'reads provisional scans when they are asked for': {
    fails: ['gives provisional scans as they were, whatever becomes of them'],
    ...late('provisional'),
  },
  'gives the moment of the first one again while that is open': {
    fails: ['can be taken while another one is open, each of its own moment'],
    take: (sound) => {
      let first: Promise<Snapshot> | undefined;
      return () => (first ??= sound());
    },
  },
  'puts everything back as it was when it is disposed of': {
    fails: ['does not block writers'],
    ...spoiling((_, contents) => {
      const { names, days } = contents;
      const before = new Map(names);
      return {
        [Symbol.asyncDispose]: () => {
          (names as Map<TallyId, Name>).clear();
          for (const [id, name] of before) (names as Map<TallyId, Name>).set(id, name);
          days.clear();
          return Promise.resolve();
        },
      };
    }),
  },
  'can be disposed of once only': {
    fails: ['can be disposed of twice'],
    ...spoiling(() => {
      let isOpen = true;
      return {
        [Symbol.asyncDispose]: () => {
          if (!isOpen) return Promise.reject(new Error('disposed of already'));
          isOpen = false;
          return Promise.resolve();
        },
      };
    }),
  },
  'gives groups backwards': {
    fails: ['gives persons, timelines and groups as their store does'],
    ...backwards('groups'),
  },
  'gives carried rows backwards': {
    fails: ['gives carried rows as their store does'],
    ...backwards('carried'),
  },
  'reads carried rows when they are asked for': {
    fails: ['gives persons, timelines and groups as they were, whatever becomes of them'],
    ...late('carried'),
  },
  'reads groups when they are asked for': {
    fails: ['gives persons, timelines and groups as they were, whatever becomes of them'],
    ...late('groups'),
  },
  'gives persons and timelines backwards': {
    fails: ['gives persons, timelines and groups as their store does'],
    ...backwards('persons', 'timelines'),
  },
  'reads timelines when they are asked for': {
    fails: ['gives persons, timelines and groups as they were, whatever becomes of them'],
    ...late('timelines'),
  },
  'reads persons when they are asked for': {
    fails: ['gives persons, timelines and groups as they were, whatever becomes of them'],
    ...late('persons'),
  },
  'gives corrections by number only': {
    fails: ['gives corrections as their store does'],
    ...spoiling((snapshot) => ({
      corrections: (from, to) =>
        changed(snapshot.corrections(from, to), (all) => all.sort((a, b) => a.number - b.number)),
    })),
  },
  'gives corrections as they are now': {
    fails: ['gives corrections as they were, whatever becomes of them'],
    ...late('corrections'),
  },
  'gives only the first and the last scan': {
    fails: ['gives the scans of a tag as the store of the days does'],
    ...spoiling((snapshot) => ({
      scans: async (day, id) => {
        const all = await snapshot.scans(day, id);
        return all.filter((_, index) => index === 0 || index === all.length - 1);
      },
    })),
  },
  'gives days without their scans': {
    fails: ['gives days with their known scans as the store of the days does'],
    ...spoiling((snapshot) => ({ details: (...bounds) => snapshot.days(...bounds) })),
  },
  'gives days with their scans as they are now': {
    fails: ['gives days with their known scans as they were, whatever becomes of them'],
    ...late('details'),
  },
  'gives scans as they are now': {
    fails: ['gives scans as they were, whatever becomes of them'],
    ...spoiling((_, _contents, fresh) => ({ scans: async (day, id) => (await fresh()).scans(day, id) })),
  },
});

import { DAY_MAX, type Day } from '@tallybook/domain';
import { isSameCorrection, type Correction, type NewCorrection } from '@tallybook/domain/record';
import { MemoryCorrectionStore, type MemoryCorrections } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Methods, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryCorrectionStore, 'kept') {
  /** By day and number. */
  get all(): readonly Correction[] {
    return [...this.kept.byNumber.values()].sort((a, b) => a.day - b.day || a.number - b.number);
  }
}

/** Changes the data that it takes. */
const mistaking = (
  change: (correction: NewCorrection, kept: MemoryCorrections) => NewCorrection,
): Methods<Sabotaged> => ({
  correct: (sound, fake) => (corrections) => sound(corrections.map((each) => change(each, fake.kept))),
});

/** Changes the data that it lists. */
const mislisting = (
  change: (found: readonly Correction[], from: Day, to: Day) => readonly Correction[],
): Methods<Sabotaged> => ({
  list: (sound, fake) => (from, to) => sound(from, to).then(() => change(fake.all, from, to)),
});

const within = (found: readonly Correction[], from: Day, to: Day): Correction[] =>
  found.filter(({ day }) => day >= from && day <= to);

const APART = [
  'keeps corrections apart that differ in one of their marks',
  'takes the decision of the same correction, if its own is pending',
];
const ORDERED = [
  'numbers corrections in the order given, ascending from 1',
  'lists the days from one to another, both included, by day and number',
];

/** The members that tell corrections apart, and the cases that notice a missing one. */
const marks = {
  day: [...ORDERED, ...APART, 'removes the corrections of a day, and no others'],
  id: APART,
  at: [
    ...[...ORDERED, ...APART, 'decides a pending correction', 'decides once'],
    'loses nothing of what is corrected at the same time',
  ],
  action: APART,
  madeAt: APART,
  author: APART,
} satisfies Partial<Record<keyof NewCorrection, readonly string[]>>;

const operations = ['correct', 'decide', 'find', 'list', 'remove', 'dayRevision', 'revision'];

export const correctionStoreSabotages = [
  ...faults(Sabotaged, {
    'cuts reasons': {
      fails: ['gives back corrections as they were given, with their numbers'],
      ...mistaking((correction) => ({ ...correction, reason: correction.reason.slice(0, 400) })),
    },
    'adds the last one first': {
      fails: ['numbers corrections in the order given, ascending from 1'],
      correct: (sound) => async (corrections) => [...(await sound([...corrections].reverse()))].reverse(),
    },
    'lists by number only': {
      fails: ['lists the days from one to another, both included, by day and number'],
      ...mislisting((found, from, to) => within(found, from, to).sort((a, b) => a.number - b.number)),
    },
    'finds what is not there': {
      fails: ['has nothing where nothing was corrected'],
      find: (sound, fake) => (number) => {
        const [first] = fake.all;
        const invented = { ...first, number } as Correction;
        return sound(number).then((found) => found ?? invented);
      },
    },
    'says that it removed what was not there': {
      fails: ['has nothing where nothing was corrected'],
      remove: (sound) => (day) => sound(day).then(() => true),
    },
    'adds a correction as often as it comes': {
      fails: ['adds the same correction once'],
      correct: (sound, fake) => {
        let count = 0;
        return async (corrections) => {
          const authors = corrections.map(({ author }) => author);
          const made = await sound(
            corrections.map((correction) => ({ ...correction, author: `${count++}` })),
          );
          return made.map((correction, index) => {
            const right = { ...correction, author: authors[index] ?? '' };
            fake.kept.byNumber.set(right.number, right);
            return right;
          });
        };
      },
    },
  }),
  ...Object.entries(marks).map(([mark, fails]) => ({
    fault: `does not tell corrections apart by ${mark}`,
    Fake: class extends Sabotaged {
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const known: NewCorrection[] = [...this.all];
        const taken = corrections.map((correction) => {
          const same = known.find((each) =>
            isSameCorrection({ ...each, [mark]: correction[mark as keyof typeof marks] }, correction),
          );
          if (same === undefined) known.push(correction);
          return same ?? correction;
        });
        return super.correct(taken);
      }
    },
    fails,
  })),
  ...faults(Sabotaged, {
    'decides nothing': {
      fails: ['decides a pending correction'],
      decide: (_, fake) => (number) => fake.find(number),
    },
    'decides anew': {
      fails: ['decides once', 'decides once also when two decide at the same time'],
      decide:
        (_, fake) =>
        async (number, { state, ...decision }) => {
          const found = await fake.find(number);
          if (found === undefined) return undefined;
          const decided = { ...found, state, decision };
          fake.kept.byNumber.set(number, decided);
          await fake.correct([{ ...decided, madeAt: 0 as Correction['madeAt'] }]);
          fake.kept.byNumber.delete(fake.kept.lastNumber);
          return decided;
        },
    },
    'takes any decision of the same correction': {
      fails: ['keeps its decision when the same correction comes undecided'],
      correct: (sound, fake) => async (corrections) => {
        const made = await sound(corrections);
        return made.map((each, index) => {
          const { state = 'pending', decision } = corrections[index] ?? {};
          const taken = { ...each, state, ...(decision !== undefined && { decision }) };
          fake.kept.byNumber.set(each.number, taken);
          return taken;
        });
      },
    },
    'finds corrections of one day only': {
      fails: ['finds a correction by its number, whatever its day'],
      find: (sound) => async (number) => {
        const found = await sound(number);
        return found?.day === DAY_MAX ? undefined : found;
      },
    },
    'removes nothing': {
      fails: ['gives no number twice, also after a removal'],
      remove: (_, fake) => async (day) => (await fake.list(day, day)).length > 0,
    },
    'removes the later days too': {
      fails: ['removes the corrections of a day, and no others'],
      remove: (sound, fake) => async (day) => {
        const later = fake.all.filter((each) => each.day > day).map((each) => sound(each.day));
        const [removed] = await Promise.all([sound(day), ...later]);
        return removed;
      },
    },
    'loses what is corrected at the same time': {
      fails: ['loses nothing of what is corrected at the same time'],
      correct: (sound, fake) => async (corrections) => {
        const { lastNumber } = fake.kept;
        await Promise.resolve();
        fake.kept.lastNumber = lastNumber;
        return sound(corrections);
      },
    },
    'keeps the revision of a day': {
      fails: ['changes the revisions of the day and of all when something is added, decided or removed'],
      dayRevision: (_, fake) => () => fake.run(() => Promise.resolve('same')),
    },
    'keeps the revision of all when something is decided': {
      fails: ['changes the revisions of the day and of all when something is added, decided or removed'],
      revision: (sound, fake) => async () => {
        await sound();
        return String(fake.kept.lastNumber + fake.kept.byNumber.size);
      },
    },
    'gives another revision each time': {
      fails: ['keeps revisions while nothing changes, and those of other days'],
      dayRevision: (sound) => {
        let count = 0;
        return async (day) => `${await sound(day)} ${count++}`;
      },
    },
    'gives the list that it keeps': class extends Sabotaged {
      static readonly fails = ['gives results that later writes do not change'];
      readonly #given = new Map<Day, Correction[]>();

      override async list(from: Day, to: Day): Promise<readonly Correction[]> {
        const found = await super.list(from, to);
        if (from !== to) return found;
        const given = this.#given.get(from) ?? [];
        this.#given.set(from, given);
        given.splice(0, given.length, ...found);
        return given;
      }

      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const made = await super.correct(corrections);
        for (const day of this.#given.keys()) await this.list(day, day);
        return made;
      }
    },
    'keeps corrections in the object only': {
      fails: ['keeps corrections and decisions across a restart'],
      onClose: (sound, fake) => () => {
        fake.kept.byNumber.clear();
        return sound();
      },
    },
    'counts anew after a restart': {
      fails: ['gives no number twice across a restart, also after a removal'],
      onClose: (sound, fake) => () => {
        fake.kept.lastNumber = Math.max(0, ...fake.kept.byNumber.keys());
        return sound();
      },
    },
  }),
  ...closedStoreSabotages(MemoryCorrectionStore, operations),
];

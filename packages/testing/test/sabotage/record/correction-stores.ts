import { DAY_MAX, type Day, type Revision } from '@tallybook/domain';
import {
  isSameCorrection,
  type Correction,
  type NewCorrection,
  type Verdict,
} from '@tallybook/domain/record';
import { MemoryCorrectionStore, type MemoryCorrections } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Sabotage } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryCorrectionStore {
  protected readonly kept: MemoryCorrections;

  constructor(corrections: MemoryCorrections) {
    super(corrections);
    this.kept = corrections;
  }

  /** By day and number. */
  protected get all(): readonly Correction[] {
    return [...this.kept.byNumber.values()].sort((a, b) => a.day - b.day || a.number - b.number);
  }
}

/** A fake whose sabotage changes the data that it takes. */
abstract class Mistaking extends Sabotaged {
  protected abstract mistake(correction: NewCorrection): NewCorrection;

  override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    return super.correct(corrections.map((correction) => this.mistake(correction)));
  }
}

/** A fake whose sabotage changes the data that it lists. */
abstract class Mislisting extends Sabotaged {
  protected abstract mislist(found: readonly Correction[], from: Day, to: Day): readonly Correction[];

  override list(from: Day, to: Day): Promise<readonly Correction[]> {
    return super.list(from, to).then(() => this.mislist(this.all, from, to));
  }
}

const within = (found: readonly Correction[], from: Day, to: Day): Correction[] =>
  found.filter(({ day }) => day >= from && day <= to);

/** The members that tell corrections apart, and the cases that notice a missing one. */
const marks: readonly (readonly [mark: keyof NewCorrection, fails: readonly string[]])[] = [
  [
    'day',
    [
      'numbers corrections in the order given, ascending from 1',
      'lists the days from one to another, both included, by day and number',
      'keeps corrections apart that differ in one of their marks',
      'takes the decision of the same correction, if its own is pending',
      'removes the corrections of a day, and no others',
    ],
  ],
  [
    'id',
    [
      'keeps corrections apart that differ in one of their marks',
      'takes the decision of the same correction, if its own is pending',
    ],
  ],
  [
    'at',
    [
      'numbers corrections in the order given, ascending from 1',
      'lists the days from one to another, both included, by day and number',
      'keeps corrections apart that differ in one of their marks',
      'decides a pending correction',
      'decides once',
      'takes the decision of the same correction, if its own is pending',
      'loses nothing of what is corrected at the same time',
    ],
  ],
  [
    'action',
    [
      'keeps corrections apart that differ in one of their marks',
      'takes the decision of the same correction, if its own is pending',
    ],
  ],
  [
    'madeAt',
    [
      'keeps corrections apart that differ in one of their marks',
      'takes the decision of the same correction, if its own is pending',
    ],
  ],
  [
    'author',
    [
      'keeps corrections apart that differ in one of their marks',
      'takes the decision of the same correction, if its own is pending',
    ],
  ],
];

const operations = ['correct', 'decide', 'find', 'list', 'remove', 'dayRevision', 'revision'];

export const correctionStoreSabotages: readonly Sabotage<
  new (corrections: MemoryCorrections) => MemoryCorrectionStore
>[] = [
  ...faults<new (corrections: MemoryCorrections) => MemoryCorrectionStore>({
    'cuts reasons': class extends Mistaking {
      static readonly fails = ['gives back corrections as they were given, with their numbers'];
      protected override mistake(correction: NewCorrection): NewCorrection {
        return { ...correction, reason: correction.reason.slice(0, 400) };
      }
    },
    'forgets what was decided before': class extends Mistaking {
      static readonly fails = ['gives back corrections as they were given, with their numbers'];
      protected override mistake(correction: NewCorrection): NewCorrection {
        const forgotten = { ...correction };
        Reflect.deleteProperty(forgotten, 'decision');
        return forgotten;
      }
    },
    'adds the last one first': class extends Sabotaged {
      static readonly fails = ['numbers corrections in the order given, ascending from 1'];
      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        return [...(await super.correct([...corrections].reverse()))].reverse();
      }
    },
    'counts from 0': class extends Sabotaged {
      static readonly fails = ['numbers corrections in the order given, ascending from 1'];
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        if (this.kept.byNumber.size === 0 && this.kept.lastNumber === 0) this.kept.lastNumber = -1;
        return super.correct(corrections);
      }
    },
    'lists by number only': class extends Mislisting {
      static readonly fails = ['lists the days from one to another, both included, by day and number'];
      protected override mislist(found: readonly Correction[], from: Day, to: Day): readonly Correction[] {
        return within(found, from, to).sort((a, b) => a.number - b.number);
      }
    },
    'leaves the last day out': class extends Mislisting {
      static readonly fails = ['keeps corrections apart that differ in one of their marks'];
      protected override mislist(found: readonly Correction[], from: Day, to: Day): readonly Correction[] {
        return within(found, from, to).filter(({ day }) => from === to || day < to);
      }
    },
    'finds what is not there': class extends Sabotaged {
      static readonly fails = ['has nothing where nothing was corrected'];
      override find(number: number): Promise<Correction | undefined> {
        const [first] = this.all;
        const invented = { ...first, number } as Correction;
        return super.find(number).then((found) => found ?? invented);
      }
    },
    'says that it removed what was not there': class extends Sabotaged {
      static readonly fails = ['has nothing where nothing was corrected'];
      override remove(day: Day): Promise<boolean> {
        return super.remove(day).then(() => true);
      }
    },
    'adds a correction as often as it comes': class extends Sabotaged {
      static readonly fails = ['adds the same correction once'];
      #count = 0;

      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const authors = corrections.map(({ author }) => author);
        const made = await super.correct(
          corrections.map((correction) => ({ ...correction, author: `${this.#count++}` })),
        );
        return made.map((correction, index) => {
          const right = { ...correction, author: authors[index] ?? '' };
          this.kept.byNumber.set(right.number, right);
          return right;
        });
      }
    },
  }),
  ...marks.map(([mark, fails]) => ({
    fault: `does not tell corrections apart by ${mark}`,
    Fake: class extends Sabotaged {
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const known: NewCorrection[] = [...this.all];
        const taken = corrections.map((correction) => {
          const same = known.find((each) =>
            isSameCorrection({ ...each, [mark]: correction[mark] }, correction),
          );
          if (same === undefined) known.push(correction);
          return same ?? correction;
        });
        return super.correct(taken);
      }
    },
    fails,
  })),
  ...faults<new (corrections: MemoryCorrections) => MemoryCorrectionStore>({
    'decides nothing': class extends Sabotaged {
      static readonly fails = ['decides a pending correction'];
      override decide(number: number): Promise<Correction | undefined> {
        return super.find(number);
      }
    },
    'keeps no reason of a decision': class extends Sabotaged {
      static readonly fails = ['decides a pending correction'];
      override decide(number: number, { state, by, at }: Verdict): Promise<Correction | undefined> {
        return super.decide(number, { state, by, at });
      }
    },
    'decides anew': class extends Sabotaged {
      static readonly fails = ['decides once', 'decides once also when two decide at the same time'];
      override async decide(
        number: number,
        { state, ...decision }: Verdict,
      ): Promise<Correction | undefined> {
        const found = await super.find(number);
        if (found === undefined) return undefined;
        const decided = { ...found, state, decision };
        this.kept.byNumber.set(number, decided);
        await super.correct([{ ...decided, madeAt: 0 as Correction['madeAt'] }]);
        this.kept.byNumber.delete(this.kept.lastNumber);
        return decided;
      }
    },
    'says what it would have decided': class extends Sabotaged {
      static readonly fails = ['decides once'];
      override async decide(number: number, verdict: Verdict): Promise<Correction | undefined> {
        const { state, ...decision } = verdict;
        const decided = await super.decide(number, verdict);
        return decided && { ...decided, state, decision };
      }
    },
    'takes no decision of the same correction': class extends Mistaking {
      static readonly fails = ['takes the decision of the same correction, if its own is pending'];
      protected override mistake(correction: NewCorrection): NewCorrection {
        const isThere = [...this.kept.byNumber.values()].some((each) => isSameCorrection(each, correction));
        return isThere ? { ...correction, state: 'pending' } : correction;
      }
    },
    'takes any decision of the same correction': class extends Sabotaged {
      static readonly fails = ['keeps its decision when the same correction comes undecided'];
      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const made = await super.correct(corrections);
        return made.map((each, index) => {
          const { state = 'pending', decision } = corrections[index] ?? {};
          const taken = { ...each, state, ...(decision !== undefined && { decision }) };
          this.kept.byNumber.set(each.number, taken);
          return taken;
        });
      }
    },
    'finds corrections of one day only': class extends Sabotaged {
      static readonly fails = ['finds a correction by its number, whatever its day'];
      override async find(number: number): Promise<Correction | undefined> {
        const found = await super.find(number);
        return found?.day === DAY_MAX ? undefined : found;
      }
    },
    'removes nothing': class extends Sabotaged {
      static readonly fails = ['gives no number twice, also after a removal'];
      override async remove(day: Day): Promise<boolean> {
        return (await super.list(day, day)).length > 0;
      }
    },
    'removes the later days too': class extends Sabotaged {
      static readonly fails = ['removes the corrections of a day, and no others'];
      override async remove(day: Day): Promise<boolean> {
        const later = this.all.filter((each) => each.day > day).map((each) => super.remove(each.day));
        const [removed] = await Promise.all([super.remove(day), ...later]);
        return removed;
      }
    },
    'gives numbers of removed corrections again': class extends Sabotaged {
      static readonly fails = ['gives no number twice, also after a removal'];
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        this.kept.lastNumber = Math.max(0, ...this.kept.byNumber.keys());
        return super.correct(corrections);
      }
    },
    'loses what is corrected at the same time': class extends Sabotaged {
      static readonly fails = ['loses nothing of what is corrected at the same time'];
      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const { lastNumber } = this.kept;
        await Promise.resolve();
        this.kept.lastNumber = lastNumber;
        return super.correct(corrections);
      }
    },
    'keeps the revision of a day': class extends Sabotaged {
      static readonly fails = [
        'changes the revisions of the day and of all when something is added, decided or removed',
      ];
      override dayRevision(): Promise<Revision> {
        return this.run(() => Promise.resolve('same'));
      }
    },
    'keeps the revision of all when something is decided': class extends Sabotaged {
      static readonly fails = [
        'changes the revisions of the day and of all when something is added, decided or removed',
      ];
      override async revision(): Promise<Revision> {
        await super.revision();
        return String(this.kept.lastNumber + this.kept.byNumber.size);
      }
    },
    'gives another revision each time': class extends Sabotaged {
      static readonly fails = ['keeps revisions while nothing changes, and those of other days'];
      #count = 0;

      override async dayRevision(day: Day): Promise<Revision> {
        return `${await super.dayRevision(day)} ${this.#count++}`;
      }
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
    'keeps corrections in the object only': class extends Sabotaged {
      static readonly fails = ['keeps corrections and decisions across a restart'];
      protected override onClose(): Promise<void> {
        this.kept.byNumber.clear();
        return super.onClose();
      }
    },
    'counts anew after a restart': class extends Sabotaged {
      static readonly fails = ['gives no number twice across a restart, also after a removal'];
      protected override onClose(): Promise<void> {
        this.kept.lastNumber = Math.max(0, ...this.kept.byNumber.keys());
        return super.onClose();
      }
    },
  }),
  ...closedStoreSabotages<MemoryCorrections, MemoryCorrectionStore>(MemoryCorrectionStore, operations),
];

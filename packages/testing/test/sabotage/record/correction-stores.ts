import { DAY_MAX, type Day, type Revision } from '@tallybook/domain';
import {
  isSameCorrection,
  type Correction,
  type NewCorrection,
  type Verdict,
} from '@tallybook/domain/record';
import { MemoryCorrectionStore, type MemoryCorrections } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import type { Sabotage } from '../sabotage.js';

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
  {
    fault: 'cuts reasons',
    Fake: class extends Mistaking {
      protected override mistake(correction: NewCorrection): NewCorrection {
        return { ...correction, reason: correction.reason.slice(0, 400) };
      }
    },
    fails: ['gives back corrections as they were given, with their numbers'],
  },
  {
    fault: 'forgets what was decided before',
    Fake: class extends Mistaking {
      protected override mistake(correction: NewCorrection): NewCorrection {
        const forgotten = { ...correction };
        Reflect.deleteProperty(forgotten, 'decision');
        return forgotten;
      }
    },
    fails: ['gives back corrections as they were given, with their numbers'],
  },
  {
    fault: 'adds the last one first',
    Fake: class extends Sabotaged {
      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        return [...(await super.correct([...corrections].reverse()))].reverse();
      }
    },
    fails: ['numbers corrections in the order given, ascending from 1'],
  },
  {
    fault: 'counts from 0',
    Fake: class extends Sabotaged {
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        if (this.kept.byNumber.size === 0 && this.kept.lastNumber === 0) this.kept.lastNumber = -1;
        return super.correct(corrections);
      }
    },
    fails: ['numbers corrections in the order given, ascending from 1'],
  },
  {
    fault: 'lists by number only',
    Fake: class extends Mislisting {
      protected override mislist(found: readonly Correction[], from: Day, to: Day): readonly Correction[] {
        return within(found, from, to).sort((a, b) => a.number - b.number);
      }
    },
    fails: ['lists the days from one to another, both included, by day and number'],
  },
  {
    fault: 'leaves the last day out',
    Fake: class extends Mislisting {
      protected override mislist(found: readonly Correction[], from: Day, to: Day): readonly Correction[] {
        return within(found, from, to).filter(({ day }) => from === to || day < to);
      }
    },
    fails: ['keeps corrections apart that differ in one of their marks'],
  },
  {
    fault: 'finds what is not there',
    Fake: class extends Sabotaged {
      override find(number: number): Promise<Correction | undefined> {
        const [first] = this.all;
        const invented = { ...first, number } as Correction;
        return super.find(number).then((found) => found ?? invented);
      }
    },
    fails: ['has nothing where nothing was corrected'],
  },
  {
    fault: 'says that it removed what was not there',
    Fake: class extends Sabotaged {
      override remove(day: Day): Promise<boolean> {
        return super.remove(day).then(() => true);
      }
    },
    fails: ['has nothing where nothing was corrected'],
  },
  {
    fault: 'adds a correction as often as it comes',
    Fake: class extends Sabotaged {
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
    fails: ['adds the same correction once'],
  },
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
  {
    fault: 'decides nothing',
    Fake: class extends Sabotaged {
      override decide(number: number): Promise<Correction | undefined> {
        return super.find(number);
      }
    },
    fails: ['decides a pending correction'],
  },
  {
    fault: 'keeps no reason of a decision',
    Fake: class extends Sabotaged {
      override decide(number: number, { state, by, at }: Verdict): Promise<Correction | undefined> {
        return super.decide(number, { state, by, at });
      }
    },
    fails: ['decides a pending correction'],
  },
  {
    fault: 'decides anew',
    Fake: class extends Sabotaged {
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
    fails: ['decides once', 'decides once also when two decide at the same time'],
  },
  {
    fault: 'says what it would have decided',
    Fake: class extends Sabotaged {
      override async decide(number: number, verdict: Verdict): Promise<Correction | undefined> {
        const { state, ...decision } = verdict;
        const decided = await super.decide(number, verdict);
        return decided && { ...decided, state, decision };
      }
    },
    fails: ['decides once'],
  },
  {
    fault: 'takes no decision of the same correction',
    Fake: class extends Mistaking {
      protected override mistake(correction: NewCorrection): NewCorrection {
        const isThere = [...this.kept.byNumber.values()].some((each) => isSameCorrection(each, correction));
        return isThere ? { ...correction, state: 'pending' } : correction;
      }
    },
    fails: ['takes the decision of the same correction, if its own is pending'],
  },
  {
    fault: 'takes any decision of the same correction',
    Fake: class extends Sabotaged {
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
    fails: ['keeps its decision when the same correction comes undecided'],
  },
  {
    fault: 'finds corrections of one day only',
    Fake: class extends Sabotaged {
      override async find(number: number): Promise<Correction | undefined> {
        const found = await super.find(number);
        return found?.day === DAY_MAX ? undefined : found;
      }
    },
    fails: ['finds a correction by its number, whatever its day'],
  },
  {
    fault: 'removes nothing',
    Fake: class extends Sabotaged {
      override async remove(day: Day): Promise<boolean> {
        return (await super.list(day, day)).length > 0;
      }
    },
    fails: ['gives no number twice, also after a removal'],
  },
  {
    fault: 'removes the later days too',
    Fake: class extends Sabotaged {
      override async remove(day: Day): Promise<boolean> {
        const later = this.all.filter((each) => each.day > day).map((each) => super.remove(each.day));
        const [removed] = await Promise.all([super.remove(day), ...later]);
        return removed;
      }
    },
    fails: ['removes the corrections of a day, and no others'],
  },
  {
    fault: 'gives numbers of removed corrections again',
    Fake: class extends Sabotaged {
      override correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        this.kept.lastNumber = Math.max(0, ...this.kept.byNumber.keys());
        return super.correct(corrections);
      }
    },
    fails: ['gives no number twice, also after a removal'],
  },
  {
    fault: 'loses what is corrected at the same time',
    Fake: class extends Sabotaged {
      override async correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
        const { lastNumber } = this.kept;
        await Promise.resolve();
        this.kept.lastNumber = lastNumber;
        return super.correct(corrections);
      }
    },
    fails: ['loses nothing of what is corrected at the same time'],
  },
  {
    fault: 'keeps the revision of a day',
    Fake: class extends Sabotaged {
      override dayRevision(): Promise<Revision> {
        return this.run(() => Promise.resolve('same'));
      }
    },
    fails: ['changes the revisions of the day and of all when something is added, decided or removed'],
  },
  {
    fault: 'keeps the revision of all when something is decided',
    Fake: class extends Sabotaged {
      override async revision(): Promise<Revision> {
        await super.revision();
        return String(this.kept.lastNumber + this.kept.byNumber.size);
      }
    },
    fails: ['changes the revisions of the day and of all when something is added, decided or removed'],
  },
  {
    fault: 'gives another revision each time',
    Fake: class extends Sabotaged {
      #count = 0;

      override async dayRevision(day: Day): Promise<Revision> {
        return `${await super.dayRevision(day)} ${this.#count++}`;
      }
    },
    fails: ['keeps revisions while nothing changes, and those of other days'],
  },
  {
    fault: 'gives the list that it keeps',
    Fake: class extends Sabotaged {
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
    fails: ['gives results that later writes do not change'],
  },
  {
    fault: 'keeps corrections in the object only',
    Fake: class extends Sabotaged {
      protected override onClose(): Promise<void> {
        this.kept.byNumber.clear();
        return super.onClose();
      }
    },
    fails: ['keeps corrections and decisions across a restart'],
  },
  {
    fault: 'counts anew after a restart',
    Fake: class extends Sabotaged {
      protected override onClose(): Promise<void> {
        this.kept.lastNumber = Math.max(0, ...this.kept.byNumber.keys());
        return super.onClose();
      }
    },
    fails: ['gives no number twice across a restart, also after a removal'],
  },
  ...closedStoreSabotages<MemoryCorrections, MemoryCorrectionStore>(MemoryCorrectionStore, operations),
];

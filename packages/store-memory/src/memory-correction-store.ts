import { DAY_MAX, type Day, type Revision, type TallyId } from '@tallybook/domain';
import {
  decidedAs,
  isSameCorrection,
  type Correction,
  type CorrectionStore,
  type NewCorrection,
  type Verdict,
} from '@tallybook/domain/record';
import type { MemoryJournal } from './memory-journal.js';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryCorrectionStore}. */
export interface MemoryCorrections {
  /** The largest number ever given. */
  lastNumber: number;
  /** Ascending. */
  readonly byNumber: Map<number, Correction>;
}

/** Data without corrections. */
export function noCorrections(): MemoryCorrections {
  return { lastNumber: 0, byNumber: new Map() };
}

/** The corrections of the days from `from` to `to`, both included, by day and number. */
export function correctionsOf({ byNumber }: MemoryCorrections, from: Day, to: Day): readonly Correction[] {
  const found = [...byNumber.values()].filter(({ day }) => day >= from && day <= to);
  return found.sort((a, b) => a.day - b.day || a.number - b.number);
}

/** A {@link CorrectionStore} in memory. Its data lives as long as the given `corrections`. */
export class MemoryCorrectionStore extends MemoryStore implements CorrectionStore {
  readonly #kept: MemoryCorrections;
  readonly #journal: MemoryJournal | undefined;
  readonly #dayRevisions = new Map<Day, number>();
  #revision = 0;

  /** @param journal Gets each change. */
  constructor(corrections: MemoryCorrections = noCorrections(), journal?: MemoryJournal) {
    super();
    this.#kept = corrections;
    this.#journal = journal;
  }

  correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    return this.run(() => Promise.resolve(corrections.map((correction) => this.#correctOne(correction))));
  }

  decide(number: number, { state, ...decision }: Verdict): Promise<Correction | undefined> {
    return this.run(() => {
      const found = this.#kept.byNumber.get(number);
      if (found?.state !== 'pending') return Promise.resolve(found);
      return Promise.resolve(this.#put({ ...found, state, decision }));
    });
  }

  find(number: number): Promise<Correction | undefined> {
    return this.run(() => Promise.resolve(this.#kept.byNumber.get(number)));
  }

  list(from: Day, to: Day): Promise<readonly Correction[]> {
    return this.run(() => Promise.resolve(correctionsOf(this.#kept, from, to)));
  }

  remove(day: Day): Promise<boolean> {
    return this.run(() => {
      const gone = correctionsOf(this.#kept, day, day);
      if (gone.length === 0) return Promise.resolve(false);
      for (const { number } of gone) this.#kept.byNumber.delete(number);
      this.#touch(day);
      this.#journal?.forget((change) => change.kind === 'correction' && change.day === day);
      this.#journal?.append({ kind: 'day', day, action: 'removed' });
      return Promise.resolve(true);
    });
  }

  /** The tags that have corrections. For `MemoryErasureStore`. */
  tags(): readonly TallyId[] {
    return [...new Set([...this.#kept.byNumber.values()].map(({ id }) => id))];
  }

  /** The corrections of a tag, by day and number. For `MemoryErasureStore`. */
  correctionsOf(id: TallyId): readonly Correction[] {
    return correctionsOf(this.#kept, 0 as Day, DAY_MAX).filter((each) => each.id === id);
  }

  /** Removes a correction, without a change in the journal. For `MemoryErasureStore`. */
  erase({ number, day }: Correction): void {
    if (this.#kept.byNumber.delete(number)) this.#touch(day);
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#dayRevisions.get(day) ?? 0)));
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#revision)));
  }

  #correctOne(correction: NewCorrection): Correction {
    const { day } = correction;
    const known = correctionsOf(this.#kept, day, day).find((each) => isSameCorrection(each, correction));
    if (known === undefined) return this.#put({ ...correction, number: ++this.#kept.lastNumber });
    const made = decidedAs(known, correction);
    return made === known ? known : this.#put(made);
  }

  #put(correction: Correction): Correction {
    const { number, day, id } = correction;
    this.#kept.byNumber.set(number, correction);
    this.#touch(day);
    this.#journal?.append({ kind: 'correction', number, day, id });
    return correction;
  }

  #touch(day: Day): void {
    this.#dayRevisions.set(day, (this.#dayRevisions.get(day) ?? 0) + 1);
    this.#revision++;
  }
}

import type { Day, Revision } from '@tallybook/domain';
import {
  decidedAs,
  isSameCorrection,
  type Correction,
  type CorrectionStore,
  type NewCorrection,
  type Verdict,
} from '@tallybook/domain/record';
import type { Write } from '../database/group-commit.js';
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { decodeRow, decodeSequence, encodeSequence, unlessDamaged } from '../rows/codec.js';
import { changeRange, type KeyRange } from '../rows/keys.js';
import { correctionsOfDays, findCorrectionDay, highestNumber } from '../queries/read-corrections.js';
import { correctionsAmong, findCorrections } from '../queries/read-journal.js';
import type { Rows } from '../rows/rows.js';
import { LevelView } from './level-view.js';
import {
  correctionKey,
  correctionOfKey,
  correctionRange,
  latestNumberKey,
  decodeCorrection,
  encodeCorrection,
} from '../rows/correction-rows.js';

/** Keeps corrections in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelCorrectionStore extends LevelFacet implements CorrectionStore {
  /** The highest number at the opening. Every new number is higher, even if the row of the latest number is lost. */
  #highestNumber = 0;

  constructor(database: LevelDatabase) {
    super(database);
    database.onOpening(async () => {
      this.#highestNumber = await database.read(highestNumber);
    });
  }

  correct(corrections: readonly NewCorrection[]): Promise<readonly Correction[]> {
    return this.database.run(async () => {
      const days = [...new Set(corrections.map(({ day }) => day))];
      if (days.length === 0) return [];
      return this.#write(days, {
        keys: [latestNumberKey],
        ranges: days.map((day) => correctionRange(day, day)),
        decide: (rows) => {
          // Decoded once, even if many corrections of a day come together.
          const there = new Map(days.map((day) => [day, correctionsWithin(rows, day)]));
          return corrections.map((each) =>
            this.#correctOne(rows, each, there.get(each.day) ?? new Map<number, Correction>()),
          );
        },
      });
    });
  }

  decide(number: number, { state, ...decision }: Verdict): Promise<Correction | undefined> {
    return this.database.run(async () => {
      const day = await this.database.read((level) => findCorrectionDay(level, number));
      if (day === undefined) return undefined;
      const key = correctionKey({ day, number });
      return this.#write([day], {
        keys: [key],
        decide: (rows) => {
          const found = correctionIn(rows, key);
          return found?.state === 'pending' ? put(rows, { ...found, state, decision }) : found;
        },
      });
    });
  }

  find(number: number): Promise<Correction | undefined> {
    return this.database.run(async () => {
      const day = await this.database.read((level) => findCorrectionDay(level, number));
      if (day === undefined) return undefined;
      return (await this.#list(day, day)).find((each) => each.number === number);
    });
  }

  list(from: Day, to: Day): Promise<readonly Correction[]> {
    return this.database.run(() => this.#list(from, to));
  }

  remove(day: Day): Promise<boolean> {
    return this.database.run(async () => {
      const { told, latest } = await this.#findTold(day);
      return this.#write([day], removalOf(day, told, changeRange(latest)));
    });
  }

  dayRevision(day: Day): Promise<Revision> {
    return this.revisionOf(subjects.correctionsOf(day));
  }

  revision(): Promise<Revision> {
    return this.revisionOf(subjects.corrections);
  }

  async #list(from: Day, to: Day): Promise<readonly Correction[]> {
    const found: Correction[] = [];
    await using view = await LevelView.of(this.database);
    for await (const correction of correctionsOfDays(view, from, to)) found.push(correction);
    return found;
  }

  /** @param there The corrections of the day by their numbers; a new one is added to it. */
  #correctOne(rows: Rows, correction: NewCorrection, there: Map<number, Correction>): Correction {
    const known = findSame(there.values(), correction);
    const made = known === undefined ? this.#numbered(rows, correction) : decidedAs(known, correction);
    there.set(made.number, made);
    return put(rows, made);
  }

  #numbered(rows: Rows, correction: NewCorrection): Correction {
    const number = Math.max(latestNumber(rows), this.#highestNumber) + 1;
    rows.put(latestNumberKey, encodeSequence(number));
    return { ...correction, number };
  }

  /** Keys of the journal's changes about corrections of a day, up to the latest change. */
  async #findTold(day: Day): Promise<{ readonly told: readonly Buffer[]; readonly latest: number }> {
    await using view = await LevelView.of(this.database);
    const told = await view.read(async (level, snapshot) => {
      const [first] = await level.keys({ ...correctionRange(day, day), snapshot, limit: 1 }).all();
      return first === undefined ? [] : findCorrections(level, snapshot, day);
    });
    return { told, latest: view.latest };
  }

  #write<T>(days: readonly Day[], write: Write<T>): Promise<T> {
    return this.database.write({
      ...write,
      decide: (rows) => {
        for (const subject of [subjects.corrections, ...days.map(subjects.correctionsOf)])
          rows.touch(subject);
        return write.decide(rows);
      },
    });
  }
}

/** Puts a correction and adds the change to the journal. */
function put(rows: Rows, correction: Correction): Correction {
  const { number, day, id } = correction;
  if (rows.put(correctionKey(correction), encodeCorrection(correction))) {
    rows.tell({ kind: 'correction', number, day, id });
  }
  return correction;
}

/** The corrections of a day by their numbers. */
function correctionsWithin(rows: Rows, day: Day): Map<number, Correction> {
  const found = rows.within(correctionRange(day, day)).map(({ key }) => correctionIn(rows, key));
  return new Map(found.flatMap((each) => (each === undefined ? [] : [[each.number, each]])));
}

function findSame(there: Iterable<Correction>, correction: NewCorrection): Correction | undefined {
  for (const each of there) if (isSameCorrection(each, correction)) return each;
  return undefined;
}

function correctionIn(rows: Rows, key: Buffer): Correction | undefined {
  const value = rows.get(key);
  return value && decodeRow(key, () => decodeCorrection(correctionOfKey(key), value));
}

/** The latest number; 0 if its row is damaged, because the stored corrections show it too. */
function latestNumber(rows: Rows): number {
  const latest = unlessDamaged(() => {
    const value = rows.get(latestNumberKey);
    return value && decodeRow(latestNumberKey, () => decodeSequence(value));
  });
  return latest ?? 0;
}

/**
 * @param told Keys of the journal's changes about corrections of the day.
 * @param since A range of the journal that may have more such changes.
 */
function removalOf(day: Day, told: readonly Buffer[], since: KeyRange): Write<boolean> {
  const range = correctionRange(day, day);
  return {
    keys: told,
    ranges: [range, since],
    decide: (rows) => {
      if (rows.within(range).length === 0) return false;
      rows.deleteRange(range);
      for (const key of [...told, ...correctionsAmong(rows.within(since), day)]) rows.delete(key);
      rows.tell({ kind: 'day', day, action: 'removed' });
      return true;
    },
  };
}

import type { CorrectionStore } from '../ports/correction-store.js';
import type { DayStore, ScanSource } from '../../ports/record/day-store.js';
import type { Revision } from '../../ports/revision.js';
import type { AttendanceDay, RecordOutcome } from '../../values/record/attendance-day.js';
import type { DetailedEntry } from '../../values/record/known-scans.js';
import type { Correction } from '../../values/record/correction.js';
import type { Day } from '../../values/day.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { correctDay, isApprovedAddition, type CorrectedDay } from './correct-day.js';

export interface CorrectedDayStoreParts {
  /** The record without corrections. */
  readonly days: DayStore;
  readonly corrections: CorrectionStore;
}

/**
 * A {@link DayStore} whose days have their corrections applied, for all readers of the record. A day without corrections is the
 * same as in the store below.
 *
 * Writes go to the record, and their outcomes are those of the record. `scans` and `details` give the recorded scans. A day also exists if
 * an addition to it was approved. A day whose scans are all void still exists, without entries. Removing a day removes its
 * corrections first, so that a failed removal can be repeated.
 */
export class CorrectedDayStore implements DayStore {
  readonly #parts: CorrectedDayStoreParts;

  constructor(parts: CorrectedDayStoreParts) {
    this.#parts = parts;
  }

  record(day: Day, id: TallyId, at: Timestamp, source?: ScanSource): Promise<RecordOutcome> {
    return this.#parts.days.record(day, id, at, source);
  }

  merge(day: Day, entries: readonly DetailedEntry[]): Promise<void> {
    return this.#parts.days.merge(day, entries);
  }

  details(day: Day): Promise<AttendanceDay<DetailedEntry> | undefined> {
    return this.#parts.days.details(day);
  }

  scans(day: Day, id: TallyId): Promise<readonly Timestamp[]> {
    return this.#parts.days.scans(day, id);
  }

  async load(day: Day): Promise<AttendanceDay | undefined> {
    const { record, corrections } = await this.#read(day);
    if (corrections.length === 0) return record;
    const corrected = await this.#correct(day, record, corrections);
    return corrected && { day, entries: corrected.entries };
  }

  /** A day with all its corrections, for showing them; `undefined` as in {@link load}. */
  async explain(day: Day): Promise<CorrectedDay | undefined> {
    const { record, corrections } = await this.#read(day);
    return this.#correct(day, record, corrections);
  }

  async list(from: Day, to: Day): Promise<readonly Day[]> {
    const [recorded, corrections] = await Promise.all([
      this.#parts.days.list(from, to),
      this.#parts.corrections.list(from, to),
    ]);
    const added = corrections.filter(isApprovedAddition).map(({ day }) => day);
    if (added.length === 0) return recorded;
    return [...new Set([...recorded, ...added])].sort((a, b) => a - b);
  }

  async remove(day: Day): Promise<boolean> {
    const hadCorrections = await this.#parts.corrections.remove(day);
    return (await this.#parts.days.remove(day)) || hadCorrections;
  }

  async dayRevision(day: Day): Promise<Revision> {
    const revisions = [this.#parts.days.dayRevision(day), this.#parts.corrections.dayRevision(day)];
    return (await Promise.all(revisions)).join(' ');
  }

  async listRevision(): Promise<Revision> {
    const revisions = [this.#parts.days.listRevision(), this.#parts.corrections.revision()];
    return (await Promise.all(revisions)).join(' ');
  }

  async #read(
    day: Day,
  ): Promise<{ readonly record: AttendanceDay | undefined; readonly corrections: readonly Correction[] }> {
    const [record, corrections] = await Promise.all([
      this.#parts.days.load(day),
      this.#parts.corrections.list(day, day),
    ]);
    return { record, corrections };
  }

  #correct(
    day: Day,
    record: AttendanceDay | undefined,
    corrections: readonly Correction[],
  ): Promise<CorrectedDay | undefined> {
    return correctWith((id) => this.#parts.days.scans(day, id), { day, record, corrections });
  }
}

/** Corrects a day. Reads only the scans of tags with corrections. */
export async function correctWith(
  scansOf: (id: TallyId) => Promise<readonly Timestamp[]>,
  facts: {
    readonly day: Day;
    readonly record: AttendanceDay | undefined;
    readonly corrections: readonly Correction[];
  },
): Promise<CorrectedDay | undefined> {
  const { day, record, corrections } = facts;
  const scans = new Map<TallyId, readonly Timestamp[]>();
  for (const id of new Set(corrections.map((each) => each.id))) scans.set(id, await scansOf(id));
  return correctDay(day, { record, corrections, scans });
}

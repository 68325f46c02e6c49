import type { TallyId } from '@tallybook/domain';
import type { LevelDatabase } from '../database/level-database.js';
import { decodeRow } from '../rows/codec.js';
import { timelineRows } from '../rows/people-rows.js';

/**
 * The tags with a timeline, in memory: every tap and every written name asks, and most tags have none.
 *
 * It has a tag before the timeline is written, and keeps it when the timeline is removed: only the row says that there is one.
 */
export class TimelineTags {
  readonly #tags = new Set<TallyId>();

  constructor(database: LevelDatabase) {
    database.onOpening(async () => {
      const keys = await database.read((level) => level.keys(timelineRows.range).all());
      this.#tags.clear();
      for (const key of keys) this.add(decodeRow(key, () => timelineRows.idOf(key)));
    });
  }

  /** Call it before the timeline is written. */
  add(tag: TallyId): void {
    this.#tags.add(tag);
  }

  mayHave(tag: TallyId): boolean {
    return this.#tags.has(tag);
  }
}

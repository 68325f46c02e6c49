import { counted, JOURNAL_LIMIT_RANGE, type Cursor } from '@tallybook/domain';
import { encodeChange } from '../rows/change-codec.js';
import { decodeBounds, decodeSequence, encodeBounds } from '../rows/codec.js';
import { changeKey, cursorOfKey, isChangeKey, isPositionKey, journalBoundsKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';

/** No journal has more changes, so no more cursors can have been lost with the last ones. */
const LOST_MAX = JOURNAL_LIMIT_RANGE.highest;

/** The state of a journal by its rows. */
export class JournalSurvey {
  #changes = 0;
  #first: Cursor | undefined;
  #last: Cursor = 0;
  /** The furthest position of a consumer. */
  #furthest: Cursor = 0;
  #bounds: ReturnType<typeof decodeBounds> | undefined;

  /** Notes a row, if it is one of the journal. Rows come in the order of their keys, and are meaningful. */
  add({ key, value }: SavedRow): void {
    if (isChangeKey(key)) {
      this.#last = cursorOfKey(key);
      this.#first ??= this.#last;
      this.#changes++;
    } else if (isPositionKey(key)) {
      this.#furthest = Math.max(this.#furthest, decodeSequence(value));
    } else if (key.equals(journalBoundsKey)) {
      this.#bounds = decodeBounds(value);
    }
  }

  /** The damage, for people; `undefined` if the rows show none. */
  get damage(): string | undefined {
    const { forgotten, gaps } = this.#bounds ?? { forgotten: 0, gaps: 0 };
    const expected = Math.max(this.#last - forgotten - gaps, this.#bounds === undefined ? 0 : 1);
    if (this.#changes === expected) return undefined;
    return `the journal should have ${counted(expected, 'change')} and has ${this.#changes}`;
  }

  /**
   * Rows that complete the remaining journal: the last change says that the store was repaired, under a cursor that was never given
   * before, and is after all positions.
   *
   * @param writtenAt Now, in seconds since 1970.
   */
  mend(writtenAt: number): readonly SavedRow[] {
    // If the row about removed changes is lost, all missing changes before the first one count as removed.
    const forgotten = this.#bounds?.forgotten ?? Math.max((this.#first ?? 0) - 1, 0);
    const cursor = Math.max(this.#last, forgotten, this.#furthest) + LOST_MAX;
    const gaps = cursor - forgotten - this.#changes - 1;
    return [
      { key: changeKey(cursor), value: encodeChange({ change: { kind: 'repaired' }, writtenAt }) },
      { key: journalBoundsKey, value: encodeBounds(forgotten, gaps) },
    ];
  }
}

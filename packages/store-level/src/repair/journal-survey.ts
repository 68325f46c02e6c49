import { counted, JOURNAL_LIMIT_RANGE, type Cursor } from '@tallybook/domain';
import { encodeChange } from '../rows/change-codec.js';
import { decodeBounds, decodeSequence, encodeBounds } from '../rows/codec.js';
import { changeKey, cursorOfKey, isChangeKey, isPositionKey, journalBoundsKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';

/** No journal has more changes, so at most as many cursors were lost at its end. */
const LOST_MAX = JOURNAL_LIMIT_RANGE.highest;

/** The state of a journal, found from its rows. */
export class JournalSurvey {
  #changes = 0;
  #first: Cursor | undefined;
  #last: Cursor = 0;
  /** The furthest position of a consumer. */
  #furthest: Cursor = 0;
  #bounds: ReturnType<typeof decodeBounds> | undefined;

  /** Notes a row, if it belongs to the journal. Rows must be valid, and come in the order of their keys. */
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
   * Rows that complete the remaining journal. Its last change says that the store was repaired. The cursor of that change was
   * never given before, and is after all positions.
   *
   * @param writtenAt Now, in seconds since 1970.
   */
  complete(writtenAt: number): readonly SavedRow[] {
    // If the row about removed changes is lost, all missing changes before the first remaining one count as removed.
    const forgotten = this.#bounds?.forgotten ?? Math.max((this.#first ?? 0) - 1, 0);
    const cursor = Math.max(this.#last, forgotten, this.#furthest) + LOST_MAX;
    const gaps = cursor - forgotten - this.#changes - 1;
    return [
      { key: changeKey(cursor), value: encodeChange({ change: { kind: 'repaired' }, writtenAt }) },
      { key: journalBoundsKey, value: encodeBounds(forgotten, gaps) },
    ];
  }
}

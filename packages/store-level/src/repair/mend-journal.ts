import { counted, JOURNAL_LIMIT_RANGE, type Cursor } from '@tallybook/domain';
import { encodeChange } from '../rows/change-codec.js';
import { decodeBounds, decodeSequence, encodeBounds } from '../rows/codec.js';
import { changeKey, cursorOfKey, isChangeKey, isPositionKey, journalBoundsKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';

/** No journal has more changes, so no more cursors can have been lost with the last ones. */
const LOST_MAX = JOURNAL_LIMIT_RANGE.highest;

/** What the rows of a journal tell about it. */
export class JournalSurvey {
  #changes = 0;
  #first: Cursor | undefined;
  #last: Cursor = 0;
  /** The furthest position of a consumer. */
  #furthest: Cursor = 0;
  #bounds: ReturnType<typeof decodeBounds> | undefined;

  /** Takes note of a row, if it is one of the journal. Rows come in the order of their keys, and are meaningful. */
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

  /** What is wrong, for people; `undefined` if nothing is, as far as the rows tell. */
  get damage(): string | undefined {
    const { forgotten, gaps } = this.#bounds ?? { forgotten: 0, gaps: 0 };
    const expected = Math.max(this.#last - forgotten - gaps, this.#bounds === undefined ? 0 : 1);
    if (this.#changes === expected) return undefined;
    return `the journal should have ${counted(expected, 'change')} and has ${this.#changes}`;
  }

  /**
   * Rows that make one journal of what is left: the last change says that the store was repaired, under a cursor that was
   * never given before, and is behind all positions.
   *
   * @param writtenAt Now, in seconds since 1970.
   */
  mend(writtenAt: number): readonly SavedRow[] {
    // If nobody knows what was removed before, all that is missing before the first change was.
    const forgotten = this.#bounds?.forgotten ?? Math.max((this.#first ?? 0) - 1, 0);
    const cursor = Math.max(this.#last, forgotten, this.#furthest) + LOST_MAX;
    const gaps = cursor - forgotten - this.#changes - 1;
    return [
      { key: changeKey(cursor), value: encodeChange({ change: { kind: 'repaired' }, writtenAt }) },
      { key: journalBoundsKey, value: encodeBounds(forgotten, gaps) },
    ];
  }
}

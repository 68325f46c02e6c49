import type { ProvisionalChange, Scan, ScanChange, Timestamp } from '@tallybook/domain';

/** Largest number of remembered taps; the oldest ones are forgotten first. */
const MOST_TAPS = 10_000;

/**
 * Remembers the taps whose `msg` was sent at once. Taps at another server are only in the journal, and get their `msg` with
 * their change.
 */
export class OwnTaps {
  /** The times of the taps, by tag and reader. */
  readonly #waiting = new Map<string, Timestamp[]>();
  #count = 0;

  /** Remembers a tap whose `msg` was sent. */
  note({ id, reader, at }: Scan): void {
    const key = `${id} ${reader}`;
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), at]);
    this.#count++;
    if (this.#count <= MOST_TAPS) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#takeFirst(oldest, () => true);
  }

  /** Whether the `msg` for the tap of a change was sent. If so, the tap is forgotten. */
  take(change: ScanChange | ProvisionalChange): boolean {
    const key = `${change.id} ${change.reader}`;
    return this.#takeFirst(key, (at) => change.kind === 'provisional' || at === change.at);
  }

  #takeFirst(key: string, isIt: (at: Timestamp) => boolean): boolean {
    const taps = this.#waiting.get(key);
    const index = taps?.findIndex(isIt) ?? -1;
    if (taps === undefined || index === -1) return false;
    taps.splice(index, 1);
    if (taps.length === 0) this.#waiting.delete(key);
    this.#count--;
    return true;
  }
}

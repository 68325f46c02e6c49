import type { ProvisionalChange, Scan, ScanChange, Timestamp } from '@tallybook/domain';

/** Taps that are remembered; the oldest ones are forgotten first. */
const MOST_TAPS = 10_000;

/**
 * Knows which taps had their `msg` when they happened. Taps at another server are only in the journal, and get their `msg` with
 * their change.
 */
export class OwnTaps {
  /** By tag and reader, when each was tapped. */
  readonly #waiting = new Map<string, Timestamp[]>();
  #count = 0;

  /** Notes a tap whose `msg` was sent. */
  note({ id, reader, at }: Scan): void {
    const key = `${id} ${reader}`;
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), at]);
    this.#count++;
    if (this.#count <= MOST_TAPS) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#takeFirst(oldest, () => true);
  }

  /** Whether the `msg` of a change's tap was sent. The tap is forgotten then. */
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

import type { ProvisionalChange, Scan, ScanChange, Timestamp } from '@tallybook/domain';

/** Taps that are remembered; the ones that wait longest for their change go first. */
const MOST_TAPS = 10_000;

/**
 * Knows which taps were told when they happened, so that those at another server, of which only the journal tells, can be
 * told with their change.
 */
export class OwnTaps {
  /** By tag and reader, when each was tapped. */
  readonly #waiting = new Map<string, Timestamp[]>();
  #count = 0;

  /** A tap was told. */
  note({ id, reader, at }: Scan): void {
    const key = `${id} ${reader}`;
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), at]);
    this.#count++;
    if (this.#count <= MOST_TAPS) return;
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#takeFirst(oldest, () => true);
  }

  /** Whether the tap of a change was told, and is forgotten now. */
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

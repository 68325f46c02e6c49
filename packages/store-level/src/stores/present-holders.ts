import type { TagHolder, TallyId, Timestamp } from '@tallybook/domain';

/** Tags whose holders are remembered: more than are tapped on a day. */
const MOST = 10_000;

interface Known {
  /** Of all persons and timelines, before they were read. */
  readonly revision: string;
  /** The second of the last entry. */
  readonly since: Timestamp;
  readonly holder: TagHolder;
}

/** The present holders of tags with a timeline, as long as no person and no timeline changes: reading them takes several rows. */
export class PresentHolders {
  readonly #known = new Map<TallyId, Known>();

  find(tag: TallyId, at: Timestamp, revision: string): TagHolder | undefined {
    const known = this.#known.get(tag);
    return known?.revision === revision && at >= known.since ? known.holder : undefined;
  }

  put(tag: TallyId, known: Known): void {
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(tag, known);
  }
}

import type { Clock } from '../../ports/clock.js';
import type { Journal } from '../../ports/record/journal.js';
import type { RefusedItem, SyncItem } from '../../values/sync/sync.js';

/** Under it the journal of this device keeps how many erasures the centre did not take. */
const HELD = 'upstream held-erasures';
/** How long after they were sent they are sent again, in milliseconds. */
const AGAIN_MS = 3_600_000;

/**
 * How many erasures the centre did not take, for want of room or since their digests are taken there. They stay here, and are sent again,
 * since their persons may come back there until it takes them.
 */
export class HeldErasures {
  readonly #journal: Pick<Journal, 'position' | 'advance'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** As it was noted before a restart; until they are sent again, nobody knows which ones they are. */
  #before = 0;
  readonly #digests = new Set<string>();
  #sentMs = -Infinity;

  constructor(journal: Pick<Journal, 'position' | 'advance'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#journal = journal;
    this.#clock = clock;
  }

  get count(): number {
    return Math.max(this.#before, this.#digests.size);
  }

  /** Reads what was noted before a restart. */
  async load(): Promise<void> {
    this.#before = (await this.#journal.position(HELD)) ?? 0;
    this.#sentMs = -Infinity;
  }

  /** Counts those of a batch that the centre refused, and resolves when that is noted. */
  async note(refused: readonly RefusedItem[], items: readonly SyncItem[]): Promise<void> {
    const cursors = new Set(refused.filter(isHeld).map(({ cursor }) => cursor));
    const before = this.count;
    for (const item of items) {
      if (item.kind === 'erasure' && cursors.has(item.cursor)) this.#digests.add(item.erasure.digest);
    }
    if (this.count > before) await this.#journal.advance(HELD, this.count);
  }

  /**
   * Sends them again, if it is time.
   *
   * @param send Sends all erasures, and tells {@link note} of each answer before it resolves.
   */
  async sendAgain(send: () => Promise<void>): Promise<void> {
    const before = this.count;
    const now = this.#clock.monotonicMs();
    if (before === 0 || now - this.#sentMs < AGAIN_MS) return;
    this.#digests.clear();
    this.#before = 0;
    try {
      await send();
    } catch (error) {
      this.#before = before;
      throw error;
    }
    this.#sentMs = now;
    await this.#journal.advance(HELD, this.count);
  }
}

/** Whether something is an erasure that the centre may take later. */
export function isHeld({ code }: Pick<RefusedItem, 'code'>): boolean {
  return code === 'TOO_MANY_ERASURE_KEYS' || code === 'TOO_MANY_ERASURES' || code === 'ERASURE_CONFLICT';
}

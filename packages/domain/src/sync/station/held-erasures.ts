import type { Clock } from '../../ports/clock.js';
import type { Journal } from '../../ports/record/journal.js';
import type { RefusedItem, SyncItem } from '../values/sync.js';

/** Name under which the journal of this device keeps the number of erasures that the centre did not take. */
const HELD = 'upstream held-erasures';
/** Milliseconds after which held erasures are sent again. */
const AGAIN_MS = 3_600_000;

/**
 * Counts the erasures that the centre did not take, because it has no room or has their digests under another key. They stay
 * here, and are sent again: until the centre takes them, data of these persons can come back there.
 */
export class HeldErasures {
  readonly #journal: Pick<Journal, 'position' | 'advance'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /**
   * The number that was noted before a restart. Until the erasures are sent again, it is unknown which ones they are.
   */
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

  /** Reads the number that was noted before a restart. */
  async load(): Promise<void> {
    this.#before = (await this.#journal.position(HELD)) ?? 0;
    this.#sentMs = -Infinity;
  }

  /** Counts the refused erasures of a batch. Resolves when the number is noted. */
  async note(refused: readonly RefusedItem[], items: readonly SyncItem[]): Promise<void> {
    const cursors = new Set(refused.filter(isHeld).map(({ cursor }) => cursor));
    const before = this.count;
    for (const item of items) {
      if (item.kind === 'erasure' && cursors.has(item.cursor)) this.#digests.add(item.erasure.digest);
    }
    if (this.count > before) await this.#journal.advance(HELD, this.count);
  }

  /**
   * Sends the held erasures again, if they are due.
   *
   * @param send Sends all erasures, and calls {@link note} for each answer before it resolves.
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

/** Whether a refused item is an erasure that the centre may take later. */
export function isHeld({ code }: Pick<RefusedItem, 'code'>): boolean {
  return code === 'TOO_MANY_ERASURE_KEYS' || code === 'TOO_MANY_ERASURES' || code === 'ERASURE_CONFLICT';
}

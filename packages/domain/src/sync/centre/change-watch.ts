import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import type { Cursor, Journal } from '../../ports/record/journal.js';
import type { Subscription } from '../../subscribable.js';
import { concernsStations } from '../items/down-items.js';

/** The needed part of an `AbortSignal`: the domain uses no API of a platform. */
export interface SyncSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Number of changes in one read. */
const PAGE_SIZE = 1_000;

/**
 * Waits for changes that concern stations, for all requests together: each change is read once, however many requests wait.
 * Most changes are taps, which concern no station.
 */
export class ChangeWatch extends ManagedResource {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #seen: Cursor = 0;
  #working: Promise<void> | undefined;
  #isHinted = false;
  #subscription: Subscription | undefined;

  constructor(journal: Journal, clock: Clock) {
    super();
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * Resolves when there may be a change for stations after a cursor, after `waitMs` milliseconds, when this watch closes, or when
   * the signal is aborted.
   *
   * @param after The caller has found no change for stations after this cursor.
   */
  async wait(after: Cursor, waitMs: number, signal?: SyncSignal): Promise<void> {
    // Changes after the cursor were already read here, and will not wake this request.
    if (this.status !== 'open' || this.#seen > after || waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.unsubscribe();
        this.#waiting.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.#clock.schedule(waitMs, end, { holdsProgram: false });
      this.#waiting.add(end);
      signal?.addEventListener('abort', end);
    });
  }

  protected override async onOpen(): Promise<void> {
    this.#seen = await this.#journal.latest();
    this.#subscription = this.#journal.appended.subscribe(() => {
      this.#isHinted = true;
      this.#working ??= this.#look();
    });
  }

  protected override async onClose(): Promise<void> {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
    this.#wake();
    await this.#working;
  }

  async #look(): Promise<void> {
    while (this.#isHinted) {
      this.#isHinted = false;
      try {
        await this.#read();
      } catch {
        // The waiting requests now read the journal themselves, and get the error.
        this.#wake();
      }
    }
    this.#working = undefined;
  }

  async #read(): Promise<void> {
    for (;;) {
      const page = await this.#journal.read(this.#seen, PAGE_SIZE);
      const last = page.isKnown ? page.entries.at(-1)?.cursor : await this.#journal.latest();
      if (last === undefined) return;
      this.#seen = last;
      if (!page.isKnown || page.entries.some(({ change }) => concernsStations(change))) this.#wake();
      if (!page.isKnown) return;
    }
  }

  #wake(): void {
    for (const end of [...this.#waiting]) end();
  }
}

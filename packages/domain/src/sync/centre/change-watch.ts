import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import type { Cursor, Journal } from '../../ports/record/journal.js';
import type { Subscription } from '../../subscribable.js';
import { concernsStations } from '../items/down-items.js';

/** The part of an `AbortSignal` that is needed: the domain knows no platform. */
export interface SyncSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** How many changes are looked at at a time. */
const PAGE_SIZE = 1_000;

/**
 * Waits for changes that concern stations, on behalf of all requests: each change is looked at once, however many wait, since
 * most changes are taps, which concern no station.
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
   * Resolves when something that concerns stations may be after a cursor, when so many milliseconds have passed, or when this closes
   * or the signal is aborted.
   *
   * @param after Nothing that concerns stations was after it at the last look.
   */
  async wait(after: Cursor, waitMs: number, signal?: SyncSignal): Promise<void> {
    // Changes since that look were seen here already, and would wake nobody.
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
        // Those that wait now read for themselves, and get the error.
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

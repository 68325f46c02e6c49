import { Emitter, type Subscribable, type Subscription } from '@tallybook/domain';
import type { SiteRow } from './site-statements.js';

/** Milliseconds between two checks for writes of other servers, while there are subscribers. */
const LOOK_EVERY_MS = 100;

/** Emits when the row of a site has changed: at once for own writes, a little later for writes of other servers. */
export class SiteWatch {
  /** Emits when changes were added to the journal. */
  readonly appended: Subscribable<void> = {
    subscribe: (next) => this.#count(this.#appended.subscribe(next)),
  };
  /** Emits the changed row, after {@link appended}. */
  readonly changed: Subscribable<SiteRow> = {
    subscribe: (next) => this.#count(this.#changed.subscribe(next)),
  };
  readonly #appended = new Emitter<void>();
  readonly #changed = new Emitter<SiteRow>();
  readonly #look: () => Promise<SiteRow>;
  #latest: SiteRow | undefined;
  #subscribers = 0;
  #isStarted = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param look Reads the row. If it rejects, it is called again later. */
  constructor(look: () => Promise<SiteRow>) {
    this.#look = look;
  }

  /** @param row The present row. */
  start(row: SiteRow): void {
    this.#isStarted = true;
    this.#latest = row;
    this.#schedule();
  }

  stop(): void {
    this.#isStarted = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Call it when the row was read or written.
   *
   * @param before The latest row when the reading began. If the row has a smaller revision, the database has lost commits.
   */
  see(row: SiteRow, before?: SiteRow): void {
    const latest = this.#latest;
    if (row.revision === latest?.revision) return;
    const isLate = latest !== undefined && row.revision < latest.revision && before !== latest;
    if (isLate) return;
    this.#latest = row;
    if (row.seq !== latest?.seq) this.#appended.emit();
    this.#changed.emit(row);
  }

  #count(subscription: Subscription): Subscription {
    this.#subscribers++;
    this.#schedule();
    let isOver = false;
    return {
      unsubscribe: () => {
        subscription.unsubscribe();
        if (!isOver) this.#subscribers--;
        isOver = true;
      },
    };
  }

  #schedule(): void {
    if (!this.#isStarted || this.#subscribers === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#lookOnce(), LOOK_EVERY_MS);
  }

  async #lookOnce(): Promise<void> {
    try {
      const before = this.#latest;
      const row = await this.#look();
      if (this.#isStarted) this.see(row, before);
    } catch {
      // The database is away: reads and writes reject.
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }
}

import type { Clock, Subscription } from '@tallybook/domain';
import type { ServiceManager } from './service-manager.js';

/** How often systemd is asked for more time while the service starts, and for how much, in milliseconds. */
const STARTING_EVERY_MS = 20_000;
const STARTING_EXTENDED_MS = 120_000;

/**
 * Lets systemd know the state of the service: that it still starts, is ready, lives, and stops.
 *
 * A sign of life is sent twice in the time that systemd waits for one, while the event loop turns and the store answers a
 * read. A store that refuses a read has answered: starting anew would mend nothing, and lose the scans that wait in memory.
 */
export class Supervision {
  readonly #manager: ServiceManager;
  readonly #clock: Clock;
  readonly #readStore: () => Promise<unknown>;
  #appointment: Subscription | undefined;
  #isReading = false;

  constructor(manager: ServiceManager, clock: Clock, readStore: () => Promise<unknown>) {
    this.#manager = manager;
    this.#clock = clock;
    this.#readStore = readStore;
  }

  /** The service starts, which takes minutes when its store is repaired. */
  start(): void {
    if (!this.#manager.isListening) return;
    this.#again(STARTING_EVERY_MS, () => {
      void this.#manager.notify(
        `EXTEND_TIMEOUT_USEC=${STARTING_EXTENDED_MS * 1000}`,
        'STATUS=still starting',
      );
    });
  }

  /** The service does its work from now on. */
  ready(status: string): void {
    this.end();
    void this.#manager.notify('READY=1', `STATUS=${status}`);
    const { watchdogMs } = this.#manager;
    if (watchdogMs !== undefined) this.#again(watchdogMs / 2, () => void this.#showLife());
  }

  stop(): void {
    this.end();
    void this.#manager.notify('STOPPING=1', 'STATUS=stopping');
  }

  /** Sends no more signs of life. */
  end(): void {
    this.#appointment?.unsubscribe();
    this.#appointment = undefined;
  }

  async #showLife(): Promise<void> {
    // The last read of the store has not been answered.
    if (this.#isReading) return;
    this.#isReading = true;
    await this.#readStore().catch(() => undefined);
    this.#isReading = false;
    if (this.#appointment !== undefined) await this.#manager.notify('WATCHDOG=1');
  }

  #again(everyMs: number, work: () => void): void {
    const next = (): void => {
      this.#again(everyMs, work);
      work();
    };
    this.#appointment = this.#clock.schedule(everyMs, next, { holdsProgram: false });
  }
}

import type { Clock, Subscription } from '@tallybook/domain';
import type { ServiceManager } from './service-manager.js';

/** Time between two requests for more time while the service starts, and the requested time, in milliseconds. */
const STARTING_EVERY_MS = 20_000;
const STARTING_EXTENDED_MS = 120_000;

/**
 * Reports the state of the service to systemd: it still starts, is ready, is alive, or stops.
 *
 * Two signs of life are sent within the time that systemd waits, while the event loop runs and the store answers a read. A
 * store that refuses a read has answered too: a restart would repair nothing, and would lose the scans in memory.
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

  /** Call it when the service starts. A start with a repair of the store takes minutes. */
  start(): void {
    if (!this.#manager.isListening) return;
    this.#again(STARTING_EVERY_MS, () => {
      void this.#manager.notify(
        `EXTEND_TIMEOUT_USEC=${STARTING_EXTENDED_MS * 1000}`,
        'STATUS=still starting',
      );
    });
  }

  /** Call it when the service is ready. */
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

  /** Stops the signs of life. */
  end(): void {
    this.#appointment?.unsubscribe();
    this.#appointment = undefined;
  }

  async #showLife(): Promise<void> {
    // The store has not answered the last read.
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

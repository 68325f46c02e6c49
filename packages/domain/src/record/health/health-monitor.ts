import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import { worstOf, type Finding, type Health, type HealthCheck, type PartHealth } from './health.js';

export interface HealthMonitorOptions {
  /** Milliseconds for which a result is reused, default 1000, so that many requests do not run many checks. */
  readonly keepMs?: number;
}

/** Milliseconds that a check may take before it counts as failed. */
const CHECK_TIMEOUT_MS = 5_000;

/**
 * Finds the health of the service by checks of its parts.
 *
 * While the monitor is closed, the service is not ready. A check that has not answered yet is not started again.
 */
export class HealthMonitor extends ManagedResource {
  readonly #checks: RunningCheck[];
  readonly #clock: Clock;
  readonly #keepMs: number;
  #latest: { readonly health: Promise<Health>; readonly sinceMs: number } | undefined;

  constructor(checks: readonly HealthCheck[], clock: Clock, { keepMs = 1_000 }: HealthMonitorOptions = {}) {
    super();
    this.#checks = checks.map((check) => new RunningCheck(check, clock));
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** Adds a check, as the last one. */
  add(check: HealthCheck): void {
    this.#checks.push(new RunningCheck(check, this.#clock));
  }

  /** The health of the service, at most {@link HealthMonitorOptions.keepMs} old. Never rejects. */
  read(): Promise<Health> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#latest === undefined || nowMs - this.#latest.sinceMs >= this.#keepMs) {
      this.#latest = { health: this.#readNow(), sinceMs: nowMs };
    }
    return this.#latest.health;
  }

  protected override onOpen(): Promise<void> {
    this.#latest = undefined;
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return this.onOpen();
  }

  async #readNow(): Promise<Health> {
    const parts = await Promise.all(this.#checks.map((check) => check.run()));
    const hasVitalFailure = this.#checks.some(
      ({ isVital }, index) => isVital && parts[index]?.status === 'fail',
    );
    return {
      status: worstOf(parts.map(({ status }) => status)),
      isReady: this.status === 'open' && !hasVitalFailure,
      parts,
    };
  }
}

/** A check that counts as failed after a timeout. */
class RunningCheck {
  readonly isVital: boolean;
  readonly #check: HealthCheck;
  readonly #clock: Clock;
  #running: Promise<Finding> | undefined;

  constructor(check: HealthCheck, clock: Clock) {
    this.isVital = check.isVital === true;
    this.#check = check;
    this.#clock = clock;
  }

  async run(): Promise<PartHealth> {
    return { part: this.#check.part, ...(await this.#withinBound()) };
  }

  #withinBound(): Promise<Finding> {
    this.#running ??= this.#begin().finally(() => (this.#running = undefined));
    const running = this.#running;
    return new Promise((resolve) => {
      const seconds = CHECK_TIMEOUT_MS / 1000;
      const late = this.#clock.schedule(
        CHECK_TIMEOUT_MS,
        () => resolve({ status: 'fail', detail: `it has not answered for ${seconds} s` }),
        { holdsProgram: false },
      );
      void running.then((finding) => {
        late.unsubscribe();
        resolve(finding);
      });
    });
  }

  async #begin(): Promise<Finding> {
    try {
      return await this.#check.check();
    } catch (error) {
      return { status: 'fail', detail: error instanceof Error ? error.message : String(error) };
    }
  }
}

import { TallybookError } from './errors.js';
import type { Clock } from './ports/clock.js';
import type { Reading } from './ports/id-source.js';
import type { Present } from './provisional.js';
import type { Timestamp } from './timestamp.js';

/**
 * Why the time of day is not to be believed:
 *
 * - `before-build`: it is earlier than the program was built, as on a device that boots in 1970;
 * - `not-synchronised`: the system waits for a time server;
 * - `before-last-scan`: it is earlier than a scan that is recorded.
 */
export type ClockDoubt = 'before-build' | 'not-synchronised' | 'before-last-scan';

/**
 * Whether the time of day is to be believed, and why: the system says that it follows a time server, somebody has set
 * it, or nothing speaks against it.
 */
export type ClockTrust =
  | { readonly isTrusted: true; readonly basis: 'synchronised' | 'set' | 'assumed' }
  | { readonly isTrusted: false; readonly doubt: ClockDoubt };

export interface TimekeeperOptions {
  /** Seconds since 1970 when the program was built or released: it cannot be earlier now. Default 0. */
  readonly builtAt?: number;
}

/**
 * Knows what time it is and whether that can be trusted, which on a device without a battery clock it cannot after
 * every start.
 *
 * Once somebody has {@link set} the time it goes on with the monotonic clock from there, whatever the system's clock
 * does, until that follows a time server.
 */
export class Timekeeper {
  /** The clock that it knows the time from. */
  readonly clock: Clock;
  readonly #builtAt: number;
  #latestScan = 0 as Timestamp;
  #setting: { readonly at: Timestamp; readonly monotonicMs: number } | undefined;

  constructor(clock: Clock, options: TimekeeperOptions = {}) {
    this.clock = clock;
    this.#builtAt = options.builtAt ?? 0;
  }

  /** The latest scan that is known to be recorded: 0 if there is none. */
  get latestScan(): Timestamp {
    return this.#latestScan;
  }

  /** Now, as well as it is known. */
  now(): Timestamp {
    return this.#timeAt(this.clock.monotonicMs(), this.clock.now());
  }

  trust(): ClockTrust {
    const isSynchronised = this.clock.isSynchronised();
    if (this.now() < this.#builtAt) return { isTrusted: false, doubt: 'before-build' };
    if (isSynchronised === true) return { isTrusted: true, basis: 'synchronised' };
    if (this.#setting !== undefined) return { isTrusted: true, basis: 'set' };
    if (isSynchronised === false) return { isTrusted: false, doubt: 'not-synchronised' };
    // After the others, because a scan that was recorded in the future must not make the right time wrong for good.
    if (this.now() < this.#latestScan) return { isTrusted: false, doubt: 'before-last-scan' };
    return { isTrusted: true, basis: 'assumed' };
  }

  /**
   * Sets the time for this service, from now on until it ends. The clock of the system stays as it is.
   *
   * @throws {TallybookError} `CLOCK_SYNCHRONISED` if the system follows a time server, which knows better;
   * `INVALID_TIMESTAMP` if the program was built later than that.
   */
  set(now: Timestamp): void {
    if (this.clock.isSynchronised() === true) {
      throw new TallybookError(
        'CLOCK_SYNCHRONISED',
        'the clock of the system follows a time server, or somebody vouches for it; nothing was set',
      );
    }
    if (now < this.#builtAt) {
      throw new TallybookError(
        'INVALID_TIMESTAMP',
        `it cannot be earlier than ${this.#builtAt}, when this program was built; got ${now}`,
      );
    }
    this.#setting = { at: now, monotonicMs: this.clock.monotonicMs() };
  }

  /** When a reading was taken, as well as it is known. */
  timeOf({ at, monotonicMs }: Pick<Reading, 'at' | 'monotonicMs'>): Timestamp {
    return this.#timeAt(monotonicMs, at);
  }

  /** Now, in full. */
  present(): Present {
    return { now: this.now(), bootId: this.clock.bootId, monotonicMs: this.clock.monotonicMs() };
  }

  /** Takes note of a scan that is recorded. */
  noteScan(at: Timestamp): void {
    if (at > this.#latestScan) this.#latestScan = at;
  }

  #timeAt(monotonicMs: number, shown: Timestamp): Timestamp {
    if (this.#setting === undefined || this.clock.isSynchronised() === true) return shown;
    const elapsedMs = monotonicMs - this.#setting.monotonicMs;
    return Math.max(Math.floor(this.#setting.at + elapsedMs / 1000), 0) as Timestamp;
  }
}

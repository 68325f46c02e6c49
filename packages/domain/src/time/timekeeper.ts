import { TallybookError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Reading } from '../values/reading.js';
import type { Present } from '../values/provisional.js';
import type { Timestamp } from '../values/timestamp.js';

/**
 * Why the time of day is not to be believed:
 *
 * - `before-build`: it is earlier than the release of the program, as on a device that boots in 1970;
 * - `not-synchronised`: the system waits for a time server;
 * - `before-last-scan`: it is earlier than a recorded scan.
 */
export type ClockDoubt = 'before-build' | 'not-synchronised' | 'before-last-scan';

/**
 * Whether the time of day is to be believed, and why: the system says that it follows a time server, somebody has set
 * it, or there is no reason to doubt it.
 */
export type ClockTrust =
  | { readonly isTrusted: true; readonly basis: 'synchronised' | 'set' | 'assumed' }
  | { readonly isTrusted: false; readonly doubt: ClockDoubt };

export interface TimekeeperOptions {
  /** Seconds since 1970 when the program was released: it cannot be earlier now. Default 0. */
  readonly builtAt?: number;
}

/** How far after the release a time can be set, in seconds: some 50 years. */
const SETTING_MAX = 50 * 31_557_600;
/** In seconds. How far after what has certainly passed a time is set without being confirmed, too. */
const DAY = 86_400;
/** A clock that is behind the last scan by no more than this may have been corrected, in seconds. */
const CORRECTION = 10;
/** By more than this, only somebody who sets the clock moves it against the monotonic one, in milliseconds. */
const STEP_MS = 5_000;

/**
 * Knows what time it is and whether that can be trusted, which on a device without a battery clock it cannot after
 * every start.
 *
 * A clock that was doubted does not become right by going on: the doubt stays until somebody has set it, or the
 * system follows a time server. Once somebody has {@link set} the time here it goes on with the monotonic clock from
 * there, whatever the system's clock does, until that follows a time server.
 */
export class Timekeeper {
  /** The clock that it knows the time from. */
  readonly clock: Clock;
  readonly #builtAt: Timestamp;
  #latestScan = 0 as Timestamp;
  /** The latest one that does not lie far ahead of all others. */
  #credibleScan = 0 as Timestamp;
  #setting: { readonly at: Timestamp; readonly monotonicMs: number } | undefined;
  /** The doubt that stays, and how far the time of day was ahead of the monotonic clock then. */
  #lasting: { readonly doubt: ClockDoubt; readonly leadMs: number } | undefined;

  constructor(clock: Clock, options: TimekeeperOptions = {}) {
    this.clock = clock;
    this.#builtAt = (options.builtAt ?? 0) as Timestamp;
  }

  /** The latest scan that is known to be recorded, and believed: 0 if there is none. */
  get latestScan(): Timestamp {
    return this.suspectScan === undefined ? this.#latestScan : this.#credibleScan;
  }

  /** The latest recorded scan if it lies far ahead of all others, and of a clock that may be right: it says nothing. */
  get suspectScan(): Timestamp | undefined {
    const now = this.now();
    const isAhead = now >= this.#builtAt && this.#latestScan > now + DAY;
    return isAhead && this.#latestScan !== this.#credibleScan ? this.#latestScan : undefined;
  }

  /** The latest moment that has certainly passed, unless a scan was recorded under a wrong time. */
  get notBefore(): Timestamp {
    const { latestScan } = this;
    return latestScan > this.#builtAt ? latestScan : this.#builtAt;
  }

  /** Now, as well as it is known. */
  now(): Timestamp {
    return this.#timeAt(this.clock.monotonicMs(), this.clock.now());
  }

  trust(): ClockTrust {
    if (this.#followsServer()) return { isTrusted: true, basis: 'synchronised' };
    if (this.#setting !== undefined) return { isTrusted: true, basis: 'set' };
    const doubt = this.#doubt();
    return doubt === undefined ? { isTrusted: true, basis: 'assumed' } : { isTrusted: false, doubt };
  }

  /**
   * Sets the time for this service, from now on until it ends. The clock of the system stays as it is.
   *
   * @param isConfirmed Whether whoever sets it means it, though it is far from what is known.
   * @throws {TallybookError} `CLOCK_SYNCHRONISED` if the system follows a time server, which knows better;
   * `INVALID_TIMESTAMP` if the program was released later than that, or more than 50 years earlier; `TIME_NOT_CONFIRMED`
   * if it is more than a day after the latest scan and the release, and not confirmed.
   */
  set(now: Timestamp, { isConfirmed = false }: { readonly isConfirmed?: boolean } = {}): void {
    if (this.#followsServer()) {
      throw new TallybookError(
        'CLOCK_SYNCHRONISED',
        'the time was not set: the system clock follows a time server, or is trusted by configuration',
      );
    }
    const latest = this.#builtAt === 0 ? Infinity : this.#builtAt + SETTING_MAX;
    if (now < this.#builtAt || now > latest) {
      throw new TallybookError(
        'INVALID_TIMESTAMP',
        `the time is from ${this.#builtAt}, the release of this program, to ${latest}; got ${now}`,
      );
    }
    const passed = Math.max(this.#credibleScan, this.#builtAt);
    const unconfirmed = passed === 0 ? Infinity : passed + DAY;
    if (now > unconfirmed && !isConfirmed) {
      throw new TallybookError(
        'TIME_NOT_CONFIRMED',
        `${now} is more than a day after the latest scan and the release (limit ${unconfirmed})`,
        { details: { unconfirmed } },
      );
    }
    this.#setting = { at: now, monotonicMs: this.clock.monotonicMs() };
    this.#lasting = undefined;
  }

  /** When a reading was taken, as well as it is known. */
  timeOf({ at, monotonicMs }: Pick<Reading, 'at' | 'monotonicMs'>): Timestamp {
    return this.#timeAt(monotonicMs, at);
  }

  /** Now, in full. */
  present(): Present {
    const { bootId } = this.clock;
    return { now: this.now(), builtAt: this.#builtAt, bootId, monotonicMs: this.clock.monotonicMs() };
  }

  /** Takes note of a scan that is recorded. */
  noteScan(at: Timestamp): void {
    if (at > this.#latestScan) this.#latestScan = at;
    if (at > this.#credibleScan) this.#credibleScan = at;
  }

  /**
   * Takes note of what the record says now, in place of what was known of it.
   *
   * @param record 0 if there is no scan.
   */
  noteRecord(record: { readonly latestScan: Timestamp; readonly credibleScan: Timestamp }): void {
    this.#latestScan = record.latestScan;
    this.#credibleScan = record.credibleScan;
    // The scan that it was doubted for may be gone.
    if (this.#lasting?.doubt === 'before-last-scan') this.#lasting = undefined;
  }

  /** Whether the system's clock is right. From then on nothing is left of what was set by hand, or doubted. */
  #followsServer(): boolean {
    if (this.clock.isSynchronised() !== true || this.clock.now() < this.#builtAt) return false;
    this.#setting = undefined;
    this.#lasting = undefined;
    return true;
  }

  #doubt(): ClockDoubt | undefined {
    const now = this.clock.now();
    const leadMs = now * 1000 - this.clock.monotonicMs();
    if (this.#lasting !== undefined && Math.abs(leadMs - this.#lasting.leadMs) <= STEP_MS) {
      return this.#lasting.doubt;
    }
    this.#lasting = undefined;
    if (this.clock.isSynchronised() === false && now >= this.#builtAt) return 'not-synchronised';
    if (now < this.#builtAt) this.#lasting = { doubt: 'before-build', leadMs };
    // After the others, because a scan that was recorded in the future must not make the right time wrong for good.
    else if (now < this.latestScan - CORRECTION) this.#lasting = { doubt: 'before-last-scan', leadMs };
    else if (now < this.latestScan) return 'before-last-scan';
    return this.#lasting?.doubt;
  }

  #timeAt(monotonicMs: number, shown: Timestamp): Timestamp {
    if (this.#followsServer() || this.#setting === undefined) return shown;
    const elapsedMs = monotonicMs - this.#setting.monotonicMs;
    return Math.max(Math.floor(this.#setting.at + elapsedMs / 1000), 0) as Timestamp;
  }
}

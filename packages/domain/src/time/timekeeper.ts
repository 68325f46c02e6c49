import { TallybookError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { Reading } from '../values/record/reading.js';
import type { Present } from '../values/record/provisional.js';
import type { Timestamp } from '../values/timestamp.js';

/**
 * Why the time of day is not trusted:
 *
 * - `before-build`: it is earlier than the release of the program, as on a device that boots in 1970;
 * - `not-synchronised`: the system waits for a time server;
 * - `before-last-scan`: it is earlier than a recorded scan.
 */
export type ClockDoubt = 'before-build' | 'not-synchronised' | 'before-last-scan';

/**
 * Whether the time of day is trusted, and why: the system follows a time server, somebody has set the time, or
 * nothing contradicts it.
 */
export type ClockTrust =
  | { readonly isTrusted: true; readonly basis: 'synchronised' | 'set' | 'assumed' }
  | { readonly isTrusted: false; readonly doubt: ClockDoubt };

/** The time, and whether it is trusted, as a {@link Timekeeper} knows it. */
export interface TrustedTime {
  trust(): { readonly isTrusted: boolean };
  now(): Timestamp;
}

export interface TimekeeperOptions {
  /** Release of the program, in seconds since 1970: the time cannot be earlier. Default 0. */
  readonly builtAt?: number;
}

/** How far after the release a time can be set, in seconds: some 50 years. */
const SETTING_MAX = 50 * 31_557_600;
/** Seconds after `notBefore` up to which a time can be set without confirmation. */
const DAY = 86_400;
/** Seconds: a clock that is behind the last scan by no more than this may have been corrected. */
const CORRECTION = 10;
/** Milliseconds: a larger jump against the monotonic clock means that somebody has set the clock. */
const STEP_MS = 5_000;

/**
 * Knows the time and whether it is trusted. On a device without a battery clock, the time may be wrong after a start.
 *
 * A doubt does not end just because time passes: it ends when somebody sets the clock, or the system follows a time
 * server. After {@link set} the time goes on with the monotonic clock, whatever the system's clock shows, until the
 * system follows a time server.
 */
export class Timekeeper {
  /** The clock that gives the time. */
  readonly clock: Clock;
  readonly #builtAt: Timestamp;
  #latestScan = 0 as Timestamp;
  /** The latest scan that is not far ahead of all others. */
  #credibleScan = 0 as Timestamp;
  #setting: { readonly at: Timestamp; readonly monotonicMs: number } | undefined;
  /** The present doubt, and the lead of the time of day over the monotonic clock when it began. */
  #lasting: { readonly doubt: ClockDoubt; readonly leadMs: number } | undefined;

  constructor(clock: Clock, options: TimekeeperOptions = {}) {
    this.clock = clock;
    this.#builtAt = (options.builtAt ?? 0) as Timestamp;
  }

  /** The latest recorded scan that is credible; 0 if there is none. */
  get latestScan(): Timestamp {
    return this.suspectScan === undefined ? this.#latestScan : this.#credibleScan;
  }

  /**
   * The latest recorded scan if it is not credible: it is far ahead of all other scans, and of a clock that may be
   * right.
   */
  get suspectScan(): Timestamp | undefined {
    if (this.#latestScan === this.#credibleScan) return undefined;
    const now = this.now();
    const isAhead = now >= this.#builtAt && this.#latestScan > now + DAY;
    return isAhead ? this.#latestScan : undefined;
  }

  /** Lower bound of the present time, unless a scan was recorded under a wrong time. */
  get notBefore(): Timestamp {
    const { latestScan } = this;
    return latestScan > this.#builtAt ? latestScan : this.#builtAt;
  }

  /** The present time, as far as it is known. */
  now(): Timestamp {
    const shown = this.clock.now();
    // Every request asks for the time, so the monotonic clock is read only if it is needed.
    return this.#showsTime() ? shown : this.#timeAt(this.clock.monotonicMs(), shown);
  }

  trust(): ClockTrust {
    if (this.#followsServer()) return { isTrusted: true, basis: 'synchronised' };
    if (this.#setting !== undefined) return { isTrusted: true, basis: 'set' };
    const doubt = this.#doubt();
    return doubt === undefined ? { isTrusted: true, basis: 'assumed' } : { isTrusted: false, doubt };
  }

  /**
   * Sets the time of this service until it ends. The clock of the system does not change.
   *
   * @param isConfirmed Whether somebody confirms that the time may be far from the known one. Default: false.
   * @throws {TallybookError} `CLOCK_SYNCHRONISED` if the system follows a time server; `INVALID_TIMESTAMP` if the time
   * is earlier than the release, or more than 50 years later; `TIME_NOT_CONFIRMED` if it is more than a day after the
   * latest scan and the release, and not confirmed.
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

  /** Time of a reading, as far as it is known. */
  timeOf({ at, monotonicMs }: Pick<Reading, 'at' | 'monotonicMs'>): Timestamp {
    return this.#timeAt(monotonicMs, at);
  }

  /** Time of a moment of the monotonic clock by the present clock: the clock may have been wrong then, and corrected since. */
  timeSince(monotonicMs: number): Timestamp {
    const elapsedMs = this.clock.monotonicMs() - monotonicMs;
    return Math.max(this.now() - Math.floor(elapsedMs / 1000), 0) as Timestamp;
  }

  /** The present time, with boot id, monotonic time and release. */
  present(): Present {
    const { bootId } = this.clock;
    return { now: this.now(), builtAt: this.#builtAt, bootId, monotonicMs: this.clock.monotonicMs() };
  }

  /** Learns the time of a recorded scan. */
  noteScan(at: Timestamp): void {
    if (at > this.#latestScan) this.#latestScan = at;
    if (at > this.#credibleScan) this.#credibleScan = at;
  }

  /**
   * Learns the latest scans of the record, in place of the known ones.
   *
   * @param record Each time is 0 if there is no scan.
   */
  noteRecord(record: { readonly latestScan: Timestamp; readonly credibleScan: Timestamp }): void {
    this.#latestScan = record.latestScan;
    this.#credibleScan = record.credibleScan;
    // The scan that caused the doubt may be gone.
    if (this.#lasting?.doubt === 'before-last-scan') this.#lasting = undefined;
  }

  /** Whether the system follows a time server. If so, a time set by hand and doubts are forgotten. */
  #followsServer(): boolean {
    if (this.clock.isSynchronised() !== true || this.clock.now() < this.#builtAt) return false;
    this.#setting = undefined;
    this.#lasting = undefined;
    return true;
  }

  #doubt(): ClockDoubt | undefined {
    const now = this.clock.now();
    if (this.#lasting !== undefined) {
      if (Math.abs(this.#leadMs(now) - this.#lasting.leadMs) <= STEP_MS) return this.#lasting.doubt;
      this.#lasting = undefined;
    }
    if (now < this.#builtAt) return this.#doubtFor('before-build', now);
    if (this.clock.isSynchronised() === false) return 'not-synchronised';
    // Checked last: a scan that was recorded in the future must not put the right time in doubt for good.
    const { latestScan } = this;
    if (now >= latestScan) return undefined;
    return now < latestScan - CORRECTION ? this.#doubtFor('before-last-scan', now) : 'before-last-scan';
  }

  /** Begins a doubt that does not end just because time passes. */
  #doubtFor(doubt: ClockDoubt, now: Timestamp): ClockDoubt {
    this.#lasting = { doubt, leadMs: this.#leadMs(now) };
    return doubt;
  }

  #leadMs(now: Timestamp): number {
    return now * 1000 - this.clock.monotonicMs();
  }

  /** Whether the clock shows the time, as far as it is known: nobody has set another one, or the system follows a time server. */
  #showsTime(): boolean {
    // Without a set time and a doubt, a time server would change nothing.
    if (this.#setting === undefined && this.#lasting === undefined) return true;
    return this.#followsServer() || this.#setting === undefined;
  }

  #timeAt(monotonicMs: number, shown: Timestamp): Timestamp {
    if (this.#showsTime() || this.#setting === undefined) return shown;
    const elapsedMs = monotonicMs - this.#setting.monotonicMs;
    return Math.max(Math.floor(this.#setting.at + elapsedMs / 1000), 0) as Timestamp;
  }
}

import { quote, TallybookError } from '../errors.js';
import type { Timestamp } from '../values/timestamp.js';

const SECONDS_PER_DAY = 86_400;
/** Days of UTC whose offset is remembered: those of ten years. */
const KNOWN_DAYS_MAX = 4_096;

/**
 * The last second for which a zone's offset is asked: ECMAScript's time values end at 8.64e15 ms, and the wall
 * clock one day earlier still fits in them. Later timestamps keep the offset of this one.
 */
const LAST_ZONED_SECOND = 8.64e12 - SECONDS_PER_DAY;

/** A clock on the wall in a time zone. */
export class WallClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat | undefined;
  /** By day of UTC; `undefined` where the offset changes within the day. */
  readonly #offsets = new Map<number, number | undefined>();

  /**
   * @param zone IANA time zone, for example `Europe/Berlin`.
   * @throws {TallybookError} `INVALID_OPTION` if the zone is unknown.
   */
  constructor(zone: string) {
    this.zone = zone;
    this.#format = zone === 'UTC' ? undefined : createFormat(zone);
  }

  /** Seconds by which it is ahead of UTC at a moment. */
  offsetAt(timestamp: Timestamp): number {
    if (this.#format === undefined) return 0;
    const moment = Math.min(timestamp, LAST_ZONED_SECOND);
    return this.#offsetOfDay(Math.floor(moment / SECONDS_PER_DAY)) ?? this.#ask(moment);
  }

  /** Asking takes some microseconds, and a year of taps asks often. No zone changes its offset and back within a day. */
  #offsetOfDay(utcDay: number): number | undefined {
    if (!this.#offsets.has(utcDay)) {
      if (this.#offsets.size >= KNOWN_DAYS_MAX) this.#offsets.clear();
      const start = this.#ask(utcDay * SECONDS_PER_DAY);
      const end = this.#ask(Math.min((utcDay + 1) * SECONDS_PER_DAY, LAST_ZONED_SECOND));
      this.#offsets.set(utcDay, start === end ? start : undefined);
    }
    return this.#offsets.get(utcDay);
  }

  #ask(moment: number): number {
    const fields: Record<string, number> = {};
    for (const { type, value } of this.#format?.formatToParts(moment * 1000) ?? []) {
      fields[type] = Number(value);
    }
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - moment;
  }
}

function createFormat(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    throw new TallybookError(
      'INVALID_OPTION',
      `the zone is an IANA time zone such as UTC or Europe/Berlin; got ${quote(zone)}`,
      { cause },
    );
  }
}

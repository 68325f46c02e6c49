import { quote, TallybookError } from '../errors.js';
import { DAY_SECONDS, type Timestamp } from '../values/timestamp.js';
import { DAY_MAX, type Day } from '../values/day.js';

/**
 * Length of a span. If a zone has the same offset at both ends of a span, it has this offset in between too. Since
 * 1970, no zone has changed its offset and changed it back in less time; Recife did so within 7 days, in 2000.
 */
const SPAN_SECONDS = 4 * DAY_SECONDS;
/** Spans whose offset is remembered: 45 years. */
const KNOWN_SPANS_MAX = 4_096;

/**
 * The last second for which a zone's offset is asked: ECMAScript's time values end at 8.64e15 ms, and the wall
 * clock one day earlier still fits in them. Later timestamps keep the offset of this one.
 */
const LAST_ZONED_SECOND = 8.64e12 - DAY_SECONDS;

/** The wall clock of a time zone. */
export class WallClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Offset at the start of each span, by the number of spans since 1970. */
  readonly #offsets = new Map<number, number>();

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
    const span = Math.floor(moment / SPAN_SECONDS);
    const offset = this.#offsetAtStartOf(span);
    return offset === this.#offsetAtStartOf(span + 1) ? offset : this.#ask(moment);
  }

  /** Remembers offsets: `Intl` takes some microseconds for each, and a year of taps needs many. */
  #offsetAtStartOf(span: number): number {
    let offset = this.#offsets.get(span);
    if (offset === undefined) {
      if (this.#offsets.size >= KNOWN_SPANS_MAX) this.#offsets.clear();
      offset = this.#ask(Math.min(span * SPAN_SECONDS, LAST_ZONED_SECOND));
      this.#offsets.set(span, offset);
    }
    return offset;
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

export interface CalendarOptions {
  /** IANA time zone, for example `Europe/Berlin`. Default `UTC`. */
  readonly zone?: string;
  /** Time of day at which a day begins, `HH:MM` from 00:00 to 23:59. Default `00:00`. */
  readonly dayStart?: string;
}

const DAY_START = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;

/**
 * Finds the day of a timestamp.
 *
 * The day is the date on a wall clock in the zone after turning that clock back by the day start. This calculates with
 * the calendar, not with elapsed seconds, so it is right on days of 23 and 25 hours too. With a day start of 04:00, the
 * day always begins when the wall clock shows 04:00. If clocks go back across the day start itself, the repeated
 * minutes belong to the day that the wall clock shows.
 */
export class Calendar {
  readonly zone: string;
  readonly dayStart: string;
  readonly #dayStartSeconds: number;
  readonly #wallClock: WallClock;

  /** @throws {TallybookError} `INVALID_OPTION` if the zone is unknown or the day start is not `HH:MM`. */
  constructor(options: CalendarOptions = {}) {
    this.zone = options.zone ?? 'UTC';
    this.dayStart = options.dayStart ?? '00:00';
    this.#dayStartSeconds = parseDayStart(this.dayStart);
    this.#wallClock = new WallClock(this.zone);
  }

  /** The day of a timestamp; before day 0 it is 0, after day 4294967295 it is 4294967295. */
  dayOf(timestamp: Timestamp): Day {
    const wall = timestamp + this.#wallClock.offsetAt(timestamp) - this.#dayStartSeconds;
    return Math.min(Math.max(Math.floor(wall / DAY_SECONDS), 0), DAY_MAX) as Day;
  }

  /** The first second since which every second up to the given one is of its day. */
  startOf(timestamp: Timestamp): Timestamp {
    const day = this.dayOf(timestamp);
    const isOfDay = (second: number): boolean => second >= 0 && this.dayOf(second as Timestamp) === day;
    let first: number = timestamp;
    // A day begins at a whole minute, and offsets are whole minutes: a gap in the day is no shorter.
    for (const step of [60, 1]) while (isOfDay(first - step)) first -= step;
    return first as Timestamp;
  }
}

function parseDayStart(text: string): number {
  const match = DAY_START.exec(text);
  if (match === null) {
    throw new TallybookError(
      'INVALID_OPTION',
      `the day start is HH:MM from 00:00 to 23:59; got ${quote(text)}`,
    );
  }
  return Number(match[1]) * 3600 + Number(match[2]) * 60;
}

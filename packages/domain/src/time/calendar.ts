import { DAY_MAX, type Day } from '../values/day.js';
import { quote, TallybookError } from '../errors.js';
import { DAY_SECONDS, type Timestamp } from '../values/timestamp.js';
import { WallClock } from './wall-clock.js';

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

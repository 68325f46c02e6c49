import { Calendar, toTimestamp } from '@tallybook/domain';
import * as fc from 'fast-check';
import { runs } from '../fixtures/arbitraries.js';

const DAY = 86_400;
const UNTIL = 70 * 365 * DAY;
/** Seconds; shorter than the time between any two changes of a clock since 1970. */
const STEP = 20 * DAY;

/** The result of comparing days with the wall clock. */
interface Comparison {
  readonly checks: number;
  /** A line for each day that differs from that of the wall clock. */
  readonly wrong: readonly string[];
}

/**
 * Compares the calendar of each zone with the wall clock, on every day of 23 or 25 hours from 1970 to 2039, for days
 * that begin at midnight, at four, and at a different minute for each zone.
 */
export function compareDaysAroundChanges(zones: readonly string[]): Comparison {
  const minutes = fc.sample(fc.nat(1439), { ...runs, numRuns: zones.length });
  const wrong: string[] = [];
  let checks = 0;
  for (const [index, zone] of zones.entries()) {
    const wallClock = new WallClock(zone);
    const changes = [...wallClock.changes()];
    const midnights = changes.flatMap((change) => midnightsAround(wallClock, change));
    for (const minute of [0, 240, minutes[index] ?? 0]) {
      const dayStart = [Math.floor(minute / 60), minute % 60]
        .map((n) => String(n).padStart(2, '0'))
        .join(':');
      const calendar = new Calendar({ zone, dayStart });
      // The seconds at which a mistake would show.
      const beginnings = midnights.map((midnight) => midnight + minute * 60);
      for (const edge of minute === 0 ? [...changes, ...beginnings] : beginnings) {
        for (const moment of [edge - 1, edge]) {
          const expected = Math.max(0, Math.floor((wallClock.at(moment) - minute * 60) / DAY));
          const day = calendar.dayOf(toTimestamp(moment));
          if (day !== expected) wrong.push(`${zone} ${dayStart} ${moment}: ${day} instead of ${expected}`);
          checks++;
        }
      }
    }
  }
  return { checks, wrong };
}

/** Midnight of the date of a change, by the old offset and by the new one. */
function midnightsAround(wallClock: WallClock, change: number): number[] {
  const midnight = Math.floor(wallClock.at(change) / DAY) * DAY;
  return [wallClock.offset(change - 1), wallClock.offset(change)]
    .map((offset) => midnight - offset)
    .filter((moment) => moment > 0);
}

/** The wall clock in one zone: the text for people that `Intl` gives, parsed by hand. */
class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    // Swedish dates are spelled 2025-03-30 02:00:00.
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  }

  /** Seconds that it shows since 1970-01-01 00:00:00. */
  at(moment: number): number {
    const text = this.#format.format(moment * 1000);
    const field = (from: number, to: number): number => Number(text.slice(from, to));
    const time = field(11, 13) * 3600 + field(14, 16) * 60 + field(17, 19);
    return daysSince1970(field(0, 4), field(5, 7), field(8, 10)) * DAY + time;
  }

  offset(moment: number): number {
    return this.at(moment) - moment;
  }

  /** The first seconds of another offset. */
  *changes(): Generator<number> {
    for (let start = 0; start < UNTIL; start += STEP) {
      let [before, after] = [start, start + STEP];
      const offset = this.offset(before);
      if (this.offset(after) === offset) continue;
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (this.offset(middle) === offset) before = middle;
        else after = middle;
      }
      yield after;
    }
  }
}

/** Counts leap years by the rule of the calendar. */
function daysSince1970(year: number, month: number, day: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 477;
  const months = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30];
  const inYear = months.slice(0, month - 1).reduce((sum, length) => sum + length, day - 1);
  return (year - 1970) * 365 + leapDays + inYear;
}

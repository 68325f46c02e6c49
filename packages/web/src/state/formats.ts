import type { Name } from '@tallybook/client';
import { lazily } from '../lazily.js';
import { firstOfWeek } from './days.js';

/**
 * Formats times, days and numbers in the language, and in the zone of the service, never in that of the browser. If they differ,
 * moments have the name of the zone: `14:03 CET`.
 */
export interface Formats {
  /** A moment, in seconds since 1970: `14:03`. */
  time(at: number): string;
  /** `14:03:27`. */
  seconds(at: number): string;
  /** Minutes since midnight: `08:05`. */
  timeOfDay(minutes: number): string;
  /** The date of a moment: `Sunday, 22 November 2026`. */
  longDate(at: number): string;
  /** `22 Nov 2026, 14:03`. */
  dateTime(at: number): string;
  number(value: number): string;
  /** A length of time in its largest unit: `3 minutes`. */
  duration(seconds: number): string;
  /** A day, by its number: `Sunday, 22 November 2026`. */
  day(day: number): string;
  /** `22/11/2026`. */
  shortDay(day: number): string;
  /** `1 – 22 November 2026`. */
  dayRange(from: number, to: number): string;
  /** `November`. */
  month(day: number): string;
  /** `Su`. */
  weekday(day: number): string;
  /** Bytes in a suitable unit: `3.2 GB`. */
  bytes(value: number): string;
  /** The wall clock at a moment, in seconds since it showed 1970. */
  readonly wallClock: (at: number) => number;
  /** The first day of a week: 1 is Monday, 7 is Sunday. */
  firstOfWeek(): number;
  /** A name in speech: `Ada Lovelace`. */
  name(name: Name): string;
  /** A name in a sorted list: `Lovelace, Ada`. */
  listName(name: Name): string;
}

const DAY_MS = 86_400_000;
const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * @param language A BCP 47 tag.
 * @param zone An IANA time zone; an unknown one counts as UTC.
 */
export function createFormats(language: string, zone: string): Formats {
  const dates = (options: Intl.DateTimeFormatOptions, timeZoneName?: 'short'): ((at: number) => string) => {
    const format = lazily(() => {
      const plain = inZone(language, zone, options);
      const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      return plain.resolvedOptions().timeZone === own
        ? plain
        : inZone(language, zone, { ...options, timeZoneName });
    });
    return (at) => format().format(at * 1_000);
  };
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  const numbers = lazily(() => new Intl.NumberFormat(language));
  // A day has the same date in every zone.
  const ofDays = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    lazily(() => inZone(language, 'UTC', options));
  const days = (options: Intl.DateTimeFormatOptions): ((day: number) => string) => {
    const format = ofDays(options);
    return (day) => format().format(day * DAY_MS);
  };
  const timesOfDay = ofDays(time);
  const ranges = ofDays({ day: 'numeric', month: 'long', year: 'numeric' });
  const unit = (name: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' });
  const timeOf = dates(time, 'short');
  return {
    time: timeOf,
    seconds: dates({ ...time, second: '2-digit' }, 'short'),
    timeOfDay: (minutes) => timesOfDay().format(minutes * 60_000),
    longDate: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    dateTime: dates({ ...time, day: 'numeric', month: 'short', year: 'numeric' }, 'short'),
    day: days({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: days({ weekday: 'short', day: '2-digit', month: '2-digit', year: 'numeric' }),
    dayRange: (from, to) => ranges().formatRange(from * DAY_MS, to * DAY_MS),
    month: days({ month: 'long' }),
    weekday: days({ weekday: 'short' }),
    bytes: (value) => {
      const power = Math.min(4, Math.max(0, Math.floor(Math.log10(value) / 3)));
      const options = { style: 'unit', unit: BYTES[power], maximumSignificantDigits: 3 } as const;
      return new Intl.NumberFormat(language, options).format(value / 1_000 ** power);
    },
    wallClock: wallClockOf(zone),
    firstOfWeek: lazily(() => firstOfWeek(language)),
    number: (value) => numbers().format(value),
    duration: (seconds) => {
      const [name, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
      return unit(name).format(Math.max(0, Math.floor(seconds / length)));
    },
    name: ({ first, last }) => [first, last].filter((part) => part !== '').join(' '),
    listName: ({ first, last }) => [last, first].filter((part) => part !== '').join(', '),
  };
}

/**
 * Makes the format without a check of the zone first, which would take as long as the format itself: 20 ms for the
 * first one of a page.
 */
function inZone(language: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
  } catch {
    return inZone(language, 'UTC', options);
  }
}

function wallClockOf(zone: string): (at: number) => number {
  const format = lazily(() => inZone('sv', zone, { dateStyle: 'short', timeStyle: 'medium' }));
  // The Swedish format is like the standard: `2026-11-22 14:03:27`.
  return (at) =>
    Date.parse(
      `${format()
        .format(at * 1_000)
        .replace(' ', 'T')}Z`,
    ) / 1_000;
}

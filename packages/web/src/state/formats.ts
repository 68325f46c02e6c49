import type { Name } from './service.js';

/** Writes times, days and numbers as the language does, in the zone of the service and never in that of the browser. */
export interface Formats {
  /** A moment, in seconds since 1970: `14:03`. */
  time(at: number): string;
  /** `14:03:27`. */
  seconds(at: number): string;
  /** The date of a moment: `Sunday, 22 November 2026`. */
  longDate(at: number): string;
  /** `22 Nov 2026, 14:03`. */
  dateTime(at: number): string;
  number(value: number): string;
  /** A length of time in its largest unit: `3 minutes`. */
  duration(seconds: number): string;
  /** As people are called: `Ada Lovelace`. */
  name(name: Name): string;
  /** As lists are sorted: `Lovelace, Ada`. */
  listName(name: Name): string;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * @param language A BCP 47 tag.
 * @param zone An IANA time zone; one that the browser does not know counts as UTC.
 */
export function createFormats(language: string, zone: string): Formats {
  const timeZone = isKnownZone(zone) ? zone : 'UTC';
  const dates = (options: Intl.DateTimeFormatOptions): ((at: number) => string) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone });
    return (at) => format.format(at * 1_000);
  };
  const numbers = new Intl.NumberFormat(language);
  const unit = (name: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' });
  return {
    time: dates({ hour: '2-digit', minute: '2-digit' }),
    seconds: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    longDate: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    dateTime: dates({ dateStyle: 'medium', timeStyle: 'short' }),
    number: (value) => numbers.format(value),
    duration: (seconds) => {
      const [name, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
      return unit(name).format(Math.max(0, Math.floor(seconds / length)));
    },
    name: ({ first, last }) => [first, last].filter((part) => part !== '').join(' '),
    listName: ({ first, last }) => [last, first].filter((part) => part !== '').join(', '),
  };
}

function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

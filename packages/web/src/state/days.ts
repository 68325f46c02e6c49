/** Days as the service counts them: calendar days since 1970-01-01, whatever the hour at which they begin. */

/** From one day to another, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/** `2026-11-22`. */
export function isoOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** @returns `undefined` if the text is no date, or one before 1970. */
export function dayOfIso(text: string): number | undefined {
  const day = Date.parse(text) / DAY_MS;
  // `Date` takes other texts too, and in some browsers the 31st of February for a day of March.
  return day >= 0 && isoOf(day) === text ? day : undefined;
}

export function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

export function wholeYear(year: number): DayRange {
  return { from: Date.UTC(year) / DAY_MS, to: Date.UTC(year + 1) / DAY_MS - 1 };
}

/** The month of a day, or the month that is `later` months after it. */
export function wholeMonth(day: number, later = 0): DayRange {
  const date = new Date(day * DAY_MS);
  const first = (months: number): number =>
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later + months) / DAY_MS;
  return { from: first(0), to: first(1) - 1 };
}

/** Index in the week, 0 to 6. @param firstOfWeek 1 is Monday, 7 is Sunday. */
export function placeInWeek(day: number, firstOfWeek: number): number {
  // The first day of 1970 was a Thursday.
  return (day + 3 - (firstOfWeek - 1) + 7) % 7;
}

/** The first day of the week in the region of a language: 1 is Monday, 7 is Sunday. */
export function firstOfWeek(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number };
    readonly weekInfo?: { readonly firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/** The range between two days, given in any order. */
export function rangeOf(one: number, other: number): DayRange {
  return one <= other ? { from: one, to: other } : { from: other, to: one };
}

/**
 * A moment of a day, in seconds since 1970: one minute before midnight. Days begin between 00:00 and 23:59, so this
 * minute belongs to the day of its date for every day start.
 *
 * @param wallClock The wall clock at a moment, in seconds since it showed 1970.
 */
export function momentOf(day: number, wallClock: (at: number) => number): number {
  return momentAt(day, 86_340, wallClock);
}

/**
 * The moment of a date and time, in seconds since 1970. If clocks were changed at that time, it is a moment near it.
 *
 * @param seconds The wall clock, in seconds since midnight.
 */
export function momentAt(day: number, seconds: number, wallClock: (at: number) => number): number {
  const wanted = day * 86_400 + seconds;
  const near = wanted + wanted - wallClock(wanted);
  // A second time, because clocks may have been changed in between.
  return near + wanted - wallClock(near);
}

/**
 * The moment of a time on a day of the service, in seconds since 1970. A time before the day start is on the next date: with
 * days from 04:00, the time 00:30 of the day 1 May is 00:30 on 2 May.
 *
 * @param seconds The wall clock, in seconds since midnight.
 * @param dayStart The day start, such as `04:00`.
 */
export function momentOnDay(
  day: number,
  seconds: number,
  { dayStart, wallClock }: { readonly dayStart: string; readonly wallClock: (at: number) => number },
): number {
  const isAfterMidnight = seconds < secondsOf(dayStart);
  return momentAt(isAfterMidnight ? day + 1 : day, seconds, wallClock);
}

/** Seconds since midnight of a time such as `04:00`; NaN if it is not complete. */
export function secondsOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? NaN) * 3_600 + (minutes ?? NaN) * 60;
}

/** The range in an address: one date or two. `undefined` if it has none. */
export function parseRange(from: string | undefined, to: string | undefined): DayRange | undefined {
  const first = dayOfIso(from ?? '');
  const last = dayOfIso(to ?? from ?? '');
  return first === undefined || last === undefined ? undefined : rangeOf(first, last);
}

/** Maximum number of days in one answer of the service. */
export const RANGE_MAX_DAYS = 3_660;

import type { Calendar, Day, Timestamp } from '@tallybook/domain';

/** The day of a query: the day of `timestamp`, if it is given, else `day`. */
export function selectDay(
  { timestamp, day }: { readonly timestamp?: Timestamp | undefined; readonly day?: Day | undefined },
  calendar: Calendar,
): Day | undefined {
  return timestamp === undefined ? day : calendar.dayOf(timestamp);
}

/** The days from one timestamp to another, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** The days of the seconds `from` and `to`. */
export function selectRange(
  { from, to }: { readonly from: Timestamp; readonly to: Timestamp },
  calendar: Calendar,
): DayRange {
  return { from: calendar.dayOf(from), to: calendar.dayOf(to) };
}

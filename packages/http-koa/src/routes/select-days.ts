import { parseDay, parseTimestamp, type Calendar, type Day } from '@tallybook/domain';
import type { Query } from '../requests/query.js';

/** The day of a query: the day of `timestamp`, if it is given, else `day`. */
export function selectDay(query: Query, calendar: Calendar): Day | undefined {
  const timestamp = query.optional('timestamp', parseTimestamp);
  return timestamp === undefined ? query.optional('day', parseDay) : calendar.dayOf(timestamp);
}

/** The days from one timestamp to another, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** Reads `from` and `to`, both required. */
export function selectRange(query: Query, calendar: Calendar): DayRange {
  const from = calendar.dayOf(query.required('from', parseTimestamp));
  const to = calendar.dayOf(query.required('to', parseTimestamp));
  return { from, to };
}

import { parseDay, parseTimestamp, type Calendar, type Day } from '@tallybook/domain';
import type { Query } from '../requests/query.js';

/** The day of a query: the day of `timestamp`, if it is given, else `day`. */
export function selectDay(query: Query, calendar: Calendar): Day | undefined {
  const timestamp = query.optional('timestamp', parseTimestamp);
  return timestamp === undefined ? query.optional('day', parseDay) : calendar.dayOf(timestamp);
}

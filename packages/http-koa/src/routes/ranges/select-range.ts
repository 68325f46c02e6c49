import { parseTimestamp, type Calendar, type Day } from '@tallybook/domain';
import type { Query } from '../../requests/query.js';

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

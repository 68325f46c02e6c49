import { isoOf, type DayRange } from './state/days.js';

/** Addresses of pages, for links. */
export const paths = {
  today: '/',
  muster: '/muster',
  kiosk: '/kiosk',
  care: '/care',
  /** A day, or a range of days; without one, today. */
  days: (range?: DayRange): string => (range === undefined ? '/days' : `/days${pathOf(range)}`),
  /** Whoever holds a tag, in a range of days; without one, this year. */
  person: (id: string, range?: DayRange): string =>
    `/person/${id}${range === undefined ? '' : pathOf(range)}`,
  names: '/names',
  /** Where tags are given names one after another. */
  enrolment: '/names/enrol',
  /** Where a tag is given a name. */
  enrol: (id: string): string => `/names/enrol/${id}`,
  import: '/names/import',
} as const;

function pathOf({ from, to }: DayRange): string {
  return from === to ? `/${isoOf(from)}` : `/${isoOf(from)}/${isoOf(to)}`;
}

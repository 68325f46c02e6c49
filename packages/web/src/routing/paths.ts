import { isoOf, type DayRange } from '../state/days/days.js';

/** Addresses of pages, for links. */
export const paths = {
  today: '#/',
  muster: '#/muster',
  kiosk: '#/kiosk',
  /** A day, or a range of days. */
  days: ({ from, to }: DayRange): string => `#/days${rangePath(from, to)}`,
  /** Whoever holds a tag, in a range of days; without one, this year. */
  person: (id: string, range?: DayRange): string =>
    `#/person/${id}${range === undefined ? '' : rangePath(range.from, range.to)}`,
  names: '#/names',
  /** Where tags are given names one after another. */
  enrolment: '#/names/enrol',
  /** Where a tag is given a name. */
  enrol: (id: string): string => `#/names/enrol/${id}`,
  import: '#/names/import',
  /** Where a phone is a reader; without a name, one is chosen. */
  phoneReader: (reader?: string): string => `#/phone-reader${reader === undefined ? '' : `/${reader}`}`,
  corrections: '#/corrections',
  care: '#/care',
  account: '#/account',
  users: '#/users',
  tokens: '#/tokens',
  /** The data of persons, or of whoever holds a tag. */
  personal: '#/personal',
  personalOf: (id: string): string => `#/personal/${id}`,
  audit: '#/audit',
} as const;

function rangePath(from: number, to: number): string {
  return from === to ? `/${isoOf(from)}` : `/${isoOf(from)}/${isoOf(to)}`;
}

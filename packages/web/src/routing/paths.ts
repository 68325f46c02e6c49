import { isoOf, type DayRange } from '../state/days/days.js';

/** Addresses of pages, for links. */
export const paths = {
  today: '#/',
  muster: '#/muster',
  kiosk: '#/kiosk',
  /** A day, or a range of days. */
  days: ({ from, to }: DayRange): string => `#/days${rangePath(from, to)}`,
  /** The holder of a tag, in a range of days; without a range, this year. */
  person: (id: string, range?: DayRange): string =>
    `#/person/${id}${range === undefined ? '' : rangePath(range.from, range.to)}`,
  names: '#/names',
  /** Naming tags one after another. */
  enrolment: '#/names/enrol',
  /** Naming one tag. */
  enrol: (id: string): string => `#/names/enrol/${id}`,
  import: '#/names/import',
  /** A phone as a reader; without a name, the user chooses a reader. */
  phoneReader: (reader?: string): string => `#/phone-reader${reader === undefined ? '' : `/${reader}`}`,
  corrections: '#/corrections',
  care: '#/care',
  account: '#/account',
  users: '#/users',
  tokens: '#/tokens',
  /** The data of persons, or of the holder of a tag. */
  personal: '#/personal',
  personalOf: (id: string): string => `#/personal/${id}`,
  audit: '#/audit',
} as const;

function rangePath(from: number, to: number): string {
  return from === to ? `/${isoOf(from)}` : `/${isoOf(from)}/${isoOf(to)}`;
}

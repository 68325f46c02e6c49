/** The words on a sheet. */
export interface Texts {
  readonly attendance: string;
  readonly lastName: string;
  readonly firstName: string;
  /** Title of the column with the id of a person. */
  readonly person: string;
  /** Title of the column with the number of a member. */
  readonly number: string;
  readonly groups: string;
  readonly tag: string;
  readonly tags: string;
  /** Title of the column with a person's number of days; it also names the zone of the times beside it. */
  readonly days: (zone: string) => string;
  readonly date: string;
  readonly firstScan: (zone: string) => string;
  readonly lastScan: (zone: string) => string;
  readonly scans: string;
  readonly corrected: string;
  /** Text in the column of corrected entries. */
  readonly yes: string;
}

/** The available languages; the first one is the default. For a new language, add an entry here and in `textsOf`. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const textsOf: Readonly<Record<Language, Texts>> = {
  en: {
    attendance: 'Attendance',
    lastName: 'Last name',
    firstName: 'First name',
    person: 'Person',
    number: 'Number',
    groups: 'Groups',
    tag: 'Tag',
    tags: 'Tags',
    days: (zone) => `Days (times: ${zone})`,
    date: 'Date',
    firstScan: (zone) => `First scan (${zone})`,
    lastScan: (zone) => `Last scan (${zone})`,
    scans: 'Scans',
    corrected: 'Corrected',
    yes: 'yes',
  },
  de: {
    attendance: 'Anwesenheit',
    lastName: 'Nachname',
    firstName: 'Vorname',
    person: 'Person',
    number: 'Nummer',
    groups: 'Gruppen',
    tag: 'Chip',
    tags: 'Chips',
    days: (zone) => `Tage (Zeiten: ${zone})`,
    date: 'Datum',
    firstScan: (zone) => `Erste Buchung (${zone})`,
    lastScan: (zone) => `Letzte Buchung (${zone})`,
    scans: 'Buchungen',
    corrected: 'Korrigiert',
    yes: 'ja',
  },
};

/** Names of columns for programs, the same in every language. */
export const dataTexts: Texts = {
  attendance: 'attendance',
  lastName: 'last',
  firstName: 'first',
  person: 'person',
  number: 'number',
  groups: 'groups',
  tag: 'id',
  tags: 'ids',
  days: () => 'days',
  date: 'date',
  firstScan: () => 'first_scan',
  lastScan: () => 'last_scan',
  scans: 'scans',
  corrected: 'corrected',
  yes: 'yes',
};

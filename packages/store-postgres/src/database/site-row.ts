/** The row of a site: counters of its journal and of its data. */
export interface SiteRow {
  readonly origin: string;
  /** The latest cursor of the journal. */
  readonly seq: number;
  /** The largest cursor of the changes that were removed as the oldest ones. */
  readonly forgotten: number;
  /** How many changes the journal has. */
  readonly kept: number;
  /** Counts the transactions that changed something. The others below say in which one it was the last time. */
  readonly revision: number;
  readonly namesRevision: number;
  readonly daysRevision: number;
  readonly correctionsRevision: number;
  readonly accessRevision: number;
  readonly erasuresRevision: number;
  readonly stationsRevision: number;
  /** The latest sequence of a provisional scan, and the latest number of a correction, ever given. */
  readonly provisionalNumber: number;
  readonly correctionNumber: number;
}

/** Sets of data whose revision the row of the site has. */
export type Subject = 'names' | 'days' | 'corrections' | 'access' | 'erasures' | 'stations';

const columns = {
  origin: 'origin',
  seq: 'seq',
  forgotten: 'forgotten',
  kept: 'kept',
  revision: 'revision',
  namesRevision: 'names_revision',
  daysRevision: 'days_revision',
  correctionsRevision: 'corrections_revision',
  accessRevision: 'access_revision',
  erasuresRevision: 'erasures_revision',
  stationsRevision: 'stations_revision',
  provisionalNumber: 'provisional_number',
  correctionNumber: 'correction_number',
} as const satisfies Record<keyof SiteRow, string>;

/** The columns of `tallybook.site` for a {@link SiteRow}. */
export const siteColumns: string = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

const changing = Object.entries(columns).filter(([name]) => name !== 'origin') as [keyof SiteRow, string][];

/** `SET` of all that changes; the values begin with the parameter $2. */
export const siteAssignments: string = changing
  .map(([, column], index) => `${column} = $${index + 2}`)
  .join(', ');

export function siteValues(row: SiteRow): readonly unknown[] {
  return changing.map(([name]) => row[name]);
}

/** The first parameter after those of {@link siteAssignments}. */
export const firstFreeParameter: number = changing.length + 2;

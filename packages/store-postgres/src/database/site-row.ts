/** The row of a site: counters of its journal and of its data. */
export interface SiteRow {
  readonly origin: string;
  /** The latest cursor of the journal. */
  readonly seq: number;
  /** The largest cursor among the changes that were removed because they were the oldest. */
  readonly forgotten: number;
  /** How many changes the journal has. */
  readonly kept: number;
  /**
   * Number of transactions with changes. The revisions below are the number of the latest transaction that changed that set of
   * data.
   */
  readonly revision: number;
  readonly namesRevision: number;
  readonly daysRevision: number;
  readonly correctionsRevision: number;
  readonly accessRevision: number;
  readonly erasuresRevision: number;
  readonly stationsRevision: number;
  /** The latest sequence ever given to a provisional scan, and the latest number ever given to a correction. */
  readonly provisionalNumber: number;
  readonly correctionNumber: number;
  /** The key of the erasures that the site makes. */
  readonly erasureKey: string;
}

/** Sets of data whose revisions are in the row of the site. */
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
  erasureKey: 'erasure_key',
} as const satisfies Record<keyof SiteRow, string>;

/** The columns of `tallybook.site` for a {@link SiteRow}. */
export const siteColumns: string = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** The row with new numbers. People read the numbers of corrections, so these stay shorter. */
export function raisedRow(row: SiteRow, to: number, correctionNumber: number): SiteRow {
  return {
    ...row,
    seq: to,
    revision: to,
    namesRevision: to,
    daysRevision: to,
    correctionsRevision: to,
    accessRevision: to,
    erasuresRevision: to,
    stationsRevision: to,
    provisionalNumber: to,
    correctionNumber,
  };
}

const changing = Object.entries(columns).filter(([name]) => name !== 'origin') as [keyof SiteRow, string][];

/** The first parameter after those of {@link siteAssignments}. */
export const firstFreeParameter: number = changing.length + 3;

/**
 * The assignments of `SET` for all columns that can change. Their values begin with the parameter $3. $2 is the revision that the
 * transaction has read: if the row has another one, the lock of the row was lost, and a NULL that the column refuses rolls
 * everything back.
 */
export const siteAssignments: string = changing
  .map(([name, column], index) => {
    const value = `$${index + 3}`;
    return `${column} = ${name === 'revision' ? `CASE WHEN revision = $2 THEN ${value}::bigint END` : value}`;
  })
  .join(', ');

export function siteValues(row: SiteRow): readonly unknown[] {
  return changing.map(([name]) => row[name]);
}

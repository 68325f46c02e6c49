import { toTimestamp, type Timestamp } from '@tallybook/domain';
import type { RefusedNote, StationRun, StationStatus } from '@tallybook/domain/sync';

/** The content of a station's row. */
export interface StoredStation {
  readonly name: string;
  readonly heardAt: Timestamp;
  /** Runs of the station, the one that was acknowledged last at the end. */
  readonly runs: readonly StationRun[];
  readonly status: StationStatus;
  /** In the order in which they came. */
  readonly refused: readonly RefusedNote[];
}

/** A row of `tallybook.station`; three columns are JSON. */
export interface StationRow {
  readonly name: string;
  readonly heardAt: number;
  readonly runs: string;
  readonly status: string;
  readonly refused: string;
}

const columns = 'name, heard_at AS "heardAt", runs, status, refused';

/** $1: site. */
export const selectStations: string = `SELECT ${columns} FROM tallybook.station WHERE site = $1`;

/** $1: site, $2: names. */
export const selectSomeStations: string = `SELECT ${columns} FROM tallybook.station WHERE site = $1 AND name = ANY ($2::text[])`;

/** $1: site; of each station: $2: name, $3: when it was heard, $4: runs, $5: status, $6: refused items. */
export const upsertStations = `INSERT INTO tallybook.station (site, name, heard_at, runs, status, refused)
  SELECT $1, t.name, t.heard_at, t.runs, t.status, t.refused
  FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS t (name, heard_at, runs, status, refused)
  ON CONFLICT (site, name) DO UPDATE SET heard_at = excluded.heard_at, runs = excluded.runs,
    status = excluded.status, refused = excluded.refused`;

/** $1: site, $2: name. */
export const deleteStation = 'DELETE FROM tallybook.station WHERE site = $1 AND name = $2 RETURNING name';

/** `undefined` if the row is damaged. */
export function toStation({ name, heardAt, runs, status, refused }: StationRow): StoredStation | undefined {
  try {
    return {
      name,
      heardAt: toTimestamp(heardAt),
      runs: JSON.parse(runs) as readonly StationRun[],
      status: JSON.parse(status) as StationStatus,
      refused: JSON.parse(refused) as readonly RefusedNote[],
    };
  } catch {
    return undefined;
  }
}

/** The values of {@link upsertStations}. */
export function stationValues(stations: readonly StoredStation[]): readonly unknown[] {
  return [
    stations.map(({ name }) => name),
    stations.map(({ heardAt }) => heardAt),
    stations.map(({ runs }) => JSON.stringify(runs)),
    stations.map(({ status }) => JSON.stringify(status)),
    stations.map(({ refused }) => JSON.stringify(refused)),
  ];
}

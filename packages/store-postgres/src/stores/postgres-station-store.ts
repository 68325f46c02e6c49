import type { Cursor } from '@tallybook/domain';
import {
  acknowledgedOf,
  latestRunOf,
  withAcknowledged,
  withRefused,
  type StationNotes,
  type StationRecord,
  type StationStore,
} from '@tallybook/domain/sync';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';
import {
  deleteStation,
  selectSomeStations,
  selectStations,
  stationValues,
  toStation,
  upsertStations,
  type StationRow,
  type StoredStation,
} from '../rows/station-rows.js';

/** Keeps the stations of a centre in PostgreSQL. A damaged row counts as missing. */
export class PostgresStationStore extends PostgresFacet implements StationStore {
  async progress(station: string, run: string): Promise<Cursor> {
    const [row] = await this.rows<StationRow>(selectSomeStations, [station]);
    return acknowledgedOf((row && toStation(row))?.runs ?? [], run);
  }

  acknowledge(station: string, run: string, through: Cursor, notes: StationNotes): Promise<void> {
    return this.submit(acknowledge, { station, run, through, notes }, 1);
  }

  async list(): Promise<readonly StationRecord[]> {
    const rows = await this.rows<StationRow>(selectStations);
    // Sorted here: how a database sorts text depends on its locale.
    return rows
      .flatMap((row) => toStation(row) ?? [])
      .map(toRecord)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  remove(station: string): Promise<boolean> {
    return this.write(async (transaction) => {
      const gone = await transaction.write(deleteStation, station);
      if (gone.length > 0) transaction.touch('stations');
      return gone.length > 0;
    }, 1);
  }
}

interface Acknowledgement {
  readonly station: string;
  readonly run: string;
  readonly through: Cursor;
  readonly notes: StationNotes;
}

/** Notes the progress of stations, one call after another. */
async function acknowledge(
  transaction: Transaction,
  items: readonly Acknowledgement[],
): Promise<readonly undefined[]> {
  const names = [...new Set(items.map(({ station }) => station))];
  const rows = await transaction.rows<StationRow>(selectSomeStations, names);
  const stations = new Map(rows.map((row) => [row.name, toStation(row)]));
  for (const item of items) stations.set(item.station, withNotes(stations.get(item.station), item));
  const changed = [...stations.values()].filter((station) => station !== undefined);
  transaction.send(upsertStations, ...stationValues(changed));
  transaction.touch('stations');
  return items.map(() => undefined);
}

function withNotes(
  before: StoredStation | undefined,
  { station, run, through, notes }: Acknowledgement,
): StoredStation {
  return {
    name: station,
    heardAt: notes.heardAt,
    status: notes.status,
    runs: withAcknowledged(before?.runs ?? [], run, through),
    refused: withRefused(before?.refused ?? [], run, notes),
  };
}

function toRecord({ name, runs, heardAt, status, refused }: StoredStation): StationRecord {
  return { name, ...latestRunOf(runs), heardAt, status, refused };
}

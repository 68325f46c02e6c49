import type { Cursor } from '@tallybook/domain';
import {
  latestRunOf,
  withAcknowledged,
  withRefused,
  type StationNotes,
  type StationRecord,
  type StationStore,
} from '@tallybook/domain/sync';
import { MemoryStore } from './memory-store.js';

/** Data of a station in a {@link MemoryStationStore}; the last acknowledged run is at the end. */
export interface MemoryStation extends Omit<StationRecord, 'name' | 'run' | 'acknowledged'> {
  readonly runs: ReadonlyMap<string, Cursor>;
}

/** Data of a {@link MemoryStationStore}, by the name of the station. */
export type MemoryStations = Map<string, MemoryStation>;

/** A {@link StationStore} in memory. Its data lives as long as the given `stations`. */
export class MemoryStationStore extends MemoryStore implements StationStore {
  readonly #stations: MemoryStations;

  constructor(stations: MemoryStations = new Map()) {
    super();
    this.#stations = stations;
  }

  progress(station: string, run: string): Promise<Cursor> {
    return this.run(() => Promise.resolve(this.#stations.get(station)?.runs.get(run) ?? 0));
  }

  acknowledge(station: string, run: string, through: Cursor, notes: StationNotes): Promise<void> {
    return this.run(() => {
      const { heardAt, status } = notes;
      const known = this.#stations.get(station);
      const runs = new Map(withAcknowledged([...(known?.runs ?? [])], run, through));
      const refused = withRefused(known?.refused ?? [], run, notes);
      this.#stations.set(station, { runs, heardAt, status: { ...status }, refused });
      return Promise.resolve();
    });
  }

  list(): Promise<readonly StationRecord[]> {
    return this.run(() => {
      const records = [...this.#stations].map(([name, { runs, heardAt, status, refused }]) => ({
        ...{ name, ...latestRunOf([...runs]) },
        ...{ heardAt, status, refused },
      }));
      return Promise.resolve(records.sort((a, b) => (a.name < b.name ? -1 : 1)));
    });
  }

  remove(station: string): Promise<boolean> {
    return this.run(() => Promise.resolve(this.#stations.delete(station)));
  }
}

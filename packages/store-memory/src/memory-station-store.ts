import {
  latestRunOf,
  ManagedResource,
  withAcknowledged,
  withRefused,
  type Cursor,
  type StationNotes,
  type StationRecord,
  type StationStore,
} from '@tallybook/domain';

/** What a {@link MemoryStationStore} keeps of a station: its runs, the one that was acknowledged last at the end. */
export interface MemoryStation extends Omit<StationRecord, 'name' | 'run' | 'acknowledged'> {
  readonly runs: ReadonlyMap<string, Cursor>;
}

/** What a {@link MemoryStationStore} keeps, by the name of the station. */
export type MemoryStations = Map<string, MemoryStation>;

/** A {@link StationStore} in memory. What it holds lives as long as the `stations` that it was given. */
export class MemoryStationStore extends ManagedResource implements StationStore {
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
      const records = [...this.#stations].map(([name, { runs, ...rest }]) => ({
        ...{ name, ...latestRunOf([...runs]) },
        ...rest,
      }));
      return Promise.resolve(records.sort((a, b) => (a.name < b.name ? -1 : 1)));
    });
  }

  remove(station: string): Promise<boolean> {
    return this.run(() => Promise.resolve(this.#stations.delete(station)));
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}

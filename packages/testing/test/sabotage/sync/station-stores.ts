import { setImmediate } from 'node:timers/promises';
import type { StationNotes, StationRecord } from '@tallybook/domain/sync';
import { MemoryStationStore, type MemoryStations } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, type Sabotage } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends MemoryStationStore {
  readonly stations: MemoryStations;

  constructor(stations: MemoryStations) {
    super(stations);
    this.stations = stations;
  }

  override run<T>(operation: () => Promise<T>): Promise<T> {
    return super.run(operation);
  }
}

const operations = ['progress', 'acknowledge', 'list', 'remove'];

export const stationStoreSabotages: readonly Sabotage<
  new (stations: MemoryStations) => MemoryStationStore
>[] = [
  ...faults<new (stations: MemoryStations) => MemoryStationStore>({
    'knows a station that was only asked for': class extends Sabotaged {
      static readonly fails = ['lets remove finish when close is called meanwhile', 'knows nothing at first'];
      override async remove(station: string): Promise<boolean> {
        const wasThere = await super.remove(station);
        if (!wasThere) {
          const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '' };
          await super.acknowledge(station, 'run', 0, { heardAt: 0 as never, status, refused: [] });
        }
        return wasThere;
      }
    },
    'has the progress of another run where there is none': class extends Sabotaged {
      static readonly fails = ['has how far a run of a station was acknowledged'];
      override async progress(station: string, run: string): Promise<number> {
        const progress = await super.progress(station, run);
        return progress === 0 ? Math.max(0, ...(this.stations.get(station)?.runs.values() ?? [])) : progress;
      }
    },
    'keeps cursors of 32 bits': class extends Sabotaged {
      static readonly fails = ['has how far a run of a station was acknowledged'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        return super.acknowledge(station, run, through >>> 0, notes);
      }
    },
    'goes back': class extends Sabotaged {
      static readonly fails = ['never goes back, and takes the notes all the same'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const known = this.stations.get(station);
        if (known !== undefined) {
          const runs = new Map([...known.runs].map(([name, cursor]) => [name, name === run ? 0 : cursor]));
          this.stations.set(station, { ...known, runs });
        }
        return super.acknowledge(station, run, through, notes);
      }
    },
    'takes no notes where it has that cursor already': class extends Sabotaged {
      static readonly fails = ['never goes back, and takes the notes all the same'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const known = this.stations.get(station)?.runs.get(run) ?? -1;
        return this.status === 'open' && through < known
          ? Promise.resolve()
          : super.acknowledge(station, run, through, notes);
      }
    },
    'does not tell capitals from other letters': class extends Sabotaged {
      static readonly fails = ['keeps stations and runs apart, whatever their names are'];
      override progress(station: string, run: string): Promise<number> {
        return super.progress(station.toLowerCase(), run);
      }

      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        return super.acknowledge(station.toLowerCase(), run, through, notes);
      }
    },
    'lists stations in the order of coming': class extends Sabotaged {
      static readonly fails = ['keeps stations and runs apart, whatever their names are'];
      override async list(): Promise<readonly StationRecord[]> {
        const records = await super.list();
        return [...this.stations.keys()].flatMap((name) => records.filter((each) => each.name === name));
      }
    },
    'keeps the 8 runs that began last': class extends Sabotaged {
      static readonly fails = ['has the run of a station that was acknowledged last'];
      override async acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const before = [...(this.stations.get(station)?.runs.keys() ?? [])];
        await super.acknowledge(station, run, through, notes);
        const known = this.stations.get(station);
        if (known === undefined || !before.includes(run)) return;
        const runs = new Map(before.map((name) => [name, known.runs.get(name) ?? 0]));
        this.stations.set(station, { ...known, runs });
      }
    },
    'keeps every run': class extends Sabotaged {
      static readonly fails = ['keeps the 8 runs of a station that were acknowledged last'];
      override async acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const before = this.stations.get(station)?.runs ?? new Map<string, number>();
        await super.acknowledge(station, run, through, notes);
        const known = this.stations.get(station);
        if (known === undefined) return;
        const lost = [...before].filter(([name]) => !known.runs.has(name));
        this.stations.set(station, { ...known, runs: new Map([...lost, ...known.runs]) });
      }
    },
    'keeps what a status had before': class extends Sabotaged {
      static readonly fails = ['has how a station was when it was heard last'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const status = { ...this.stations.get(station)?.status, ...notes.status };
        return super.acknowledge(station, run, through, { ...notes, status });
      }
    },
    'keeps what was refused under its cursor alone': class extends Sabotaged {
      static readonly fails = ['loses nothing of what is acknowledged at the same time'];
      override async acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        await super.acknowledge(station, run, through, notes);
        const known = this.stations.get(station);
        if (known === undefined) return;
        const refused = new Map(known.refused.map((note) => [note.cursor, note]));
        this.stations.set(station, { ...known, refused: [...refused.values()] });
      }
    },
    'keeps what was refused each time that it is sent': class extends Sabotaged {
      static readonly fails = ['keeps what was refused in the order of coming, each once'];
      override async acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const before = this.stations.get(station)?.refused ?? [];
        await super.acknowledge(station, run, through, notes);
        const known = this.stations.get(station);
        if (known === undefined) return;
        const refused = notes.refused.map((item) => ({ ...item, run, at: notes.heardAt }));
        this.stations.set(station, { ...known, refused: [...before, ...refused].slice(-100) });
      }
    },
    'keeps the 100 items that were refused first': class extends Sabotaged {
      static readonly fails = ['keeps the 100 items of a station that were refused last'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        const room = 100 - (this.stations.get(station)?.refused.length ?? 0);
        return super.acknowledge(station, run, through, { ...notes, refused: notes.refused.slice(0, room) });
      }
    },
    'forgets all stations when one is removed': class extends Sabotaged {
      static readonly fails = ['forgets a station that is removed, and no other one'];
      override async remove(station: string): Promise<boolean> {
        const wasThere = await super.remove(station);
        if (wasThere) this.stations.clear();
        return wasThere;
      }
    },
    'keeps how far a removed station got': class extends Sabotaged {
      static readonly fails = ['forgets a station that is removed, and no other one'];
      readonly #former = new Map<string, number>();

      override async remove(station: string): Promise<boolean> {
        for (const [run, cursor] of this.stations.get(station)?.runs ?? []) {
          this.#former.set(`${station} ${run}`, cursor);
        }
        return super.remove(station);
      }

      override async progress(station: string, run: string): Promise<number> {
        const progress = await super.progress(station, run);
        return progress === 0 ? (this.#former.get(`${station} ${run}`) ?? 0) : progress;
      }
    },
    'loses what is acknowledged while it writes': class extends Sabotaged {
      static readonly fails = ['lets acknowledge finish when close is called meanwhile'];
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        return this.run(async () => {
          const before = this.stations.get(station);
          await setImmediate();
          if (before === undefined) this.stations.delete(station);
          else this.stations.set(station, before);
          await super.acknowledge(station, run, through, notes);
        });
      }
    },
    'forgets what was refused in a restart': class extends Sabotaged {
      static readonly fails = ['keeps what it acknowledged across a restart'];
      protected override async onClose(): Promise<void> {
        for (const [name, known] of this.stations) this.stations.set(name, { ...known, refused: [] });
      }
    },
  }),
  ...closedStoreSabotages(MemoryStationStore, operations),
];

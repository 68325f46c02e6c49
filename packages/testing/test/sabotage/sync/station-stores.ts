import { setImmediate } from 'node:timers/promises';
import type { KeyClaim, StationNotes, StationRecord } from '@tallybook/domain/sync';
import { MemoryStationStore, type MemoryStation, type MemoryStations } from '@tallybook/testing';
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

const operations = ['progress', 'acknowledge', 'list', 'remove', 'claimKeys'];

const titles = {
  most: 'notes as many keys of a station as it may have, in their order',
  apart: 'counts the keys of each station apart',
  known: 'knows a station of which it noted keys, and no progress of it',
  rest: 'keeps keys and all else of a station apart',
  time: 'forgets a key when its time is over, and not before',
  together: 'notes no more keys for those who bring them at the same time',
  removed: 'forgets the keys of a station that is removed',
  restart: 'keeps the keys of stations across a restart',
} as const;

/** A fake that claims keys in another way. */
function claiming(
  work: (
    store: Sabotaged,
    claim: (station: string, keys: readonly string[], terms: KeyClaim) => Promise<readonly string[]>,
    asked: readonly [station: string, keys: readonly string[], terms: KeyClaim],
  ) => Promise<readonly string[]>,
): new (stations: MemoryStations) => MemoryStationStore {
  return class extends Sabotaged {
    override claimKeys(
      station: string,
      keys: readonly string[],
      terms: KeyClaim,
    ): Promise<readonly string[]> {
      return work(this, (...other) => super.claimKeys(...other), [station, keys, terms]);
    }
  };
}

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
    'notes keys without end': {
      fails: [titles.most],
      Fake: claiming((_, claim, [station, keys, terms]) =>
        claim(station, keys, { ...terms, most: Infinity }),
      ),
    },
    'notes none of several keys if they are too many': {
      fails: [titles.most],
      Fake: claiming(async (store, claim, [station, keys, terms]) => {
        const before = store.stations.get(station);
        const granted = await claim(station, keys, terms);
        if (granted.length === keys.length || before !== undefined) return granted;
        store.stations.delete(station);
        return [];
      }),
    },
    'counts the keys of all stations together': {
      fails: [titles.apart],
      Fake: claiming((_, claim, [, keys, terms]) => claim('gate', keys, terms)),
    },
    'takes a key for progress': {
      fails: [titles.known],
      Fake: claiming(async (store, claim, asked) => {
        const granted = await claim(...asked);
        const known = store.stations.get(asked[0]);
        if (known !== undefined) store.stations.set(asked[0], { ...known, runs: new Map([['run', 1]]) });
        return granted;
      }),
    },
    'does not say which keys it noted': class extends Sabotaged {
      static readonly fails = [titles.known];
      override async list(): Promise<readonly StationRecord[]> {
        return (await super.list()).map((record) => ({ ...record, keys: [] }));
      }
    },
    'forgets keys when the station is heard': class extends Sabotaged {
      static readonly fails = [titles.rest];
      override async acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        await super.acknowledge(station, run, through, notes);
        const known = this.stations.get(station);
        if (known !== undefined) this.stations.set(station, { ...known, keys: [] });
      }
    },
    'never forgets a key': {
      fails: [titles.known],
      Fake: claiming((_, claim, [station, keys, terms]) =>
        claim(station, keys, { ...terms, heardAt: 0 as never }),
      ),
    },
    'forgets a key a second too early': {
      fails: [titles.known],
      Fake: claiming((_, claim, [station, keys, terms]) =>
        claim(station, keys, { ...terms, until: (terms.until - 1) as never }),
      ),
    },
    'keeps a key for longer when it comes again': {
      fails: [titles.time],
      Fake: claiming(async (store, claim, [station, keys, terms]) => {
        const granted = await claim(station, keys, terms);
        const known = store.stations.get(station);
        if (known === undefined) return granted;
        const noted = known.keys.map(
          ([key, until]) => [key, keys.includes(key) ? terms.until : until] as const,
        );
        store.stations.set(station, { ...known, keys: noted });
        return granted;
      }),
    },
    'loses keys that are noted while it writes': {
      fails: ['lets claimKeys finish when close is called meanwhile', titles.together],
      Fake: claiming((store, claim, asked) =>
        store.run(async () => {
          const before = store.stations.get(asked[0])?.keys ?? [];
          await setImmediate();
          const known = store.stations.get(asked[0]);
          if (known !== undefined) store.stations.set(asked[0], { ...known, keys: before });
          return claim(...asked);
        }),
      ),
    },
    'keeps the keys of a removed station': class extends Sabotaged {
      static readonly fails = [titles.removed];
      readonly #former = new Map<string, MemoryStation['keys']>();

      override remove(station: string): Promise<boolean> {
        this.#former.set(station, this.stations.get(station)?.keys ?? []);
        return super.remove(station);
      }

      override async claimKeys(
        station: string,
        keys: readonly string[],
        terms: KeyClaim,
      ): Promise<readonly string[]> {
        const former = this.#former.get(station) ?? [];
        return super.claimKeys(station, keys, { ...terms, most: terms.most - former.length });
      }
    },
    'forgets keys in a restart': class extends Sabotaged {
      static readonly fails = [titles.restart];
      protected override async onClose(): Promise<void> {
        for (const [name, known] of this.stations) this.stations.set(name, { ...known, keys: [] });
      }
    },
  }),
  ...closedStoreSabotages(MemoryStationStore, operations),
];

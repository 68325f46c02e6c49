import { setImmediate } from 'node:timers/promises';
import type { KeyClaim, StationNotes, StationRecord } from '@tallybook/domain/sync';
import { MemoryStationStore, type MemoryStation, type MemoryStations } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import type { Sabotage } from '../sabotage.js';

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
  {
    fault: 'knows a station that was only asked for',
    Fake: class extends Sabotaged {
      override async remove(station: string): Promise<boolean> {
        const wasThere = await super.remove(station);
        if (!wasThere) {
          const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '' };
          await super.acknowledge(station, 'run', 0, { heardAt: 0 as never, status, refused: [] });
        }
        return wasThere;
      }
    },
    fails: ['lets remove finish when close is called meanwhile', 'knows nothing at first'],
  },
  {
    fault: 'has the progress of another run where there is none',
    Fake: class extends Sabotaged {
      override async progress(station: string, run: string): Promise<number> {
        const progress = await super.progress(station, run);
        return progress === 0 ? Math.max(0, ...(this.stations.get(station)?.runs.values() ?? [])) : progress;
      }
    },
    fails: ['has how far a run of a station was acknowledged'],
  },
  {
    fault: 'keeps cursors of 32 bits',
    Fake: class extends Sabotaged {
      override acknowledge(
        station: string,
        run: string,
        through: number,
        notes: StationNotes,
      ): Promise<void> {
        return super.acknowledge(station, run, through >>> 0, notes);
      }
    },
    fails: ['has how far a run of a station was acknowledged'],
  },
  {
    fault: 'goes back',
    Fake: class extends Sabotaged {
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
    fails: ['never goes back, and takes the notes all the same'],
  },
  {
    fault: 'takes no notes where it has that cursor already',
    Fake: class extends Sabotaged {
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
    fails: ['never goes back, and takes the notes all the same'],
  },
  {
    fault: 'does not tell capitals from other letters',
    Fake: class extends Sabotaged {
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
    fails: ['keeps stations and runs apart, whatever their names are'],
  },
  {
    fault: 'lists stations in the order of coming',
    Fake: class extends Sabotaged {
      override async list(): Promise<readonly StationRecord[]> {
        const records = await super.list();
        return [...this.stations.keys()].flatMap((name) => records.filter((each) => each.name === name));
      }
    },
    fails: ['keeps stations and runs apart, whatever their names are'],
  },
  {
    fault: 'keeps the 8 runs that began last',
    Fake: class extends Sabotaged {
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
    fails: ['has the run of a station that was acknowledged last'],
  },
  {
    fault: 'keeps every run',
    Fake: class extends Sabotaged {
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
    fails: ['keeps the 8 runs of a station that were acknowledged last'],
  },
  {
    fault: 'keeps what a status had before',
    Fake: class extends Sabotaged {
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
    fails: ['has how a station was when it was heard last'],
  },
  {
    fault: 'keeps what was refused under its cursor alone',
    Fake: class extends Sabotaged {
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
    fails: ['loses nothing of what is acknowledged at the same time'],
  },
  {
    fault: 'keeps what was refused each time that it is sent',
    Fake: class extends Sabotaged {
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
    fails: ['keeps what was refused in the order of coming, each once'],
  },
  {
    fault: 'keeps the 100 items that were refused first',
    Fake: class extends Sabotaged {
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
    fails: ['keeps the 100 items of a station that were refused last'],
  },
  {
    fault: 'forgets all stations when one is removed',
    Fake: class extends Sabotaged {
      override async remove(station: string): Promise<boolean> {
        const wasThere = await super.remove(station);
        if (wasThere) this.stations.clear();
        return wasThere;
      }
    },
    fails: ['forgets a station that is removed, and no other one'],
  },
  {
    fault: 'keeps how far a removed station got',
    Fake: class extends Sabotaged {
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
    fails: ['forgets a station that is removed, and no other one'],
  },
  {
    fault: 'loses what is acknowledged while it writes',
    Fake: class extends Sabotaged {
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
    fails: ['lets acknowledge finish when close is called meanwhile'],
  },
  {
    fault: 'forgets what was refused in a restart',
    Fake: class extends Sabotaged {
      protected override async onClose(): Promise<void> {
        for (const [name, known] of this.stations) this.stations.set(name, { ...known, refused: [] });
      }
    },
    fails: ['keeps what it acknowledged across a restart'],
  },
  {
    fault: 'notes keys without end',
    Fake: claiming((_, claim, [station, keys, terms]) => claim(station, keys, { ...terms, most: Infinity })),
    fails: [titles.most],
  },
  {
    fault: 'notes none of several keys if they are too many',
    Fake: claiming(async (store, claim, [station, keys, terms]) => {
      const before = store.stations.get(station);
      const granted = await claim(station, keys, terms);
      if (granted.length === keys.length || before !== undefined) return granted;
      store.stations.delete(station);
      return [];
    }),
    fails: [titles.most],
  },
  {
    fault: 'counts the keys of all stations together',
    Fake: claiming((_, claim, [, keys, terms]) => claim('gate', keys, terms)),
    fails: [titles.apart],
  },
  {
    fault: 'takes a key for progress',
    Fake: claiming(async (store, claim, asked) => {
      const granted = await claim(...asked);
      const known = store.stations.get(asked[0]);
      if (known !== undefined) store.stations.set(asked[0], { ...known, runs: new Map([['run', 1]]) });
      return granted;
    }),
    fails: [titles.known],
  },
  {
    fault: 'does not say which keys it noted',
    Fake: class extends Sabotaged {
      override async list(): Promise<readonly StationRecord[]> {
        return (await super.list()).map((record) => ({ ...record, keys: [] }));
      }
    },
    fails: [titles.known],
  },
  {
    fault: 'forgets keys when the station is heard',
    Fake: class extends Sabotaged {
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
    fails: [titles.rest],
  },
  {
    fault: 'never forgets a key',
    Fake: claiming((_, claim, [station, keys, terms]) =>
      claim(station, keys, { ...terms, heardAt: 0 as never }),
    ),
    fails: [titles.known],
  },
  {
    fault: 'forgets a key a second too early',
    Fake: claiming((_, claim, [station, keys, terms]) =>
      claim(station, keys, { ...terms, until: (terms.until - 1) as never }),
    ),
    fails: [titles.known],
  },
  {
    fault: 'keeps a key for longer when it comes again',
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
    fails: [titles.time],
  },
  {
    fault: 'loses keys that are noted while it writes',
    Fake: claiming((store, claim, asked) =>
      store.run(async () => {
        const before = store.stations.get(asked[0])?.keys ?? [];
        await setImmediate();
        const known = store.stations.get(asked[0]);
        if (known !== undefined) store.stations.set(asked[0], { ...known, keys: before });
        return claim(...asked);
      }),
    ),
    fails: ['lets claimKeys finish when close is called meanwhile', titles.together],
  },
  {
    fault: 'keeps the keys of a removed station',
    Fake: class extends Sabotaged {
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
    fails: [titles.removed],
  },
  {
    fault: 'forgets keys in a restart',
    Fake: class extends Sabotaged {
      protected override async onClose(): Promise<void> {
        for (const [name, known] of this.stations) this.stations.set(name, { ...known, keys: [] });
      }
    },
    fails: [titles.restart],
  },
  ...closedStoreSabotages(MemoryStationStore, operations),
];

import { setImmediate } from 'node:timers/promises';
import { MemoryStationStore } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, showing } from '../sabotage.js';

/** A fake whose sabotage can access its contents. */
class Sabotaged extends showing(MemoryStationStore, 'stations') {}

const operations = ['progress', 'acknowledge', 'list', 'remove'];

export const stationStoreSabotages = [
  ...faults(Sabotaged, {
    'knows a station that was only asked for': {
      fails: ['lets remove finish when close is called meanwhile', 'has no stations at first'],
      remove: (sound, fake) => async (station) => {
        const wasThere = await sound(station);
        if (!wasThere) {
          const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '' };
          await fake.acknowledge(station, 'run', 0, { heardAt: 0 as never, status, refused: [] });
        }
        return wasThere;
      },
    },
    'has the progress of another run where there is none': {
      fails: ['has how far a run of a station was acknowledged'],
      progress: (sound, fake) => async (station, run) => {
        const progress = await sound(station, run);
        return progress === 0 ? Math.max(0, ...(fake.stations.get(station)?.runs.values() ?? [])) : progress;
      },
    },
    'keeps cursors of 32 bits': {
      fails: ['has how far a run of a station was acknowledged'],
      acknowledge: (sound) => (station, run, through, notes) => sound(station, run, through >>> 0, notes),
    },
    'goes back': {
      fails: ['never goes back, and takes the notes all the same'],
      acknowledge: (sound, fake) => (station, run, through, notes) => {
        const known = fake.stations.get(station);
        if (known !== undefined) {
          const runs = new Map([...known.runs].map(([name, cursor]) => [name, name === run ? 0 : cursor]));
          fake.stations.set(station, { ...known, runs });
        }
        return sound(station, run, through, notes);
      },
    },
    'takes no notes where it has that cursor already': {
      fails: ['never goes back, and takes the notes all the same'],
      acknowledge: (sound, fake) => (station, run, through, notes) => {
        const known = fake.stations.get(station)?.runs.get(run) ?? -1;
        return fake.status === 'open' && through < known
          ? Promise.resolve()
          : sound(station, run, through, notes);
      },
    },
    'does not tell capitals from other letters': {
      fails: ['keeps stations and runs apart, whatever their names are'],
      progress: (sound) => (station, run) => sound(station.toLowerCase(), run),
      acknowledge: (sound) => (station, run, through, notes) =>
        sound(station.toLowerCase(), run, through, notes),
    },
    'lists stations in the order of coming': {
      fails: ['keeps stations and runs apart, whatever their names are'],
      list: (sound, fake) => async () => {
        const records = await sound();
        return [...fake.stations.keys()].flatMap((name) => records.filter((each) => each.name === name));
      },
    },
    'keeps the 8 runs that began last': {
      fails: ['has the run of a station that was acknowledged last'],
      acknowledge: (sound, fake) => async (station, run, through, notes) => {
        const before = [...(fake.stations.get(station)?.runs.keys() ?? [])];
        await sound(station, run, through, notes);
        const known = fake.stations.get(station);
        if (known === undefined || !before.includes(run)) return;
        const runs = new Map(before.map((name) => [name, known.runs.get(name) ?? 0]));
        fake.stations.set(station, { ...known, runs });
      },
    },
    'keeps every run': {
      fails: ['keeps the 8 runs of a station that were acknowledged last'],
      acknowledge: (sound, fake) => async (station, run, through, notes) => {
        const before = fake.stations.get(station)?.runs ?? new Map<string, number>();
        await sound(station, run, through, notes);
        const known = fake.stations.get(station);
        if (known === undefined) return;
        const lost = [...before].filter(([name]) => !known.runs.has(name));
        fake.stations.set(station, { ...known, runs: new Map([...lost, ...known.runs]) });
      },
    },
    'keeps what a status had before': {
      fails: ['has how a station was when it was heard last'],
      acknowledge: (sound, fake) => (station, run, through, notes) => {
        const status = { ...fake.stations.get(station)?.status, ...notes.status };
        return sound(station, run, through, { ...notes, status });
      },
    },
    'keeps what was refused under its cursor alone': {
      fails: ['loses nothing of what is acknowledged at the same time'],
      acknowledge: (sound, fake) => async (station, run, through, notes) => {
        await sound(station, run, through, notes);
        const known = fake.stations.get(station);
        if (known === undefined) return;
        const refused = new Map(known.refused.map((note) => [note.cursor, note]));
        fake.stations.set(station, { ...known, refused: [...refused.values()] });
      },
    },
    'keeps what was refused each time that it is sent': {
      fails: ['keeps what was refused in the order of coming, each once'],
      acknowledge: (sound, fake) => async (station, run, through, notes) => {
        const before = fake.stations.get(station)?.refused ?? [];
        await sound(station, run, through, notes);
        const known = fake.stations.get(station);
        if (known === undefined) return;
        const refused = notes.refused.map((item) => ({ ...item, run, at: notes.heardAt }));
        fake.stations.set(station, { ...known, refused: [...before, ...refused].slice(-100) });
      },
    },
    'keeps the 100 items that were refused first': {
      fails: ['keeps the 100 items of a station that were refused last'],
      acknowledge: (sound, fake) => (station, run, through, notes) => {
        const room = 100 - (fake.stations.get(station)?.refused.length ?? 0);
        return sound(station, run, through, { ...notes, refused: notes.refused.slice(0, room) });
      },
    },
    'forgets all stations when one is removed': {
      fails: ['forgets a station that is removed, and no other one'],
      remove: (sound, fake) => async (station) => {
        const wasThere = await sound(station);
        if (wasThere) fake.stations.clear();
        return wasThere;
      },
    },
    'loses what is acknowledged while it writes': {
      fails: ['lets acknowledge finish when close is called meanwhile'],
      acknowledge: (sound, fake) => (station, run, through, notes) =>
        fake.run(async () => {
          const before = fake.stations.get(station);
          await setImmediate();
          if (before === undefined) fake.stations.delete(station);
          else fake.stations.set(station, before);
          await sound(station, run, through, notes);
        }),
    },
    'forgets what was refused in a restart': {
      fails: ['keeps what it acknowledged across a restart'],
      onClose: (_, fake) => async () => {
        for (const [name, known] of fake.stations) fake.stations.set(name, { ...known, refused: [] });
      },
    },
  }),
  ...closedStoreSabotages(MemoryStationStore, operations),
];

import { setImmediate } from 'node:timers/promises';
import type { Name, TallyId } from '@tallybook/domain';
import { compareStamps, NO_STAMP, NOWHERE, type StampedName } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import { MemoryMappingStore, MemoryStampedNames, type MemoryJournal } from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, inWorld, type Methods, type Sabotage, showing, plant } from '../sabotage.js';
import { StampedWorld } from './stamped-world.js';

/** Stamped names whose sabotage can access the mapping. */
class Sabotaged extends showing(MemoryStampedNames, 'mapping') {
  here(id: TallyId): StampedName | undefined {
    return this.mapping.stampedOf(id);
  }
}

/** A mapping whose sabotage can access what it holds, and where it gets the time. */
class SabotagedMapping extends MemoryMappingStore {
  readonly names: StampedWorld['names'];
  readonly stamps: StampedWorld['stamps'];
  readonly journal: MemoryJournal;
  readonly source: StampSource | undefined;

  constructor({ names, stamps }: StampedWorld, journal: MemoryJournal, source: StampSource | undefined) {
    super(names, journal, { stamps, ...(source && { source }) });
    this.names = names;
    this.stamps = stamps;
    this.journal = journal;
    this.source = source;
  }
}

/** Has another source of stamps. */
const withSource = (spoil: (source: StampSource) => StampSource): Methods<StampedWorld> => ({
  mapping: (sound) => (journal, source) => sound(journal, source && spoil(source)),
});

const isSame = (one: Name | undefined, other: Name | undefined): boolean =>
  one?.first === other?.first && one?.last === other?.last;

const LEFT_OUT = ['leaves a name of a backup out that may be from before the erasure of its tag'];

/** Faults of the stamped names. */
const inNames = faults(Sabotaged, {
  'forgets removed names': {
    fails: ['stamps each of many names that are changed at once'],
    get: (sound) => async (ids) => (await sound(ids)).filter(({ name }) => name !== undefined),
    page: (sound) => async (after, limit) =>
      (await sound(after, limit)).filter(({ name }) => name !== undefined),
    merge: (sound, fake) => (names) => {
      for (const { id } of fake.status === 'open' ? names : []) {
        if (fake.here(id)?.name === undefined) fake.mapping.erase(id);
      }
      return sound(names);
    },
  },
  'takes a name that nobody stamped for one of an unknown time': {
    fails: ['has names without a stamp before all others'],
    get: (sound) => async (ids) => {
      const found = await sound(ids);
      return found.map((name) =>
        name.stamp !== undefined && compareStamps(name.stamp, NO_STAMP) === 0
          ? { ...name, stamp: undefined }
          : name,
      );
    },
  },
  'gives names ascending, whatever is asked for': {
    fails: ['gives names in the order of the ids that are asked for'],
    get: (sound) => (ids) => sound([...ids].sort()),
  },
  'gives the last of a page again in the next one': {
    fails: ['gives all names in pages, ascending, removed ones too'],
    page: (sound) => async (after, limit) => {
      const all = await sound(undefined, Infinity);
      return all.filter(({ id }) => after === undefined || id >= after).slice(0, limit);
    },
  },
  'compares the time alone': {
    fails: [
      'takes a name over that is later by its time, counter or node',
      'comes to the same names in whatever order they are merged',
    ],
    merge: (sound, fake) => (names) => {
      const cut = names.filter(({ id, stamp }) => (stamp?.ms ?? 0) !== fake.here(id)?.stamp?.ms);
      return sound(cut);
    },
  },
  'takes a name with the same stamp': {
    fails: [
      'lets merge finish when close is called meanwhile',
      'keeps a name that is not earlier, and says so',
    ],
    merge: (sound, fake) => async (names) => {
      const stayed = await sound(names);
      const same = names.filter(({ id, stamp }) => compareStamps(stamp, fake.here(id)?.stamp) === 0);
      await fake.replace(same);
      return stayed.filter(({ id }) => !same.some((name) => name.id === id));
    },
  },
  'does not say what stayed': {
    fails: ['does not restore a name that was removed later'],
    merge: (sound) => (names) => sound(names).then(() => []),
  },
  'says of every name what is there': {
    fails: ['takes a name over that is later by its time, counter or node'],
    merge: (sound, fake) => async (names) => {
      await sound(names);
      return fake.get(names.map(({ id }) => id));
    },
  },
  'leaves the stamp of a name that is the same': {
    fails: ['takes the later stamp of a name that is the same'],
    merge: (sound, fake) => (names) =>
      sound(names.filter(({ id, name }) => !isSame(name, fake.here(id)?.name))),
  },
  'takes the first of several names of one tag': {
    fails: [
      'replaces names and stamps, whatever is there',
      'reports changed names in the journal, and nothing else',
    ],
    merge: (sound) => (names) =>
      sound([...new Map([...names].reverse().map((name) => [name.id, name])).values()]),
    replace: (sound) => (names) => sound([...names].reverse()),
  },
  'merges one name after another': {
    fails: [
      'takes the latest of several names of one tag',
      'takes all names or none, also for readers meanwhile',
    ],
    merge: (sound, fake) => (names) =>
      fake.run(async () => {
        const stayed: StampedName[] = [];
        for (const name of names) {
          stayed.push(...(await sound([name])));
          if (names.length > 100) await setImmediate();
        }
        return stayed;
      }),
  },
  'merges after the writes that were called later': {
    fails: ['merges in its turn among other writes'],
    merge: (sound, fake) => (names) =>
      fake.run(async () => {
        await Promise.resolve();
        return sound(names);
      }),
  },
  'decides too early what it merges': {
    fails: ['loses nothing of what is merged at the same time'],
    merge: (sound, fake) => (names) =>
      fake.run(async () => {
        const here = new Map(names.map(({ id }) => [id, fake.here(id)]));
        await setImmediate();
        await fake.replace(
          names.filter(({ id, stamp }) => {
            const before = here.get(id);
            return before === undefined || compareStamps(stamp, before.stamp) > 0;
          }),
        );
        return sound(names);
      }),
  },
  'replaces only what is earlier': {
    fails: ['keeps a removed name from being one of the mapping'],
    replace: (_, fake) => (names) => fake.merge(names).then(() => undefined),
  },
});

/** Faults of the mapping. */
const inMapping = faults(SabotagedMapping, {
  'counts on after the largest number': {
    fails: ['changes a name whose stamp has the largest numbers'],
    write: (sound, fake) => (names) => {
      const spoilt = names.map((name): StampedName => {
        const before = fake.stampedOf(name.id)?.stamp;
        const isLargest = before?.counter === Number.MAX_SAFE_INTEGER && name.stamp !== undefined;
        return isLargest ? { ...name, stamp: { ...before, counter: before.counter + 1 } } : name;
      });
      sound(spoilt);
    },
  },
  'takes a name of a backup for one that is given now': {
    fails: [
      'stamps a name of a backup with the time of the backup',
      'stamps a name of a backup later than what it replaces, and not later than now',
      'leaves a name of a backup that is there as it is, unless it has no stamp',
    ],
    restore: (_, fake) => (id, name) => fake.put(id, name),
  },
  'stamps a name of a backup with its time, whatever there is and whatever time it is': {
    fails: ['stamps a name of a backup later than what it replaces, and not later than now'],
    restore: (_, fake) => (id, name, knownAt) => {
      const outcome = fake.nameOf(id) === undefined ? 'added' : 'replaced';
      const stamp = { ms: Number(knownAt ?? 9) * 1_000, counter: 0, node: fake.journal.changesOrigin };
      if (fake.status === 'open') fake.write([{ id, name, stamp }]);
      return Promise.resolve(outcome);
    },
  },
  'does not take a name of a backup of an unknown time': {
    fails: ['stamps a name of a backup of an unknown time with that of now'],
    restore: (sound) => (id, name, knownAt) =>
      knownAt === undefined ? Promise.resolve('erased') : sound(id, name, knownAt),
  },
  'stamps a removal of what was never there': {
    fails: ['knows nothing of tags that never had a name', 'stamps a name that is put, and its removal'],
    remove: (sound, fake) => (id) => {
      if (fake.status === 'open' && !fake.names.has(id)) fake.stamps.set(id, undefined);
      return sound(id);
    },
  },
  'does not stamp a name that is given again': {
    fails: ['stamps a name that is given again, and reports no change'],
    put: (sound, fake) => (id, name) =>
      fake.status === 'open' && isSame(fake.names.get(id), name)
        ? Promise.resolve('replaced')
        : sound(id, name),
  },
  'stamps what the clock shows, also if that is earlier': {
    fails: ['changes a name whose stamp has the largest numbers'],
    write: (sound, fake) => (all) =>
      sound(
        all.map((each) => {
          const ms = fake.source?.now();
          const isOurs = ms !== undefined && each.stamp?.node === fake.journal.changesOrigin;
          return isOurs ? { ...each, stamp: { ms, counter: 0, node: fake.journal.changesOrigin } } : each;
        }),
      ),
  },
  'shows removed names as empty ones': {
    fails: ['keeps a removed name from being one of the mapping'],
    write: (sound, fake) => (all) => {
      sound(all);
      for (const { id, name } of all) if (name === undefined) fake.names.set(id, { first: '', last: '' });
    },
  },
  'keeps the stamps of who is erased': {
    fails: ['forgets the stamps of an erased tag, also of a removed name'],
    erase: (sound, fake) => (id) => {
      const had = fake.stamps.get(id);
      sound(id);
      fake.stamps.set(id, had);
    },
  },
  'does not trace stamps': {
    fails: ['lets an erasure trace the stamp of a name, also of a removed one'],
    stampOf: () => () => undefined,
  },
  'takes the stamp of an arrival for the time of the name': {
    fails: ['lets an erasure that comes later take a name with it that has the stamp of its arrival'],
    stampOf: (sound) => (id) => {
      const found = sound(id);
      return found?.stamp?.node === NOWHERE ? { stamp: { ...found.stamp, node: 'here' } } : found;
    },
  },
  'tells the journal of every name that it writes': {
    fails: ['stamps a name that is given again, and reports no change'],
    write: (sound, fake) => (all) => {
      const same = all.filter(({ id, name }) => isSame(name, fake.names.get(id)));
      sound(all);
      fake.journal.append(...same.map(({ id }) => ({ kind: 'name', id, action: 'replaced' }) as const));
    },
  },
  'has a revision that knows nothing of merged names': {
    fails: ['changes the revision of the mapping with each name'],
    revision: (sound) => () => sound().then(() => '0'),
  },
});

/** Faults of the parts together. */
const together = faults(StampedWorld, {
  'stamps nothing': {
    fails: ['changes a name whose stamp has the largest numbers'],
    mapping: (sound) => (journal) => sound(journal, undefined),
  },
  'stamps 0 when nobody knows the time': {
    fails: ['stamps a name of a backup of an unknown time with that of now'],
    ...withSource((source) => ({ now: () => source.now() ?? 0 })),
  },
  'stamps in seconds': {
    fails: [
      'stamps later than what was there, whatever the clock shows',
      'has no stamp for what changed at an unknown time',
    ],
    ...withSource((source) => {
      const now = (): number | undefined => {
        const ms = source.now();
        return ms && Math.floor(ms / 1_000) * 1_000;
      };
      return { now };
    }),
  },
  'gives pages in the order of writing': {
    fails: ['gives all names in pages, ascending, removed ones too'],
    stamped: (sound, fake) => (mapping) =>
      plant(sound(mapping), {
        page: (page) => async (after, limit) => {
          const places = [...fake.stamps.keys()];
          const inOrder = [...(await page(undefined, Infinity))].sort(
            (a, b) => places.indexOf(a.id) - places.indexOf(b.id),
          );
          return inOrder.slice(after === undefined ? 0 : places.indexOf(after) + 1).slice(0, limit);
        },
      }),
  },
  'finds no removed names for the erasures of a backup': {
    fails: ['lets the erasures of a backup find removed names'],
    erasures: (sound, fake) => (parts) =>
      plant(sound(parts), {
        add: (add) => async (some, now) => {
          const removed = [...fake.stamps].filter(([id]) => !fake.names.has(id));
          await add(some, now);
          for (const [id, stamp] of removed) fake.stamps.set(id, stamp);
        },
      }),
  },
  'still tells of names that the erasures of a backup took': {
    fails: ['lets an erasure that comes later take a name with it that has the stamp of its arrival'],
    erasures: (sound) => (parts) =>
      plant(sound(parts), {
        add: (add) => async (some, now) => {
          const told = parts.journal?.entriesOf((change) => change.kind === 'name') ?? [];
          await add(some, now);
          parts.journal?.append(...told.map(({ change }) => change));
        },
      }),
  },
  'forgets stamps in a restart': {
    fails: ['keeps names, removals and stamps across a restart'],
    mapping: (sound, fake) => (journal, source) => {
      fake.stamps.clear();
      return sound(journal, source);
    },
  },
  'forgets to ask who was erased when it restores a name': { fails: LEFT_OUT, isErased: () => () => false },
  'restores a name of an erased tag from the second of the erasure': {
    fails: LEFT_OUT,
    isErased: () => (id, knownAt, erasures) =>
      erasures.of(id).some(({ until }) => knownAt === undefined || knownAt < until),
  },
  'restores a name of an erased tag from an unknown time': {
    fails: LEFT_OUT,
    isErased: () => (id, knownAt, erasures) => knownAt !== undefined && erasures.isRefused(id, knownAt),
  },
  'restores no name of an erased tag, whenever it was': {
    fails: LEFT_OUT,
    isErased: () => (id, _, erasures) => erasures.isRefused(id, undefined),
  },
});

const operations = ['merge', 'replace', 'get', 'page'];

export const stampedNamesSabotages: readonly Sabotage<typeof StampedWorld>[] = [
  ...inWorld(StampedWorld, [...inNames, ...closedStoreSabotages(MemoryStampedNames, operations)], (Fake) => ({
    stamped: () => (mapping) => new Fake(mapping),
  })),
  ...inWorld(StampedWorld, inMapping, (Fake) => ({
    mapping: (_, world) => (journal, source) => new Fake(world, journal, source),
  })),
  ...together,
];

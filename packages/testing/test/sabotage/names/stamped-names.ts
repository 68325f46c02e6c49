import { setImmediate } from 'node:timers/promises';
import type { Name, PutOutcome, RestoreOutcome, TallyId, Timestamp } from '@tallybook/domain';
import { compareStamps, NO_STAMP, NOWHERE, type Erasure, type StampedName } from '@tallybook/domain/record';
import type { StampSource } from '@tallybook/domain/sync';
import {
  MemoryErasureStore,
  MemoryMappingStore,
  MemoryStampedNames,
  type MemoryErasureParts,
  type MemoryJournal,
} from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, spoilt, type Methods, type Sabotage } from '../sabotage.js';
import { StampedWorld } from './stamped-world.js';

type World = new () => StampedWorld;

/** A world with other methods of its stamped names. */
function naming(methods: Methods<Sabotaged>): World {
  return withNames(spoilt(Sabotaged, methods));
}

/** A world whose stamped names are of the class `Fake`. */
function withNames(Fake: new (mapping: MemoryMappingStore) => MemoryStampedNames): World {
  return class extends StampedWorld {
    override stamped(mapping: MemoryMappingStore): MemoryStampedNames {
      return new Fake(mapping);
    }
  };
}

/** A world whose mapping has a changed source of stamps. */
function withSource(spoil: (source: StampSource) => StampSource): World {
  return class extends StampedWorld {
    override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
      return super.mapping(journal, source && spoil(source));
    }
  };
}

/** A world that restores names in another way. */
function withRestore(
  restoreIn: (
    mapping: MemoryMappingStore,
    id: TallyId,
    name: Name,
    knownAt: Timestamp | undefined,
    restore: MemoryMappingStore['restore'],
    node: string,
  ) => Promise<RestoreOutcome>,
): World {
  return class extends StampedWorld {
    override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
      const mapping = super.mapping(journal, source);
      const restore = mapping.restore.bind(mapping);
      mapping.restore = (id, name, knownAt) =>
        restoreIn(mapping, id, name, knownAt, restore, journal.changesOrigin);
      return mapping;
    }
  };
}

/** Worlds that leave out the wrong names of a backup. */
function leavingOut(
  faults: Readonly<Record<string, (...args: Parameters<StampedWorld['isErased']>) => boolean>>,
): readonly Sabotage<World>[] {
  return Object.entries(faults).map(([fault, isErased]) => ({
    fault,
    Fake: class extends StampedWorld {
      override isErased(...args: Parameters<StampedWorld['isErased']>): boolean {
        return isErased(...args);
      }
    },
    fails: ['leaves a name of a backup out that may be from before the erasure of its tag'],
  }));
}

/** Stamped names whose sabotage can access the mapping. */
class Sabotaged extends MemoryStampedNames {
  readonly mapping: MemoryMappingStore;

  constructor(mapping: MemoryMappingStore) {
    super(mapping);
    this.mapping = mapping;
  }

  here(id: TallyId): StampedName | undefined {
    return this.mapping.stampedOf(id);
  }
}

const isSame = (one: Name | undefined, other: Name | undefined): boolean =>
  one?.first === other?.first && one?.last === other?.last;

const sabotages: readonly Sabotage<World>[] = [
  ...faults(StampedWorld, {
    'stamps nothing': class extends StampedWorld {
      static readonly fails = ['changes a name whose stamp has the largest numbers'];
      override mapping(journal: MemoryJournal): MemoryMappingStore {
        return super.mapping(journal, undefined);
      }
    },
    'counts on after the largest number': class extends StampedWorld {
      static readonly fails = ['changes a name whose stamp has the largest numbers'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const mapping = super.mapping(journal, source);
        const write = mapping.write.bind(mapping);
        mapping.write = (names) => {
          const spoilt = names.map((name): StampedName => {
            const before = mapping.stampedOf(name.id)?.stamp;
            const isLargest = before?.counter === Number.MAX_SAFE_INTEGER && name.stamp !== undefined;
            return isLargest ? { ...name, stamp: { ...before, counter: before.counter + 1 } } : name;
          });
          write(spoilt);
        };
        return mapping;
      }
    },
    'takes a name of a backup for one that is given now': {
      fails: [
        'stamps a name of a backup with the time of the backup',
        'stamps a name of a backup later than what it replaces, and not later than now',
        'leaves a name of a backup that is there as it is, unless it has no stamp',
      ],
      Fake: withRestore((mapping, id, name) => mapping.put(id, name)),
    },
    'stamps a name of a backup with its time, whatever there is and whatever time it is': {
      fails: ['stamps a name of a backup later than what it replaces, and not later than now'],
      Fake: withRestore((mapping, id, name, knownAt, _, node) => {
        const outcome = mapping.nameOf(id) === undefined ? 'added' : 'replaced';
        const stamp = { ms: Number(knownAt ?? 9) * 1_000, counter: 0, node };
        if (mapping.status === 'open') mapping.write([{ id, name, stamp }]);
        return Promise.resolve(outcome);
      }),
    },
    'does not take a name of a backup of an unknown time': {
      fails: ['stamps a name of a backup of an unknown time with that of now'],
      Fake: withRestore((mapping, id, name, knownAt, restore) =>
        knownAt === undefined ? Promise.resolve('erased') : restore(id, name, knownAt),
      ),
    },
    'stamps a removal of what was never there': class extends StampedWorld {
      static readonly fails = [
        'knows nothing of tags that never had a name',
        'stamps a name that is put, and its removal',
      ];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override remove(id: TallyId): Promise<boolean> {
            if (this.status === 'open' && !names.has(id)) stamps.set(id, undefined);
            return super.remove(id);
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'forgets removed names': {
      fails: ['stamps each of many names that are changed at once'],
      Fake: naming({
        get: (sound) => async (ids) => (await sound(ids)).filter(({ name }) => name !== undefined),
        page: (sound) => async (after, limit) =>
          (await sound(after, limit)).filter(({ name }) => name !== undefined),
        merge: (sound, fake) => (names) => {
          for (const { id } of fake.status === 'open' ? names : []) {
            if (fake.here(id)?.name === undefined) fake.mapping.erase(id);
          }
          return sound(names);
        },
      }),
    },
    'does not stamp a name that is given again': class extends StampedWorld {
      static readonly fails = ['stamps a name that is given again, and does not tell of it'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override put(id: TallyId, name: Name): Promise<PutOutcome> {
            return this.status === 'open' && isSame(names.get(id), name)
              ? Promise.resolve('replaced')
              : super.put(id, name);
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'stamps what the clock shows, also if that is earlier': class extends StampedWorld {
      static readonly fails = ['changes a name whose stamp has the largest numbers'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override write(all: readonly StampedName[]): void {
            super.write(
              all.map((each) => {
                const ms = source?.now();
                const isOurs = ms !== undefined && each.stamp?.node === journal.changesOrigin;
                return isOurs ? { ...each, stamp: { ms, counter: 0, node: journal.changesOrigin } } : each;
              }),
            );
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'stamps 0 when nobody knows the time': {
      fails: ['stamps a name of a backup of an unknown time with that of now'],
      Fake: withSource((source) => ({ now: () => source.now() ?? 0 })),
    },
    'stamps in seconds': {
      fails: [
        'stamps later than what was there, whatever the clock shows',
        'has no stamp for what changed at an unknown time',
      ],
      Fake: withSource((source) => {
        const now = (): number | undefined => {
          const ms = source.now();
          return ms && Math.floor(ms / 1_000) * 1_000;
        };
        return { now };
      }),
    },
    'takes a name that nobody stamped for one of an unknown time': {
      fails: ['has names without a stamp before all others'],
      Fake: naming({
        get: (sound) => async (ids) => {
          const found = await sound(ids);
          return found.map((name) =>
            name.stamp !== undefined && compareStamps(name.stamp, NO_STAMP) === 0
              ? { ...name, stamp: undefined }
              : name,
          );
        },
      }),
    },
    'shows removed names as empty ones': class extends StampedWorld {
      static readonly fails = ['keeps a removed name from being one of the mapping'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override write(all: readonly StampedName[]): void {
            super.write(all);
            for (const { id, name } of all) if (name === undefined) names.set(id, { first: '', last: '' });
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'gives names ascending, whatever is asked for': {
      fails: ['gives names in the order of the ids that are asked for'],
      Fake: naming({
        get: (sound) => (ids) => sound([...ids].sort()),
      }),
    },
    'gives pages in the order of writing': class extends StampedWorld {
      static readonly fails = ['gives all names in pages, ascending, removed ones too'];
      override stamped(mapping: MemoryMappingStore): MemoryStampedNames {
        const { stamps } = this;
        return new (class extends MemoryStampedNames {
          override async page(after: TallyId | undefined, limit: number): Promise<readonly StampedName[]> {
            const all = await super.page(undefined, Infinity);
            const places = [...stamps.keys()];
            const inOrder = [...all].sort((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
            return inOrder.slice(after === undefined ? 0 : places.indexOf(after) + 1).slice(0, limit);
          }
        })(mapping);
      }
    },
    'gives the last of a page again in the next one': {
      fails: ['gives all names in pages, ascending, removed ones too'],
      Fake: naming({
        page: (sound) => async (after, limit) => {
          const all = await sound(undefined, Infinity);
          return all.filter(({ id }) => after === undefined || id >= after).slice(0, limit);
        },
      }),
    },
    'keeps the stamps of who is erased': class extends StampedWorld {
      static readonly fails = ['forgets the stamps of who is erased, also of removed names'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override erase(id: TallyId): void {
            const had = stamps.get(id);
            super.erase(id);
            stamps.set(id, had);
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'does not trace stamps': class extends StampedWorld {
      static readonly fails = ['lets an erasure trace the stamp of a name, also of a removed one'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override stampOf(): undefined {
            return undefined;
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'finds no removed names for the erasures of a backup': class extends StampedWorld {
      static readonly fails = ['lets the erasures of a backup find removed names'];
      override erasures(parts: MemoryErasureParts): MemoryErasureStore {
        const { names, stamps } = this;
        return new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
            const removed = [...stamps].filter(([id]) => !names.has(id));
            await super.add(erasures, now);
            for (const [id, stamp] of removed) stamps.set(id, stamp);
          }
        })(parts, this.erased);
      }
    },
    'still tells of names that the erasures of a backup took': class extends StampedWorld {
      static readonly fails = [
        'lets an erasure that comes later take a name with it that has the stamp of its arrival',
      ];
      override erasures(parts: MemoryErasureParts): MemoryErasureStore {
        return new (class extends MemoryErasureStore {
          override async add(erasures: readonly Erasure[], now: Timestamp): Promise<void> {
            const told = parts.journal?.entriesOf((change) => change.kind === 'name') ?? [];
            await super.add(erasures, now);
            parts.journal?.append(...told.map(({ change }) => change));
          }
        })(parts, this.erased);
      }
    },
    'takes the stamp of an arrival for the time of the name': class extends StampedWorld {
      static readonly fails = [
        'lets an erasure that comes later take a name with it that has the stamp of its arrival',
      ];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override stampOf(id: TallyId): Pick<StampedName, 'stamp'> | undefined {
            const found = super.stampOf(id);
            return found?.stamp?.node === NOWHERE ? { stamp: { ...found.stamp, node: 'here' } } : found;
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'forgets stamps in a restart': class extends StampedWorld {
      static readonly fails = ['keeps names, removals and stamps across a restart'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        this.stamps.clear();
        return super.mapping(journal, source);
      }
    },
    'compares the time alone': {
      fails: [
        'takes a name over that is later by its time, counter or node',
        'comes to the same names in whatever order they are merged',
      ],
      Fake: naming({
        merge: (sound, fake) => (names) => {
          const cut = names.filter(({ id, stamp }) => (stamp?.ms ?? 0) !== fake.here(id)?.stamp?.ms);
          return sound(cut);
        },
      }),
    },
    'takes a name with the same stamp': {
      fails: [
        'lets merge finish when close is called meanwhile',
        'keeps a name that is not earlier, and says so',
      ],
      Fake: naming({
        merge: (sound, fake) => async (names) => {
          const stayed = await sound(names);
          const same = names.filter(({ id, stamp }) => compareStamps(stamp, fake.here(id)?.stamp) === 0);
          await fake.replace(same);
          return stayed.filter(({ id }) => !same.some((name) => name.id === id));
        },
      }),
    },
    'does not say what stayed': {
      fails: ['lets no name come back that was removed later'],
      Fake: naming({
        merge: (sound) => (names) => sound(names).then(() => []),
      }),
    },
    'says of every name what is there': {
      fails: ['takes a name over that is later by its time, counter or node'],
      Fake: naming({
        merge: (sound, fake) => async (names) => {
          await sound(names);
          return fake.get(names.map(({ id }) => id));
        },
      }),
    },
    'leaves the stamp of a name that is the same': {
      fails: ['takes the later stamp of a name that is the same'],
      Fake: naming({
        merge: (sound, fake) => (names) =>
          sound(names.filter(({ id, name }) => !isSame(name, fake.here(id)?.name))),
      }),
    },
    'takes the first of several names of one tag': {
      fails: [
        'replaces names and stamps, whatever is there',
        'tells the journal of names that became others, and of nothing else',
      ],
      Fake: naming({
        merge: (sound) => (names) =>
          sound([...new Map([...names].reverse().map((name) => [name.id, name])).values()]),
        replace: (sound) => (names) => sound([...names].reverse()),
      }),
    },
    'merges one name after another': {
      fails: [
        'takes the latest of several names of one tag',
        'takes all names or none, as those see it who read meanwhile',
      ],
      Fake: naming({
        merge: (sound, fake) => (names) =>
          fake.run(async () => {
            const stayed: StampedName[] = [];
            for (const name of names) {
              stayed.push(...(await sound([name])));
              if (names.length > 100) await setImmediate();
            }
            return stayed;
          }),
      }),
    },
    'merges after the writes that were called later': {
      fails: ['merges in its turn among other writes'],
      Fake: naming({
        merge: (sound, fake) => (names) =>
          fake.run(async () => {
            await Promise.resolve();
            return sound(names);
          }),
      }),
    },
    'decides too early what it merges': {
      fails: ['loses nothing of what is merged at the same time'],
      Fake: naming({
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
      }),
    },
  }),
  ...leavingOut({
    'forgets to ask who was erased when it restores a name': () => false,
    'restores a name of an erased tag from the second of the erasure': (id, knownAt, erasures) =>
      erasures.of(id).some(({ until }) => knownAt === undefined || knownAt < until),
    'restores a name of an erased tag from an unknown time': (id, knownAt, erasures) =>
      knownAt !== undefined && erasures.isRefused(id, knownAt),
    'restores no name of an erased tag, whenever it was': (id, _, erasures) =>
      erasures.isRefused(id, undefined),
  }),
  ...faults(StampedWorld, {
    'replaces only what is earlier': {
      fails: ['keeps a removed name from being one of the mapping'],
      Fake: naming({
        replace: (_, fake) => (names) => fake.merge(names).then(() => undefined),
      }),
    },
    'tells the journal of every name that it writes': class extends StampedWorld {
      static readonly fails = ['stamps a name that is given again, and does not tell of it'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override write(all: readonly StampedName[]): void {
            const same = all.filter(({ id, name }) => isSame(name, names.get(id)));
            super.write(all);
            journal.append(...same.map(({ id }) => ({ kind: 'name', id, action: 'replaced' }) as const));
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
    'has a revision that knows nothing of merged names': class extends StampedWorld {
      static readonly fails = ['changes the revision of the mapping with each name'];
      override mapping(journal: MemoryJournal, source: StampSource | undefined): MemoryMappingStore {
        const { names, stamps } = this;
        return new (class extends MemoryMappingStore {
          override revision(): Promise<string> {
            return super.revision().then(() => '0');
          }
        })(names, journal, { stamps, ...(source && { source }) });
      }
    },
  }),
];

const operations = ['merge', 'replace', 'get', 'page'];

export const stampedNamesSabotages: readonly Sabotage<World>[] = [
  ...sabotages,
  ...closedStoreSabotages(MemoryStampedNames, operations).map((sabotage) => ({
    ...sabotage,
    Fake: withNames(sabotage.Fake),
  })),
];

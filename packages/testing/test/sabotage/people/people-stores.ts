import { setImmediate } from 'node:timers/promises';
import {
  findHolder,
  implicitPerson,
  isReservedTallyId,
  NO_STAMP,
  parsePersonId,
  parseTallyId,
  type CarriedRow,
  type Change,
  type Group,
  type PeopleRows,
  type Person,
  type TagHolder,
  type TallyId,
  type Timeline,
} from '@tallybook/domain';
import { noPeopleRows } from '@tallybook/domain/record';
import {
  MemoryJournal,
  MemoryMappingStore,
  MemoryPeopleStore,
  type MemoryPeople,
  type MemoryPeopleParts,
} from '@tallybook/testing';
import { closedStoreSabotages } from '../closed-stores.js';
import { faults, inWorld, plant, type Methods, type Sabotage } from '../sabotage.js';
import { PeopleWorld } from './people-world.js';

/** Persons whose sabotage can access what they hold. */
class Sabotaged extends MemoryPeopleStore {
  readonly data: MemoryPeople;
  readonly parts: MemoryPeopleParts;

  constructor(data: MemoryPeople, parts: MemoryPeopleParts) {
    super(data, parts);
    this.data = data;
    this.parts = parts;
  }
}

const REPLACES = 'replaces rows, and removes them';
const GIVES = 'gives rows as they were written';
const CARRIES = 'gives carried rows as they were written';
const SAME = 'writes nothing if a row that it was decided on is another one now';
const TIMELINE_NAMES = 'rejects each name for a tag with a timeline, as a whole';
const REPORTS = 'reports changed persons, timelines, groups and names in the journal, and nothing else';

const changed = <K, V>(map: ReadonlyMap<K, V>, change: (value: V) => V): ReadonlyMap<K, V> =>
  new Map([...map].map(([key, value]) => [key, change(value)]));

type Kind = keyof PeopleRows;

/** Rows without those of some kinds that are missing. */
const without = (rows: PeopleRows, ...kinds: readonly Kind[]): PeopleRows => ({
  ...rows,
  ...Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map([...(rows[kind] as ReadonlyMap<string, unknown>)].filter(([, row]) => row !== undefined)),
    ]),
  ),
});

/** Leaves out rows that are missing. */
const leavingOut = (...kinds: readonly Kind[]): Methods<Sabotaged> => ({
  read: (sound) => async (keys) => without(await sound(keys), ...kinds),
});

/** Forgets rows when it is closed. */
const forgetting = (...kinds: readonly Exclude<Kind, 'names'>[]): Methods<Sabotaged> => ({
  onClose: (sound, fake) => () => {
    for (const kind of kinds) fake.data[kind].clear();
    return sound();
  },
});

/** Has one revision for all rows of a kind, as soon as there is one. */
const counting = (kind: Exclude<Kind, 'names'>): Methods<Sabotaged> => ({
  revision: (sound, fake) => async () => {
    const revision = await sound();
    return String(fake.data[kind].size || revision);
  },
});

/** Says something else of the holder of a tag. */
const saying = (
  spoil: (holder: TagHolder, tag: TallyId, data: MemoryPeople) => TagHolder,
): Methods<Sabotaged> => ({
  holderAt: (sound, fake) => async (tag, at) => spoil(await sound(tag, at), tag, fake.data),
});

/** Writes other rows than it was given. */
const writing = (spoil: (rows: PeopleRows) => PeopleRows): Methods<Sabotaged> => ({
  write: (sound) => (rows, seen) => sound(spoil(rows), seen),
});

const spoilPerson = (spoil: (person: Person) => Person): Methods<Sabotaged> =>
  writing((rows) => ({ ...rows, persons: changed(rows.persons, (row) => row && spoil(row)) }));

const spoilTimeline = (spoil: (timeline: Timeline) => Timeline): Methods<Sabotaged> =>
  writing((rows) => ({ ...rows, timelines: changed(rows.timelines, (row) => row && spoil(row)) }));

const spoilGroup = (spoil: (group: Group) => Group): Methods<Sabotaged> =>
  writing((rows) => ({ ...rows, groups: changed(rows.groups, (row) => row && spoil(row)) }));

const spoilCarried = (spoil: (row: CarriedRow) => CarriedRow): Methods<Sabotaged> =>
  writing((rows) => ({ ...rows, carried: changed(rows.carried, (row) => row && spoil(row)) }));

/** Does not look at some of the rows that a change was decided on. */
const ignoring = (kind: Kind): Methods<Sabotaged> => ({
  write: (sound) => (rows, seen) => sound(rows, { ...seen, [kind]: new Map() }),
});

/** Writes rows, and takes the changes of some kinds out of the journal. */
const keepingQuiet = (...kinds: readonly Change['kind'][]): Methods<Sabotaged> => ({
  write: (sound, fake) => async (rows, seen) => {
    const isWritten = await sound(rows, seen);
    fake.parts.journal?.forget(({ kind }) => kinds.includes(kind));
    return isWritten;
  },
});

/** Faults of the persons. */
const inPeople = faults(Sabotaged, {
  'leaves missing rows out': {
    fails: ['has no row where none was written, and says so for each key'],
    ...leavingOut('persons', 'timelines', 'names'),
  },
  'leaves missing groups out': {
    fails: ['has no row where none was written, and says so for each key'],
    ...leavingOut('groups'),
  },
  'drops undone memberships': {
    fails: [GIVES],
    ...spoilPerson(({ memberships, ...row }) => ({
      ...row,
      ...(memberships && { memberships: memberships.filter(({ isUndone }) => isUndone !== true) }),
    })),
  },
  'drops the host of a guest': {
    fails: [GIVES],
    ...spoilPerson(({ guest, ...row }) => {
      const { host: _, ...value } = guest?.value ?? { since: 0 as never };
      return { ...row, ...(guest && { guest: { ...guest, value } }) };
    }),
  },
  'drops what a group was merged into': {
    fails: [GIVES],
    ...spoilGroup(({ alias: _alias, ...row }) => row),
  },
  'carries rows without whom they are about': {
    fails: [CARRIES],
    ...spoilCarried((row) => ({ ...row, persons: [] })),
  },
  'carries every row in one kind': {
    fails: [CARRIES, 'lists carried rows after a key, ascending'],
    ...spoilCarried((row) => ({ ...row, kind: 'occasion' })),
  },
  'leaves missing carried rows out': {
    fails: [CARRIES],
    ...leavingOut('carried'),
  },
  'never removes a carried row': {
    fails: ['replaces carried rows, and removes them'],
    ...writing((rows) => without(rows, 'carried')),
  },
  'writes whatever became of the carried rows': {
    fails: ['writes nothing if a carried row that it was decided on is another one now'],
    ...ignoring('carried'),
  },
  'lists carried rows as they were written': {
    fails: ['lists carried rows after a key, ascending'],
    carried: (_, fake) => (after, limit) =>
      fake.run(() => {
        const keys = [...fake.data.carried.keys()];
        const all = [...fake.data.carried.values()];
        return Promise.resolve(all.slice(after === undefined ? 0 : keys.indexOf(after) + 1).slice(0, limit));
      }),
  },
  'has one revision for all carried rows': {
    fails: ['changes its revision with each carried row'],
    ...counting('carried'),
  },
  'reports no carried rows': {
    fails: ['reports each changed carried row in the journal'],
    ...keepingQuiet('carried'),
  },
  'forgets carried rows when it is closed': {
    fails: ['keeps carried rows across a restart'],
    ...forgetting('carried'),
  },
  'drops undone entries': {
    fails: [GIVES],
    ...spoilTimeline((row) => ({ ...row, entries: row.entries.filter((entry) => entry.isUndone !== true) })),
  },
  'drops the stamp of a removal': {
    fails: [GIVES],
    ...spoilPerson(({ removed: _removed, ...row }) => row),
  },
  'drops fields without a value': {
    fails: [GIVES],
    ...spoilPerson(({ until: _until, ...row }) => row),
  },
  'drops the stamps of removed names': {
    fails: [GIVES],
    ...writing((rows) => ({
      ...rows,
      names: changed(rows.names, (row) => (row?.name === undefined ? undefined : row)),
    })),
  },
  'never removes a row': {
    fails: [REPLACES],
    ...writing((rows) => without(rows, 'persons', 'timelines', 'names')),
  },
  'never removes a group': {
    fails: [REPLACES],
    ...writing((rows) => without(rows, 'groups')),
  },
  'keeps the fields of a person that was replaced': {
    fails: [REPLACES],
    write:
      (sound, { data }) =>
      (rows, seen) =>
        sound(
          {
            ...rows,
            persons: changed(rows.persons, (row) => row && { ...data.persons.get(row.id), ...row }),
          },
          seen,
        ),
  },
  'writes whatever became of the persons': { fails: [SAME], ...ignoring('persons') },
  'writes whatever became of the timelines': { fails: [SAME], ...ignoring('timelines') },
  'writes whatever became of the groups': { fails: [SAME], ...ignoring('groups') },
  'writes whatever became of the names': { fails: [SAME], ...ignoring('names') },
  'writes a part of what it refuses': {
    fails: [SAME],
    write: (sound) => async (rows, seen) =>
      (await sound(rows, seen)) ||
      (await sound({ ...noPeopleRows, timelines: rows.timelines }, noPeopleRows), false),
  },
  'refuses after any other write': {
    fails: ['writes if the rows that it was decided on are the same, whatever became of others'],
    read: (sound, fake) => async (keys) => Object.assign(await sound(keys), { as: await fake.revision() }),
    write: (sound, fake) => async (rows, seen) => {
      const as: unknown = (seen as { as?: unknown }).as;
      return (as === undefined || as === (await fake.revision())) && sound(rows, seen);
    },
  },
  'compares before it is its turn': {
    fails: ['writes one of several changes that were decided on the same rows'],
    write: (sound, fake) => (rows, seen) =>
      fake.run(async () => {
        if (!(await sound(noPeopleRows, seen))) return false;
        await setImmediate();
        return fake.status === 'open' && sound(rows, noPeopleRows);
      }),
  },
  'writes persons before their timelines': {
    fails: ['writes all rows or none, also for readers meanwhile'],
    write: (sound, fake) => (rows, seen) =>
      fake.run(async () => {
        if (!(await sound({ ...noPeopleRows, persons: rows.persons }, seen))) return false;
        await setImmediate();
        return fake.status === 'open' && sound({ ...rows, persons: new Map() }, noPeopleRows);
      }),
  },
  'writes groups after the others': {
    fails: ['writes all rows or none, also for readers meanwhile'],
    write: (sound, fake) => (rows, seen) =>
      fake.run(async () => {
        if (!(await sound({ ...rows, groups: new Map() }, seen))) return false;
        await setImmediate();
        return fake.status === 'open' && sound({ ...noPeopleRows, groups: rows.groups }, noPeopleRows);
      }),
  },
  'lists groups as UTF-8 sorts': {
    fails: ['lists all groups, ascending by id'],
    groups: (sound) => async () =>
      [...(await sound())].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))),
  },
  'lists 1,000 groups': {
    fails: ['lists all groups, ascending by id'],
    groups: (sound) => async () => (await sound()).slice(0, 1_000),
  },
  'lists persons as they were written': {
    fails: ['lists persons after an id, ascending by id'],
    persons: (_, fake) => (after, limit) =>
      fake.run(() => {
        const all = [...fake.data.persons.values()];
        return Promise.resolve(all.slice(all.findIndex(({ id }) => id === after) + 1).slice(0, limit));
      }),
  },
  'lists the person again that it was asked to list after': {
    fails: ['lists persons after an id, ascending by id'],
    persons:
      (sound, { data }) =>
      async (after, limit) => {
        const again = after === undefined ? undefined : data.persons.get(after);
        return [...(again ? [again] : []), ...(await sound(after, limit))].slice(0, limit);
      },
  },
  'lists timelines by the length of their tags': {
    fails: ['lists timelines after a tag, ascending'],
    timelines: (sound) => async (after, limit) =>
      [...(await sound(after, limit))].sort((a, b) => a.tag.length - b.tag.length),
  },
  'takes no limit for timelines': {
    fails: ['lists timelines after a tag, ascending'],
    timelines: (sound) => (after) => sound(after, 1_000),
  },
  'has one revision for as many persons': {
    fails: ['changes its revision with each person, each timeline and each group'],
    revision:
      (sound, { data }) =>
      async () => {
        await sound();
        return String(data.persons.size);
      },
  },
  'has one revision for all groups': {
    fails: ['changes its revision with each person, each timeline and each group'],
    ...counting('groups'),
  },
  'gives the same id again and again': {
    fails: ['gives each new person an id of their own'],
    newId: () => () => parsePersonId('00112233445566'),
  },
  'hashes the id of a person, not their tag': {
    fails: ['knows the tag of last resort of each person'],
    lastResortOf: (sound) => (person) => {
      const isImplicit = person.startsWith('tag-');
      return isImplicit
        ? parseTallyId(`FF5442${person.slice(4).padEnd(14, '0').slice(0, 14)}`)
        : sound(person);
    },
  },
  'stamps with its clock alone': {
    fails: ['stamps a change later than the one before'],
    stampAfter: (sound) => () => sound(undefined),
  },
  'keeps nothing but names when it is closed': {
    fails: ['keeps what it acknowledged across a restart'],
    ...forgetting('persons', 'timelines'),
  },
  'forgets groups when it is closed': {
    fails: ['keeps what it acknowledged across a restart'],
    ...forgetting('groups'),
  },
  'makes a person of any tag': {
    fails: ['says that nobody holds an unknown tag'],
    ...saying((holder, tag) => (Object.keys(holder).length === 0 ? { person: implicitPerson(tag) } : holder)),
  },
  'finds holders by timelines alone': {
    fails: ['takes a tag without a timeline for that of its own person'],
    ...saying((holder, tag, { timelines }) => (timelines.has(tag) ? holder : {})),
  },
  'finds the holder of now': {
    fails: ['finds the holder of each second'],
    holderAt: (sound) => (tag) => sound(tag, Number.MAX_SAFE_INTEGER as never),
  },
  'counts the second before an entry to it': {
    fails: ['finds the holder of each second'],
    holderAt: (sound) => (tag, at) => sound(tag, (at + 1) as never),
  },
  'keeps quiet about a lost tag': {
    fails: ['finds the holder of each second'],
    ...saying(({ isLost: _isLost, ...holder }) => holder),
  },
  'follows one merge only': {
    fails: ['names the person that a holder was merged into'],
    holderAt: (sound, fake) => async (tag, at) => {
      await sound(tag, at);
      let reads = 0;
      const { persons, timelines } = fake.data;
      return findHolder(
        {
          timeline: (id) => timelines.get(id),
          name: (id) => fake.parts.mapping.nameOf(id),
          person: (id) => {
            const { alias, ...row } = persons.get(id) ?? { id, tags: [], aliases: [] };
            return ++reads > 1 || alias === undefined ? row : { ...row, alias };
          },
        },
        tag,
        at,
      );
    },
  },
  'names a merged person by their own name': {
    fails: ['names persons that are one by their later name'],
    ...saying(({ name, ...holder }, _tag, { persons }) => {
      const own = holder.person && persons.get(holder.person)?.name?.value;
      return { ...holder, ...(own ? { name: own } : name && { name }) };
    }),
  },
  'takes a person without a name for nobody': {
    fails: ['knows a holder without a name'],
    ...saying((holder) => (holder.name === undefined && holder.isLost !== true ? {} : holder)),
  },
  'takes a tag of last resort for any other': {
    fails: ['knows whose tag of last resort one is'],
    ...saying((holder, tag, { timelines }) => (timelines.has(tag) || !isReservedTallyId(tag) ? holder : {})),
  },
  'leaves the names to the mapping': {
    fails: ['shows its names in the mapping'],
    ...writing((rows) => ({ ...rows, names: new Map() })),
  },
  'gives names without their stamps': {
    fails: ['gives the names that were put into the mapping, with their stamps'],
    read: (sound) => async (keys) => {
      const rows = await sound(keys);
      return { ...rows, names: changed(rows.names, (row) => row && { ...row, stamp: NO_STAMP }) };
    },
  },
  'reports every name that it writes': {
    fails: [REPORTS],
    write: (sound, fake) => async (rows, seen) => {
      const isWritten = await sound(rows, seen);
      const { mapping, journal } = fake.parts;
      for (const id of rows.names.keys())
        journal?.append({ kind: 'name', id, action: mapping.nameOf(id) ? 'replaced' : 'removed' });
      return isWritten;
    },
  },
  'reports no groups': {
    fails: [REPORTS],
    ...keepingQuiet('group'),
  },
  'reports names alone': {
    fails: [REPORTS],
    ...keepingQuiet('person', 'tag'),
  },
});

/** A mapping with other methods. */
const withMapping = (methods: Methods<MemoryMappingStore>): Methods<PeopleWorld> => ({
  mapping: (sound) => (journal, source) => plant(sound(journal, source), methods),
});

/** Faults of the names beside them. */
const besideThem = faults<PeopleWorld, []>(PeopleWorld, {
  'lets the mapping name every tag': {
    fails: [TIMELINE_NAMES],
    timelines: () => () => new Map(),
  },
  'lets names of other places in': {
    fails: [TIMELINE_NAMES],
    stampedNames: (sound, fake) => () =>
      sound(new MemoryMappingStore(fake.names, new MemoryJournal(fake.changes), { stamps: fake.stamps })),
  },
  'changes names one after another': {
    fails: [TIMELINE_NAMES],
    ...withMapping({
      change: (sound) => async (changes) => {
        const before = new Map();
        for (const change of changes) for (const had of await sound(new Map([change]))) before.set(...had);
        return before;
      },
    }),
  },
  'lets the mapping name a tag of last resort': {
    fails: ['rejects each name for a tag of last resort, as a whole'],
    ...withMapping({
      put: (sound, fake) => (id, name) => {
        if (!isReservedTallyId(id)) return sound(id, name);
        fake.writeRows(new Map([[id, { id, name, stamp: NO_STAMP }]]));
        return Promise.resolve('added');
      },
    }),
  },
  'does not let go of a tag': {
    fails: ['lets the mapping name a tag whose timeline was removed, and all others'],
    timelines: (sound) => () => {
      const [timelines, known] = [sound(), new Set<TallyId>()];
      const has = (id: TallyId): boolean => {
        for (const tag of timelines.keys()) known.add(tag);
        return known.has(id);
      };
      return Object.assign(new Map(), { has });
    },
    people: (sound, fake) => (parts) => {
      // The mapping looks at the timelines whenever they change.
      const look = (): boolean => fake.timelines().has('010203' as TallyId);
      return plant(sound(parts), {
        write: (write) => async (rows, seen) => {
          look();
          return write(rows, seen);
        },
      });
    },
  },
  'delays what is put into the mapping': {
    fails: ['writes in turn with the mapping'],
    ...withMapping({
      put: (sound) => async (id, name) => {
        await setImmediate();
        return sound(id, name);
      },
    }),
  },
});

const operations = ['read', 'write', 'persons', 'timelines', 'groups', 'carried', 'holderAt', 'revision'];

export const peopleStoreSabotages: readonly Sabotage<typeof PeopleWorld>[] = [
  ...inWorld(PeopleWorld, [...inPeople, ...closedStoreSabotages(Sabotaged, operations)], (Fake) => ({
    people: (_, world) => (parts) => new Fake(world.data, parts),
  })),
  ...besideThem,
];

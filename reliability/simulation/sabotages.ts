import {
  NOWHERE,
  plainGroup,
  plainPerson,
  plainTimeline,
  TallybookError,
  toGroup,
  toPerson,
  toTimeline,
  type PeopleRows,
  type Person,
  type PersonId,
  type Stamp,
  type TallyId,
} from '@tallybook/domain';
import type { SyncBatch, SyncItem, SyncTransport } from '@tallybook/domain/sync';
import { CENTRE } from './plan.js';
import type { Stores } from './places/stores.js';
import { honest, type Sabotage } from './sabotage.js';
import type { Upstream } from './virtual/network.js';

/** Faults of a part, by the rules that they break. Each is made anew for every world. */
export const sabotages: Readonly<Record<string, () => Sabotage>> = {
  'a batch is acknowledged before it is applied': () =>
    inTheCentre((upstream, { stations }) => ({
      push: async (station, batch) => {
        const { run, through: last, status } = batch;
        const { now } = await upstream.changes(undefined, 0);
        await stations.acknowledge(station, run, last, { heardAt: now, status, refused: [] });
        upstream.push(station, batch).catch(() => undefined);
        return { run, acknowledged: last, refused: [], superseded: [], erasures: [], now };
      },
    })),
  'a refused item blocks the queue': () =>
    inTheCentre((upstream) => ({
      push: async (station, batch) => {
        const answer = await upstream.push(station, batch);
        if (answer.refused.length === 0) return answer;
        throw new TallybookError('UPSTREAM_UNAVAILABLE', 'one of them was refused');
      },
    })),
  'the name that comes last wins': () =>
    inStore('atCentre', 'stampedNames', (stamped) => ({
      merge: async (names) => {
        await stamped.replace(names);
        return [];
      },
    })),
  'a clock that is ahead wins for years': () => {
    const sent = new Map<TallyId, Stamp | null>();
    const forging = inStore('atCentre', 'stampedNames', (stamped) => ({
      merge: (names) =>
        stamped.merge(names.map((name) => ({ ...name, stamp: sent.get(name.id) ?? name.stamp }))),
    }));
    return {
      ...inTheCentre((upstream) => ({
        push: (station, batch) => {
          for (const item of batch.items) if (item.kind === 'name') sent.set(item.id, item.stamp);
          return upstream.push(station, batch);
        },
      })),
      atCentre: (stores) => forging.atCentre(stores),
    };
  },
  'who was erased comes back': () => inStore('atCentre', 'erasures', () => ({ isRefused: () => false })),
  'the centre takes the arrival of a name for the time when it was given': () =>
    inStore('atCentre', 'stampedNames', (stamped) => ({
      merge: (names) =>
        stamped.merge(
          names.map(({ stamp, ...name }) => ({
            ...name,
            stamp: stamp?.node === NOWHERE ? { ...stamp, node: CENTRE } : stamp,
          })),
        ),
    })),
  'a station refuses a tag for as long as its clock was ahead': () =>
    inStore('atStation', 'erasures', () => ({ shorten: () => Promise.resolve() })),
  'an erasure is not sent': () =>
    onTheWay((transport) => ({
      push: (batch) =>
        transport.push({ ...batch, items: batch.items.filter(({ kind }) => kind !== 'erasure') }),
    })),
  'the scans of an entry are not sent': () =>
    onTheWay((transport) => ({
      push: (batch) => {
        const items = batch.items.map((item): SyncItem => {
          if (item.kind !== 'entries') return item;
          const entries = item.entries.map(({ id, first, last, count }) => ({ id, first, last, count }));
          return { ...item, entries };
        });
        return transport.push({ ...batch, items });
      },
    })),
  'the centre does not tell what it decided of a correction': () =>
    inTheCentre((upstream) => ({
      changes: async (after, waitMs) => {
        const changes = await upstream.changes(after, waitMs);
        const items = changes.items.filter(
          (item) => item.kind !== 'correction' || item.correction.decision === undefined,
        );
        return { ...changes, items };
      },
    })),
  'what comes down overwrites what waits to be sent': () =>
    onTheWay((transport, { stampedNames }) => ({
      changes: async (after, waitMs) => {
        const changes = await transport.changes(after, waitMs);
        const names = changes.items.flatMap((item) => (item.kind === 'name' ? item : []));
        await stampedNames.replace(
          names.map(({ id, name, stamp }) => ({ id, name: name ?? undefined, stamp: stamp ?? undefined })),
        );
        return changes;
      },
    })),
  'the centre guesses when a provisional scan was made': () =>
    onTheWay((transport, { provisional }) => ({
      push: async (batch) => {
        const { now: at } = await transport.changes(undefined, 0);
        const waiting = (await provisional.list()).filter(({ filing }) => filing === undefined);
        const scan = { kind: 'scan', day: Math.floor(at / 86_400), at, cursor: batch.through };
        const guessed = waiting.map(({ id }) => ({ ...scan, id })) as SyncItem[];
        return transport.push({ ...batch, items: [...batch.items, ...guessed] });
      },
    })),
  'a scan that is sent again counts twice': () =>
    inTheCentre((upstream, { stations }) => ({
      push: async (station, batch) => {
        const progress = await stations.progress(station, batch.run);
        const items = batch.items.map((item) =>
          item.kind === 'scan' && item.cursor <= progress ? { ...item, at: item.at + 1 } : item,
        );
        return upstream.push(station, { ...batch, items } as SyncBatch);
      },
    })),
  'the name of a tag does not follow from its holder at a station': () =>
    inStore('atStation', 'people', (people) => ({
      write: (rows, seen) => people.write({ ...rows, names: new Map() }, seen),
    })),
  'the centre merges persons, but not the holders of tags': () =>
    inStore('atCentre', 'people', (people) => ({
      write: (rows, seen) => people.write({ ...rows, timelines: new Map() }, seen),
    })),
  'a change of a person at the centre has an earlier stamp than the one that it replaces': () =>
    inStore('atCentre', 'people', () => ({
      stampAfter: () => ({ ms: 0, counter: 0, node: CENTRE }),
    })),
  'the centre merges persons without their groups': () =>
    inStore('atCentre', 'people', (people) => ({
      write: (rows, seen) =>
        people.write({ ...rows, persons: mapPersons(rows.persons, withoutGroups) }, seen),
    })),
  'a station sends a guest as a member': () =>
    onTheWay((transport) => ({
      push: (batch) => transport.push({ ...batch, items: batch.items.map(asMember) }),
    })),
  'a merge of groups stays at the place that made it': () =>
    onTheWay((transport) => ({
      push: (batch) =>
        transport.push({
          ...batch,
          items: batch.items.map((item) => (item.kind === 'group' ? unmerged(item) : item)),
        }),
    })),
  'a lost tag still counts at the centre': () =>
    onTheWay((transport) => ({
      push: (batch) => transport.push({ ...batch, items: batch.items.map(withoutLosses) }),
    })),
  'an erased person comes back': () =>
    inStore('atCentre', 'people', (people) => ({
      lastResortOf: () => people.lastResortOf('0'.repeat(14) as PersonId),
    })),
  'a snapshot leaves out the names that were removed': () =>
    inTheCentre((upstream) => ({
      snapshot: async function* () {
        let left = 0;
        for await (const part of upstream.snapshot()) {
          if (part.kind === 'name' && part.name === null) left++;
          else yield part.kind === 'end' ? { ...part, items: part.items - left } : part;
        }
      },
    })),
  'a snapshot that was cut is taken for a whole one': () =>
    onTheWay((transport) => ({
      snapshot: async function* () {
        let items = -1;
        let isWhole = false;
        try {
          for await (const part of transport.snapshot()) {
            items++;
            isWhole = part.kind === 'end';
            yield part;
          }
        } catch (error) {
          if (items < 0) throw error;
        }
        if (!isWhole && items >= 0) yield { kind: 'end', items };
      },
    })),
};

type Persons = PeopleRows['persons'];

function mapPersons(persons: Persons, change: (person: Person) => Person): Persons {
  return new Map([...persons].map(([id, row]) => [id, row && change(row)]));
}

function withoutGroups(person: Person): Person {
  const { memberships: _, ...rest } = person;
  return rest;
}

function asMember(item: SyncItem): SyncItem {
  if (item.kind !== 'person') return item;
  const { guest: _, ...person } = toPerson(item.person);
  return { ...item, person: plainPerson(person, false) };
}

function unmerged(item: Extract<SyncItem, { kind: 'group' }>): SyncItem {
  const { alias: _, ...group } = toGroup(item.group);
  return { ...item, group: plainGroup(group) };
}

function withoutLosses(item: SyncItem): SyncItem {
  if (item.kind !== 'tag') return item;
  const { tag, entries } = toTimeline(item.timeline);
  return {
    ...item,
    timeline: plainTimeline({ tag, entries: entries.filter(({ why }) => why !== 'lost') }, false),
  };
}

/** A fault in what the centre does for stations. */
function inTheCentre(change: (upstream: Upstream, stores: Stores) => Partial<Upstream>): Sabotage {
  return { ...honest, inTheCentre: (upstream, stores) => replacing(upstream, change(upstream, stores)) };
}

/** A fault in what a station sends and gets. */
function onTheWay(change: (transport: SyncTransport, stores: Stores) => Partial<SyncTransport>): Sabotage {
  return { ...honest, onTheWay: (transport, stores) => replacing(transport, change(transport, stores)) };
}

function inStore<Name extends 'stampedNames' | 'erasures' | 'people'>(
  place: 'atCentre' | 'atStation',
  name: Name,
  change: (store: Stores[Name]) => Partial<Stores[Name]>,
): Sabotage {
  const changed = (stores: Stores): Stores => ({
    ...stores,
    [name]: replacing(stores[name], change(stores[name])),
  });
  return { ...honest, [place]: changed };
}

/** The same object with some methods replaced. */
function replacing<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(key in others ? others : target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

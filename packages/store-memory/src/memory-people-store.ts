import { createHash, randomBytes } from 'node:crypto';
import {
  findHolder,
  nextStamp,
  NOWHERE,
  plainCarried,
  plainGroup,
  plainPerson,
  plainTimeline,
  reservedTallyId,
  tagOfImplicit,
  type CarriedKey,
  type CarriedRow,
  type Change,
  type Group,
  type GroupId,
  type PeopleKeys,
  type PeopleRows,
  type PeopleStore,
  type Person,
  type PersonId,
  type Revision,
  type Stamp,
  type StampedName,
  type TagHolder,
  type TallyId,
  type Timeline,
  type Timestamp,
} from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import type { MemoryJournal } from './memory-journal.js';
import type { MemoryMappingStore } from './memory-mapping-store.js';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryPeopleStore}, besides the names. */
export interface MemoryPeople {
  readonly persons: Map<PersonId, Person>;
  readonly timelines: Map<TallyId, Timeline>;
  readonly groups: Map<GroupId, Group>;
  readonly carried: Map<CarriedKey, CarriedRow>;
}

/** Data without persons. */
export function noPeople(): MemoryPeople {
  return { persons: new Map(), timelines: new Map(), groups: new Map(), carried: new Map() };
}

/** What a {@link MemoryPeopleStore} writes to besides its data. */
export interface MemoryPeopleParts {
  /** With the same timelines. */
  readonly mapping: MemoryMappingStore;
  /** Gets each change. */
  readonly journal?: MemoryJournal;
  /** Without one, no time is known. */
  readonly source?: StampSource;
}

const ID_BYTES = 7;

/** A {@link PeopleStore} in memory. Its data lives as long as the given `people`. */
export class MemoryPeopleStore extends MemoryStore implements PeopleStore {
  readonly #people: MemoryPeople;
  readonly #parts: MemoryPeopleParts;
  #revision = 0;

  constructor(people: MemoryPeople, parts: MemoryPeopleParts) {
    super();
    this.#people = people;
    this.#parts = parts;
  }

  newId(): PersonId {
    return hexOf(randomBytes(ID_BYTES)) as PersonId;
  }

  lastResortOf(person: PersonId): TallyId {
    const tag = tagOfImplicit(person);
    if (tag === undefined) return reservedTallyId(person);
    return reservedTallyId(hexOf(createHash('sha256').update(tag).digest().subarray(0, ID_BYTES)));
  }

  stampAfter(before: Stamp | undefined): Stamp {
    const { journal, source } = this.#parts;
    return nextStamp(before, { ms: source?.now() ?? 0, node: journal?.changesOrigin ?? NOWHERE });
  }

  read(keys: PeopleKeys): Promise<PeopleRows> {
    return this.run(() => Promise.resolve(this.#read(keys)));
  }

  write(rows: PeopleRows, seen: PeopleRows): Promise<boolean> {
    return this.run(async () => {
      const keys: PeopleKeys = {
        persons: seen.persons.keys(),
        timelines: seen.timelines.keys(),
        groups: seen.groups.keys(),
        carried: seen.carried.keys(),
        names: seen.names.keys(),
      };
      if (textOf(this.#read(keys)) !== textOf(seen)) return false;
      this.#write(rows);
      return true;
    });
  }

  persons(after: PersonId | undefined, limit: number): Promise<readonly Person[]> {
    return this.run(() => Promise.resolve(pageOf(this.#people.persons, after, limit)));
  }

  timelines(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]> {
    return this.run(() => Promise.resolve(pageOf(this.#people.timelines, after, limit)));
  }

  groups(): Promise<readonly Group[]> {
    return this.run(() => Promise.resolve(rowsOf(this.#people.groups)));
  }

  carried(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]> {
    return this.run(() => Promise.resolve(pageOf(this.#people.carried, after, limit)));
  }

  holderAt(tag: TallyId, at: Timestamp): Promise<TagHolder> {
    const { persons, timelines } = this.#people;
    return this.run(() =>
      findHolder(
        {
          person: (id) => persons.get(id),
          timeline: (id) => timelines.get(id),
          name: (id) => this.#parts.mapping.nameOf(id),
        },
        tag,
        at,
      ),
    );
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(String(this.#revision)));
  }

  hasPerson(id: PersonId): boolean {
    return this.#people.persons.has(id);
  }

  hasTimeline(tag: TallyId): boolean {
    return this.#people.timelines.has(tag);
  }

  #read({ persons = [], timelines = [], groups = [], carried = [], names = [] }: PeopleKeys): PeopleRows {
    return {
      persons: new Map([...persons].map((id) => [id, this.#people.persons.get(id)])),
      timelines: new Map([...timelines].map((tag) => [tag, this.#people.timelines.get(tag)])),
      groups: new Map([...groups].map((id) => [id, this.#people.groups.get(id)])),
      carried: new Map([...carried].map((key) => [key, this.#people.carried.get(key)])),
      names: new Map([...names].map((id) => [id, this.#parts.mapping.stampedOf(id)])),
    };
  }

  #write({ persons, timelines, groups, carried, names }: PeopleRows): void {
    put(this.#people.persons, persons);
    put(this.#people.timelines, timelines);
    put(this.#people.groups, groups);
    put(this.#people.carried, carried);
    const changes: readonly Change[] = [
      ...[...persons.keys()].map((person): Change => ({ kind: 'person', person })),
      ...[...timelines.keys()].map((id): Change => ({ kind: 'tag', id })),
      ...[...groups.keys()].map((group): Change => ({ kind: 'group', group })),
      ...[...carried.keys()].map((row): Change => ({ kind: 'carried', row })),
      ...this.#parts.mapping.writeRows(names),
    ];
    if (persons.size + timelines.size + groups.size + carried.size > 0) this.#revision++;
    this.#parts.journal?.append(...changes);
  }
}

/** The rows of one kind, ascending by their keys. For {@link MemorySnapshotSource}. */
export function rowsOf<T>(rows: ReadonlyMap<string, T>): readonly T[] {
  return pageOf(rows, undefined, Infinity);
}

function pageOf<T>(rows: ReadonlyMap<string, T>, after: string | undefined, limit: number): readonly T[] {
  const following = [...rows].filter(([key]) => after === undefined || key > after);
  return following
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([, row]) => row);
}

function put<K, V>(stored: Map<K, V>, rows: ReadonlyMap<K, V | undefined>): void {
  for (const [key, row] of rows) {
    if (row === undefined) stored.delete(key);
    else stored.set(key, row);
  }
}

/** Equal rows have equal texts. */
function textOf({ persons, timelines, groups, carried, names }: PeopleRows): string {
  return JSON.stringify([
    [...persons].map(([id, row]) => [id, row && plainPerson(row)]),
    [...timelines].map(([tag, row]) => [tag, row && plainTimeline(row)]),
    [...groups].map(([id, row]) => [id, row && plainGroup(row)]),
    [...carried].map(([key, row]) => [key, row && plainCarried(row)]),
    [...names].map(([id, row]) => [id, row && plainName(row)]),
  ]);
}

function plainName({ name, stamp }: StampedName): readonly unknown[] {
  return [name?.first, name?.last, stamp?.ms, stamp?.counter, stamp?.node];
}

function hexOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}

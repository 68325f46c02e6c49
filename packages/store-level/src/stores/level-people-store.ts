import { randomBytes } from 'node:crypto';
import {
  compareStamps,
  isReservedTallyId,
  isSameName,
  nextStamp,
  parsePersonId,
  type CarriedKey,
  type CarriedRow,
  type Group,
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
import { LevelFacet, type LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { readGroups, readHolder, readImplicitHolder, readPeopleRows } from '../queries/read-people.js';
import { readRowPage } from '../queries/read-row-page.js';
import { decodeRow } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import { findName, forgetName, keysOfNames, setStampedName } from '../rows/name-rows.js';
import {
  carriedRows,
  groupRows,
  lastResortOf,
  personRows,
  timelineRows,
  type PeopleRowKind,
} from '../rows/people-rows.js';
import type { Rows } from '../rows/rows.js';
import { LevelView } from './level-view.js';
import { PresentHolders } from './present-holders.js';
import type { Stamping } from './naming.js';
import type { TimelineTags } from './timeline-tags.js';

const ID_BYTES = 7;

/** Keeps persons and timelines in LevelDB. While it is open no other process can write, so revisions are counted in memory. */
export class LevelPeopleStore extends LevelFacet implements PeopleStore {
  readonly #stamping: Stamping;
  readonly #timelines: TimelineTags;
  readonly #present = new PresentHolders();

  constructor(database: LevelDatabase, stamping: Stamping, timelines: TimelineTags) {
    super(database);
    this.#stamping = stamping;
    this.#timelines = timelines;
  }

  newId(): PersonId {
    return parsePersonId(randomBytes(ID_BYTES).toString('hex').toUpperCase());
  }

  lastResortOf(person: PersonId): TallyId {
    return lastResortOf(person);
  }

  stampAfter(before: Stamp | undefined): Stamp {
    const { stamps, node } = this.#stamping;
    return nextStamp(before, { ms: stamps.now() ?? before?.ms ?? 0, node });
  }

  /** A damaged stamp of a name counts as none, and is noted for the next opening. */
  read(keys: PeopleKeys): Promise<PeopleRows> {
    return this.run(() =>
      this.database.handle.goingBy(async (goBy) => {
        await using view = await LevelView.of(this.database);
        return await readPeopleRows({ read: (call) => view.read(call), goBy }, keys);
      }),
    );
  }

  write(written: PeopleRows, seen: PeopleRows): Promise<boolean> {
    for (const tag of written.timelines.keys()) this.#timelines.add(tag);
    return this.commit({
      keys: [...keysOf(written), ...keysOf(seen)],
      decide: (rows) => {
        if (!areSame(rows, seen)) return false;
        rows.touch(subjects.people);
        if (written.names.size > 0) rows.touch(subjects.mapping);
        for (const person of putRows(rows, personRows, written.persons))
          rows.tell({ kind: 'person', person });
        for (const id of putRows(rows, timelineRows, written.timelines)) rows.tell({ kind: 'tag', id });
        for (const group of putRows(rows, groupRows, written.groups)) rows.tell({ kind: 'group', group });
        for (const row of putRows(rows, carriedRows, written.carried)) rows.tell({ kind: 'carried', row });
        for (const [id, name] of written.names) {
          if (name === undefined) forgetName(rows, id);
          else setStampedName(rows, name);
        }
        return true;
      },
    });
  }

  persons(after: PersonId | undefined, limit: number): Promise<readonly Person[]> {
    return this.query((level) => readRowPage(level, personRows, { after, limit }));
  }

  timelines(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]> {
    return this.query((level) => readRowPage(level, timelineRows, { after, limit }));
  }

  groups(): Promise<readonly Group[]> {
    return this.query((level) => readGroups(level));
  }

  carried(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]> {
    return this.query((level) => readRowPage(level, carriedRows, { after, limit }));
  }

  holderAt(tag: TallyId, at: Timestamp): Promise<TagHolder> {
    if (!this.#timelines.mayHave(tag) && !isReservedTallyId(tag))
      return this.query((level) => Promise.resolve(readImplicitHolder(level, tag)));
    return this.query(async (level) => {
      const revision = this.database.handle.revisions.of(subjects.people);
      const known = this.#present.find(tag, at, revision);
      if (known !== undefined) return known;
      const { holder, since } = await readHolder(level, tag, at);
      if (at >= since) this.#present.put(tag, { revision, since, holder });
      return holder;
    });
  }

  revision(): Promise<Revision> {
    return this.revisionOf(subjects.people);
  }
}

function keysOf({ persons, timelines, groups, carried, names }: PeopleRows): readonly Buffer[] {
  return [
    ...[...persons.keys()].map(personRows.keyOf),
    ...[...timelines.keys()].map(timelineRows.keyOf),
    ...[...groups.keys()].map(groupRows.keyOf),
    ...[...carried.keys()].map(carriedRows.keyOf),
    ...keysOfNames(names.keys()),
  ];
}

/** Returns the ids of the rows that this changes. */
function putRows<Id extends string, T>(
  rows: Rows,
  { keyOf, encode }: PeopleRowKind<Id, T>,
  written: ReadonlyMap<Id, T | undefined>,
): readonly Id[] {
  const changed = [...written].filter(([id, row]) =>
    row === undefined ? rows.delete(keyOf(id)) : rows.put(keyOf(id), encode(row)),
  );
  return changed.map(([id]) => id);
}

/** Whether the rows are still what a decision was made on. */
function areSame(rows: Rows, { persons, timelines, groups, carried, names }: PeopleRows): boolean {
  return (
    areRowsSame(rows, personRows, persons) &&
    areRowsSame(rows, timelineRows, timelines) &&
    areRowsSame(rows, groupRows, groups) &&
    areRowsSame(rows, carriedRows, carried) &&
    [...names].every(([tag, seen]) => isSameStampedName(nameIn(rows, tag), seen))
  );
}

/** Compares both as they are written now: an earlier version may have written the same in another way. */
function areRowsSame<Id extends string, T>(
  rows: Rows,
  { keyOf, decode, encode }: PeopleRowKind<Id, T>,
  seen: ReadonlyMap<Id, T | undefined>,
): boolean {
  return [...seen].every(([id, row]) => {
    const key = keyOf(id);
    const value = rows.get(key);
    if (value === undefined || row === undefined) return value === row;
    return decodeRow(key, () => encode(decode(key, value))).equals(encode(row));
  });
}

/** @throws {TallybookError} `STORE_CORRUPT` if the name is damaged. */
function nameIn(rows: Rows, tag: TallyId): Omit<StampedName, 'id'> | undefined {
  rows.get(nameKey(tag));
  return findName(rows, tag);
}

function isSameStampedName(one: Omit<StampedName, 'id'> | undefined, other: typeof one): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameName(one.name, other.name) && compareStamps(one.stamp, other.stamp) === 0;
}

/** The same persons for erasures, which go on while the storage opens. */
export class ErasedPeopleStore extends LevelPeopleStore {
  protected override run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}

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
  type TallybookError,
  type TallyId,
  type Timeline,
  type Timestamp,
} from '@tallybook/domain';
import type { LevelDatabase } from '../database/level-database.js';
import { LevelFacet } from '../database/level-facet.js';
import { subjects } from '../database/revisions.js';
import {
  readCarriedPage,
  readGroups,
  readHolder,
  readImplicitHolder,
  readPeopleRows,
  readPersonPage,
  readTimelinePage,
} from '../queries/read-people.js';
import { decodeRow } from '../rows/codec.js';
import { nameKey } from '../rows/keys.js';
import { findName, forgetName, keysOfNames, setStampedName } from '../rows/name-rows.js';
import {
  carriedRowKey,
  decodeCarried,
  decodeGroup,
  decodePerson,
  decodeTimeline,
  encodeCarried,
  encodeGroup,
  encodePerson,
  encodeTimeline,
  groupKey,
  lastResortOf,
  personKey,
  timelineKey,
} from '../rows/people-rows.js';
import type { Rows } from '../rows/rows.js';
import { LevelView } from './level-view.js';
import { PresentHolders } from './present-holders.js';
import type { Stamping } from './stamping.js';
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
    return this.run(async () => {
      const damages: TallybookError[] = [];
      await using view = await LevelView.of(this.database);
      const rows = await readPeopleRows(
        { read: (call) => view.read(call), goBy: (error) => damages.push(error) },
        keys,
      );
      for (const damage of damages) await this.database.handle.explain(damage);
      return rows;
    });
  }

  write(written: PeopleRows, seen: PeopleRows): Promise<boolean> {
    for (const tag of written.timelines.keys()) this.#timelines.add(tag);
    return this.commit({
      keys: [...keysOf(written), ...keysOf(seen)],
      decide: (rows) => {
        if (!areSame(rows, seen)) return false;
        rows.touch(subjects.people);
        if (written.names.size > 0) rows.touch(subjects.mapping);
        for (const [person, row] of written.persons)
          if (putRow(rows, personKey(person), row && encodePerson(row)))
            rows.tell({ kind: 'person', person });
        for (const [id, row] of written.timelines)
          if (putRow(rows, timelineKey(id), row && encodeTimeline(row))) rows.tell({ kind: 'tag', id });
        for (const [group, row] of written.groups)
          if (putRow(rows, groupKey(group), row && encodeGroup(row))) rows.tell({ kind: 'group', group });
        for (const [row, carried] of written.carried)
          if (putRow(rows, carriedRowKey(row), carried && encodeCarried(carried)))
            rows.tell({ kind: 'carried', row });
        for (const [id, name] of written.names) {
          if (name === undefined) forgetName(rows, id);
          else setStampedName(rows, name);
        }
        return true;
      },
    });
  }

  persons(after: PersonId | undefined, limit: number): Promise<readonly Person[]> {
    return this.query((level) => readPersonPage(level, undefined, after, limit));
  }

  timelines(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]> {
    return this.query((level) => readTimelinePage(level, undefined, after, limit));
  }

  groups(): Promise<readonly Group[]> {
    return this.query((level) => readGroups(level, undefined));
  }

  carried(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]> {
    return this.query((level) => readCarriedPage(level, undefined, after, limit));
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
    ...[...persons.keys()].map(personKey),
    ...[...timelines.keys()].map(timelineKey),
    ...[...groups.keys()].map(groupKey),
    ...[...carried.keys()].map(carriedRowKey),
    ...keysOfNames(names.keys()),
  ];
}

/** Returns whether that changes anything. */
function putRow(rows: Rows, key: Buffer, value: Buffer | undefined): boolean {
  return value === undefined ? rows.delete(key) : rows.put(key, value);
}

/** Whether the rows are still what a decision was made on. */
function areSame(rows: Rows, { persons, timelines, groups, carried, names }: PeopleRows): boolean {
  for (const [id, seen] of persons)
    if (!isSame(rows, personKey(id), seen, decodePerson, encodePerson)) return false;
  for (const [tag, seen] of timelines)
    if (!isSame(rows, timelineKey(tag), seen, decodeTimeline, encodeTimeline)) return false;
  for (const [id, seen] of groups)
    if (!isSame(rows, groupKey(id), seen, decodeGroup, encodeGroup)) return false;
  for (const [key, seen] of carried)
    if (!isSame(rows, carriedRowKey(key), seen, decodeCarried, encodeCarried)) return false;
  for (const [tag, seen] of names) if (!isSameStampedName(nameIn(rows, tag), seen)) return false;
  return true;
}

/** Compares both as they are written now: an earlier version may have written the same in another way. */
function isSame<T>(
  rows: Rows,
  key: Buffer,
  seen: T | undefined,
  decode: (key: Buffer, value: Buffer) => T,
  encode: (row: T) => Buffer,
): boolean {
  const value = rows.get(key);
  if (value === undefined || seen === undefined) return value === seen;
  return decodeRow(key, () => encode(decode(key, value))).equals(encode(seen));
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

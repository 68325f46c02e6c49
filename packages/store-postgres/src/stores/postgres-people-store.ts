import { createHash, randomBytes } from 'node:crypto';
import {
  compareStamps,
  findHolder,
  isSameName,
  nextStamp,
  parsePersonId,
  reservedTallyId,
  tagOfImplicit,
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
import type { StampSource } from '@tallybook/domain/sync';
import { KnownNames } from '../database/change-names.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Transaction } from '../database/transaction.js';
import {
  carriedTable,
  groupTable,
  personTable,
  readGroups,
  readHolderRows,
  readPeopleRows,
  timelineTable,
} from '../rows/people-rows.js';

const RANDOM_BYTES = 7;
const HASH_DIGITS = 14;
/** Rows that are changed with one of them: its own, and one of the journal. */
const ROWS_OF_ONE = 2;

/** Keeps persons and the timelines of tags in PostgreSQL, a row each. */
export class PostgresPeopleStore implements PeopleStore {
  readonly #database: PostgresDatabase;
  readonly #stamps: StampSource;
  readonly #run: <T>(work: () => Promise<T>) => Promise<T>;

  /** @param run Does an operation. Default: while the storage is open. */
  constructor(
    database: PostgresDatabase,
    stamps: StampSource,
    run: <T>(work: () => Promise<T>) => Promise<T> = (work) => database.run(work),
  ) {
    this.#database = database;
    this.#stamps = stamps;
    this.#run = run;
  }

  newId(): PersonId {
    return parsePersonId(randomBytes(RANDOM_BYTES).toString('hex').toUpperCase());
  }

  lastResortOf(person: PersonId): TallyId {
    const tag = tagOfImplicit(person);
    if (tag === undefined) return reservedTallyId(person);
    const digest = createHash('sha256').update(tag).digest('hex').toUpperCase();
    return reservedTallyId(digest.slice(0, HASH_DIGITS));
  }

  stampAfter(before: Stamp | undefined): Stamp {
    const ms = this.#stamps.now() ?? before?.ms ?? 0;
    return nextStamp(before, { ms, node: this.#database.origin });
  }

  read(keys: PeopleKeys): Promise<PeopleRows> {
    return this.#run(() => readPeopleRows(this.#database, keys));
  }

  write(rows: PeopleRows, seen: PeopleRows): Promise<boolean> {
    const maps: readonly ReadonlyMap<unknown, unknown>[] = Object.values(rows);
    const count = maps.reduce((sum, { size }) => sum + size, 0);
    return this.#run(() =>
      this.#database.write((transaction) => writeIfSame(transaction, rows, seen), ROWS_OF_ONE * count),
    );
  }

  persons(after: PersonId | undefined, limit: number): Promise<readonly Person[]> {
    return this.#run(() => personTable.page(this.#database, after, limit));
  }

  timelines(after: TallyId | undefined, limit: number): Promise<readonly Timeline[]> {
    return this.#run(() => timelineTable.page(this.#database, after, limit));
  }

  groups(): Promise<readonly Group[]> {
    return this.#run(() => readGroups(this.#database));
  }

  carried(after: CarriedKey | undefined, limit: number): Promise<readonly CarriedRow[]> {
    return this.#run(() => carriedTable.page(this.#database, after, limit));
  }

  holderAt(tag: TallyId, at: Timestamp): Promise<TagHolder> {
    return this.#run(async () => findHolder(await readHolderRows(this.#database, tag), tag, at));
  }

  revision(): Promise<Revision> {
    return this.#run(async () => String((await this.#database.readRow()).peopleRevision));
  }
}

async function writeIfSame(transaction: Transaction, rows: PeopleRows, seen: PeopleRows): Promise<boolean> {
  const [present, names] = await Promise.all([
    readPeopleRows(transaction, keysOf(seen)),
    KnownNames.read(transaction, [...rows.names.keys()]),
  ]);
  if (!isSame(present, seen)) return false;
  personTable.write(transaction, rows.persons);
  timelineTable.write(transaction, rows.timelines);
  groupTable.write(transaction, rows.groups);
  carriedTable.write(transaction, rows.carried);
  transaction.tell(
    ...[...rows.persons.keys()].map((person) => ({ kind: 'person', person }) as const),
    ...[...rows.timelines.keys()].map((id) => ({ kind: 'tag', id }) as const),
    ...[...rows.groups.keys()].map((group) => ({ kind: 'group', group }) as const),
    ...[...rows.carried.keys()].map((row) => ({ kind: 'carried', row }) as const),
  );
  for (const [id, name] of rows.names) {
    if (name === undefined) names.remove(id);
    else names.put(name);
  }
  await names.write();
  if (rows.persons.size + rows.timelines.size + rows.groups.size + rows.carried.size > 0)
    transaction.touch('people');
  return true;
}

function keysOf({ persons, timelines, groups, carried, names }: PeopleRows): PeopleKeys {
  return {
    persons: persons.keys(),
    timelines: timelines.keys(),
    groups: groups.keys(),
    carried: carried.keys(),
    names: names.keys(),
  };
}

/** Whether the rows that were seen are still the same. */
function isSame(present: PeopleRows, { persons, timelines, groups, carried, names }: PeopleRows): boolean {
  return (
    personTable.areSame(persons, present.persons) &&
    timelineTable.areSame(timelines, present.timelines) &&
    groupTable.areSame(groups, present.groups) &&
    carriedTable.areSame(carried, present.carried) &&
    [...names].every(([tag, name]) => isSameStampedName(name, present.names.get(tag)))
  );
}

function isSameStampedName(one: StampedName | undefined, other: StampedName | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameName(one.name, other.name) && compareStamps(one.stamp, other.stamp) === 0;
}

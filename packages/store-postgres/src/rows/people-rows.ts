import {
  carriedKeyOf,
  type findHolder,
  isReservedTallyId,
  personOfReserved,
  plainCarried,
  plainGroup,
  plainPerson,
  plainTimeline,
  toCarried,
  toGroup,
  toPerson,
  toTimeline,
  type CarriedKey,
  type CarriedRow,
  type Group,
  type GroupId,
  type PeopleKeys,
  type PeopleRows,
  type Person,
  type PersonId,
  type StampedName,
  type TallyId,
  type Timeline,
} from '@tallybook/domain';
import type { SiteRows } from '../connection/session.js';
import { stampedColumns, toName, toStampedName, type NameRow, type StampedNameRow } from './name-rows.js';
import { bytesOfId, idOfBytes, parseObject, readRow } from './stored-values.js';

/** A row of `tallybook.person`, `tallybook.tag`, `tallybook.grp` or `tallybook.carried`. */
interface BodyRow {
  readonly id: Buffer;
  readonly body: string;
}

interface TableParts<Key extends string, T> {
  readonly table: 'person' | 'tag' | 'grp' | 'carried';
  /** Names a row in messages, before its key. */
  readonly what: string;
  /** How a key becomes `bytea`. */
  readonly encoding: 'latin1' | 'utf8' | 'hex';
  readonly keyOf: (row: T) => Key;
  readonly plain: (row: T) => object;
  readonly parse: (plain: object) => T;
  /** A column with persons of the body, by which a tap finds its person in one statement. */
  readonly links?: { readonly column: string; readonly of: (row: T) => readonly PersonId[] };
}

/** A table of rows about people. Each row has a key, and everything in its body. */
class PeopleTable<Key extends string, T> {
  readonly #parts: TableParts<Key, T>;
  readonly #page: string;
  readonly #upsert: string;
  readonly #remove: string;

  constructor(parts: TableParts<Key, T>) {
    this.#parts = parts;
    const { table, links } = parts;
    /** $1: site, $2: id after which the page begins, $3: how many. */
    this.#page = `SELECT id, body FROM tallybook.${table} WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3`;
    /** $1: site, $2: ids. */
    this.#remove = `DELETE FROM tallybook.${table} WHERE site = $1 AND id = ANY ($2::bytea[])`;
    /** $1: site; of each row: $2: id, $3: body, $4: links. */
    this.#upsert =
      links === undefined
        ? `INSERT INTO tallybook.${table} (site, id, body)
          SELECT $1, t.id, t.body FROM unnest($2::bytea[], $3::text[]) AS t (id, body)
          ON CONFLICT (site, id) DO UPDATE SET body = excluded.body`
        : `INSERT INTO tallybook.${table} (site, id, body, ${links.column})
          SELECT $1, t.id, t.body, string_to_array(t.links, ' ')
          FROM unnest($2::bytea[], $3::text[], $4::text[]) AS t (id, body, links)
          ON CONFLICT (site, id) DO UPDATE SET body = excluded.body, ${links.column} = excluded.${links.column}`;
  }

  bytesOf(key: Key): Buffer {
    return Buffer.from(key, this.#parts.encoding);
  }

  keyOfBytes(bytes: Buffer): Key {
    const { encoding } = this.#parts;
    return (encoding === 'hex' ? idOfBytes(bytes) : bytes.toString(encoding)) as Key;
  }

  /** @throws {TallybookError} `STORE_CORRUPT` */
  read({ id, body }: BodyRow): T {
    const { what, keyOf, parse } = this.#parts;
    const key = this.keyOfBytes(id);
    return readRow(`the ${what} ${key}`, () => {
      const row = parse(parseObject(body));
      if (keyOf(row) !== key) throw new TypeError('it is another one');
      return row;
    });
  }

  /** Rows after a key, ascending. */
  async page(site: SiteRows, after: Key | undefined, limit: number): Promise<readonly T[]> {
    const start = after === undefined ? BEFORE_ALL : this.bytesOf(after);
    return (await site.rows<BodyRow>(this.#page, start, limit)).map((row) => this.read(row));
  }

  /** Puts rows; `undefined` removes one. */
  write(
    transaction: { send(statement: string, ...values: readonly unknown[]): void },
    rows: ReadonlyMap<Key, T | undefined>,
  ): void {
    const { links, keyOf } = this.#parts;
    const put = [...rows.values()].filter((row) => row !== undefined);
    const removed = [...rows].flatMap(([key, row]) => (row === undefined ? [this.bytesOf(key)] : []));
    if (put.length > 0) {
      const columns = [put.map((row) => this.bytesOf(keyOf(row))), put.map((row) => this.#textOf(row))];
      if (links !== undefined) columns.push(put.map((row) => links.of(row).join(' ')));
      transaction.send(this.#upsert, ...columns);
    }
    if (removed.length > 0) transaction.send(this.#remove, removed);
  }

  /** Whether these rows are still there as they were seen. */
  areSame(seen: ReadonlyMap<Key, T | undefined>, present: ReadonlyMap<Key, T | undefined>): boolean {
    return [...seen].every(([key, one]) => {
      const other = present.get(key);
      return (one && this.#textOf(one)) === (other && this.#textOf(other));
    });
  }

  /** Equal rows have equal texts. */
  #textOf(row: T): string {
    return JSON.stringify(this.#parts.plain(row));
  }
}

const BEFORE_ALL = Buffer.alloc(0);

export const personTable: PeopleTable<PersonId, Person> = new PeopleTable<PersonId, Person>({
  ...{ table: 'person', what: 'person', encoding: 'latin1' },
  ...{ keyOf: ({ id }) => id, plain: plainPerson, parse: toPerson },
  links: {
    column: 'merged',
    of: ({ alias, aliases }) => [...(alias?.value === undefined ? [] : [alias.value]), ...aliases],
  },
});

export const timelineTable: PeopleTable<TallyId, Timeline> = new PeopleTable<TallyId, Timeline>({
  ...{ table: 'tag', what: 'timeline of the tag', encoding: 'hex' },
  ...{ keyOf: ({ tag }) => tag, plain: plainTimeline, parse: toTimeline },
  links: {
    column: 'holders',
    of: ({ entries }) => [...new Set(entries.flatMap(({ holder }) => holder ?? []))],
  },
});

export const groupTable: PeopleTable<GroupId, Group> = new PeopleTable<GroupId, Group>({
  ...{ table: 'grp', what: 'group', encoding: 'utf8' },
  ...{ keyOf: ({ id }) => id, plain: plainGroup, parse: toGroup },
});

export const carriedTable: PeopleTable<CarriedKey, CarriedRow> = new PeopleTable<CarriedKey, CarriedRow>({
  ...{ table: 'carried', what: 'row', encoding: 'latin1' },
  ...{ keyOf: carriedKeyOf, plain: plainCarried, parse: toCarried },
});

/** Rows of five tables: those of `name` have no body. */
type PeopleRow = { readonly kind: string; readonly body: string } & StampedNameRow;

/** In one statement, so that all rows are of one moment. $1: site, $2: persons, $3: tags, $4: tags whose names are read, $5: groups, $6: carried rows. */
const selectPeople = `SELECT 'name' AS kind, n.id, ${stampedColumns}, NULL AS body FROM unnest($4::bytea[]) AS t (id)
    JOIN tallybook.name n ON n.site = $1 AND n.id = t.id
  UNION ALL SELECT 'person', p.id, NULL, NULL, NULL, NULL, NULL, p.body FROM unnest($2::bytea[]) AS t (id)
    JOIN tallybook.person p ON p.site = $1 AND p.id = t.id
  UNION ALL SELECT 'tag', h.id, NULL, NULL, NULL, NULL, NULL, h.body FROM unnest($3::bytea[]) AS t (id)
    JOIN tallybook.tag h ON h.site = $1 AND h.id = t.id
  UNION ALL SELECT 'group', g.id, NULL, NULL, NULL, NULL, NULL, g.body FROM unnest($5::bytea[]) AS t (id)
    JOIN tallybook.grp g ON g.site = $1 AND g.id = t.id
  UNION ALL SELECT 'carried', c.id, NULL, NULL, NULL, NULL, NULL, c.body FROM unnest($6::bytea[]) AS t (id)
    JOIN tallybook.carried c ON c.site = $1 AND c.id = t.id`;

/** Rejects with `STORE_CORRUPT` if a row is damaged. */
export async function readPeopleRows(
  site: SiteRows,
  { persons = [], timelines = [], groups = [], carried = [], names = [] }: PeopleKeys,
): Promise<PeopleRows> {
  const rows = {
    persons: missing<PersonId, Person>(persons),
    timelines: missing<TallyId, Timeline>(timelines),
    groups: missing<GroupId, Group>(groups),
    carried: missing<CarriedKey, CarriedRow>(carried),
    names: missing<TallyId, StampedName>(names),
  };
  if (Object.values(rows).every(({ size }: ReadonlyMap<unknown, unknown>) => size === 0)) return rows;
  const found = await site.rows<PeopleRow>(
    selectPeople,
    [...rows.persons.keys()].map((id) => personTable.bytesOf(id)),
    [...rows.timelines.keys()].map(bytesOfId),
    [...rows.names.keys()].map(bytesOfId),
    [...rows.groups.keys()].map((id) => groupTable.bytesOf(id)),
    [...rows.carried.keys()].map((key) => carriedTable.bytesOf(key)),
  );
  for (const row of found) {
    if (row.kind === 'person') rows.persons.set(personTable.keyOfBytes(row.id), personTable.read(row));
    else if (row.kind === 'tag') rows.timelines.set(idOfBytes(row.id), timelineTable.read(row));
    else if (row.kind === 'group') rows.groups.set(groupTable.keyOfBytes(row.id), groupTable.read(row));
    else if (row.kind === 'carried')
      rows.carried.set(carriedTable.keyOfBytes(row.id), carriedTable.read(row));
    else rows.names.set(idOfBytes(row.id), toStampedName(row));
  }
  return rows;
}

/** Keys without rows. */
function missing<Key, T>(keys: Iterable<Key>): Map<Key, T | undefined> {
  return new Map([...keys].map((key) => [key, undefined]));
}

const selectGroups = 'SELECT id, body FROM tallybook.grp WHERE site = $1 ORDER BY id';

/** All groups. Ascending by id: UTF-8 sorts as code points, so the ids are sorted once more. */
export async function readGroups(site: SiteRows): Promise<readonly Group[]> {
  const groups = (await site.rows<BodyRow>(selectGroups)).map((row) => groupTable.read(row));
  return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The name and the timeline of a tag, and all persons whom the timeline names, with all whom they were merged with. $1: site, $2:
 * id, $3: the person of a reserved id.
 */
const selectHolders = `WITH RECURSIVE held AS (
    SELECT id, holders, body FROM tallybook.tag WHERE site = $1 AND id = $2
  ), wanted AS (
    SELECT u.id FROM held, unnest(held.holders) AS u (id) UNION SELECT $3::text WHERE $3::text IS NOT NULL
  ), holder AS (
    SELECT p.id, p.merged, p.body FROM wanted JOIN tallybook.person p
      ON p.site = $1 AND p.id = convert_to(wanted.id, 'UTF8')
    UNION SELECT p.id, p.merged, p.body FROM holder CROSS JOIN unnest(holder.merged) AS u (id)
      JOIN tallybook.person p ON p.site = $1 AND p.id = convert_to(u.id, 'UTF8')
  )
  SELECT 'name' AS kind, id, first, last, NULL AS body FROM tallybook.name
    WHERE site = $1 AND id = $2 AND first IS NOT NULL
  UNION ALL SELECT 'tag', id, NULL, NULL, body FROM held
  UNION ALL SELECT 'person', id, NULL, NULL, body FROM holder`;

/** Reads in one statement what tells who held a tag. */
export async function readHolderRows(
  site: SiteRows,
  tag: TallyId,
): Promise<Parameters<typeof findHolder>[0]> {
  const reserved = isReservedTallyId(tag) ? personOfReserved(tag) : null;
  const rows = await site.rows<NameRow & PeopleRow>(selectHolders, bytesOfId(tag), reserved);
  const ofTag = rows.find(({ kind }) => kind === 'tag');
  const name = rows.find(({ kind }) => kind === 'name');
  const persons = rows.filter(({ kind }) => kind === 'person');
  return {
    timeline: () => ofTag && timelineTable.read(ofTag),
    person: (id) => {
      const row = persons.find((each) => personTable.keyOfBytes(each.id) === id);
      return row && personTable.read(row);
    },
    name: () => name && toName(name),
  };
}

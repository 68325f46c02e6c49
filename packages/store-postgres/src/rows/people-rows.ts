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
import type { SiteRows, Statement } from '../connection/session.js';
import { stampedColumns, toName, toStampedName, type NameRow, type StampedNameRow } from './name-rows.js';
import { bytesOfId, idOfBytes, parseObject, readRow } from './stored-values.js';

/** A row of `tallybook.person`, `tallybook.tag`, `tallybook.grp` or `tallybook.carried`. */
interface BodyRow {
  readonly id: Buffer;
  readonly body: string;
}

/** Rows of five tables: those of `name` have no body. */
type PeopleRow = { readonly kind: string; readonly body: string } & StampedNameRow;

/** In one statement, so that all rows are of one moment. $1: site, $2: persons, $3: tags, $4: tags whose names are read, $5: groups, $6: carried rows. */
const selectPeople: Statement = {
  name: 'people',
  text: `SELECT 'name' AS kind, n.id, ${stampedColumns}, NULL AS body FROM unnest($4::bytea[]) AS t (id)
      JOIN tallybook.name n ON n.site = $1 AND n.id = t.id
    UNION ALL SELECT 'person', p.id, NULL, NULL, NULL, NULL, NULL, p.body FROM unnest($2::bytea[]) AS t (id)
      JOIN tallybook.person p ON p.site = $1 AND p.id = t.id
    UNION ALL SELECT 'tag', h.id, NULL, NULL, NULL, NULL, NULL, h.body FROM unnest($3::bytea[]) AS t (id)
      JOIN tallybook.tag h ON h.site = $1 AND h.id = t.id
    UNION ALL SELECT 'group', g.id, NULL, NULL, NULL, NULL, NULL, g.body FROM unnest($5::bytea[]) AS t (id)
      JOIN tallybook.grp g ON g.site = $1 AND g.id = t.id
    UNION ALL SELECT 'carried', c.id, NULL, NULL, NULL, NULL, NULL, c.body FROM unnest($6::bytea[]) AS t (id)
      JOIN tallybook.carried c ON c.site = $1 AND c.id = t.id`,
};

/** Rejects with `STORE_CORRUPT` if a row is damaged. */
export async function readPeopleRows(
  site: SiteRows,
  { persons = [], timelines = [], groups = [], carried = [], names = [] }: PeopleKeys,
): Promise<PeopleRows> {
  const rows = {
    persons: new Map<PersonId, Person | undefined>([...persons].map((id) => [id, undefined])),
    timelines: new Map<TallyId, Timeline | undefined>([...timelines].map((id) => [id, undefined])),
    groups: new Map<GroupId, Group | undefined>([...groups].map((id) => [id, undefined])),
    carried: new Map<CarriedKey, CarriedRow | undefined>([...carried].map((key) => [key, undefined])),
    names: new Map<TallyId, StampedName | undefined>([...names].map((id) => [id, undefined])),
  };
  if (Object.values(rows).every(({ size }: ReadonlyMap<unknown, unknown>) => size === 0)) return rows;
  const found = await site.rows<PeopleRow>(
    selectPeople,
    [...rows.persons.keys()].map(bytesOfPerson),
    [...rows.timelines.keys()].map(bytesOfId),
    [...rows.names.keys()].map(bytesOfId),
    [...rows.groups.keys()].map(bytesOfGroup),
    [...rows.carried.keys()].map(bytesOfCarried),
  );
  for (const row of found) {
    if (row.kind === 'person') rows.persons.set(personOfBytes(row.id), readPerson(row));
    else if (row.kind === 'tag') rows.timelines.set(idOfBytes(row.id), readTimeline(row));
    else if (row.kind === 'group') rows.groups.set(groupOfBytes(row.id), readGroup(row));
    else if (row.kind === 'carried') rows.carried.set(carriedOfBytes(row.id), readCarried(row));
    else rows.names.set(idOfBytes(row.id), toStampedName(row));
  }
  return rows;
}

/** $1: site, $2: id after which the page begins, $3: how many. */
const selectPersonPage: Statement = {
  name: 'person-page',
  text: 'SELECT id, body FROM tallybook.person WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3',
};
const selectTagPage: Statement = {
  name: 'tag-page',
  text: 'SELECT id, body FROM tallybook.tag WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3',
};

const selectCarriedPage: Statement = {
  name: 'carried-page',
  text: 'SELECT id, body FROM tallybook.carried WHERE site = $1 AND id > $2 ORDER BY id LIMIT $3',
};

const BEFORE_ALL = Buffer.alloc(0);

/** Persons, ascending by id. */
export async function readPersonPage(
  site: SiteRows,
  after: PersonId | undefined,
  limit: number,
): Promise<readonly Person[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfPerson(after);
  return (await site.rows<BodyRow>(selectPersonPage, start, limit)).map(readPerson);
}

/** Timelines, ascending by tag. */
export async function readTimelinePage(
  site: SiteRows,
  after: TallyId | undefined,
  limit: number,
): Promise<readonly Timeline[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfId(after);
  return (await site.rows<BodyRow>(selectTagPage, start, limit)).map(readTimeline);
}

/** Carried rows, ascending by key. */
export async function readCarriedPage(
  site: SiteRows,
  after: CarriedKey | undefined,
  limit: number,
): Promise<readonly CarriedRow[]> {
  const start = after === undefined ? BEFORE_ALL : bytesOfCarried(after);
  return (await site.rows<BodyRow>(selectCarriedPage, start, limit)).map(readCarried);
}

const selectGroups: Statement = {
  name: 'groups',
  text: 'SELECT id, body FROM tallybook.grp WHERE site = $1 ORDER BY id',
};

/** All groups. Ascending by id: UTF-8 sorts as code points, so the ids are sorted once more. */
export async function readGroups(site: SiteRows): Promise<readonly Group[]> {
  const groups = (await site.rows<BodyRow>(selectGroups)).map(readGroup);
  return groups.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The name and the timeline of a tag, and all persons whom the timeline names, with all whom they were merged with. $1: site, $2:
 * id, $3: the person of a reserved id.
 */
const selectHolders: Statement = {
  name: 'holders',
  text: `WITH RECURSIVE held AS (
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
    UNION ALL SELECT 'person', id, NULL, NULL, body FROM holder`,
};

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
    timeline: () => ofTag && readTimeline(ofTag),
    person: (id) => {
      const row = persons.find((each) => personOfBytes(each.id) === id);
      return row && readPerson(row);
    },
    name: () => name && toName(name),
  };
}

/** $1: site; of each person: $2: id, $3: those whom they were merged with, $4: body. */
export const upsertPersons: Statement = {
  name: 'put-persons',
  text: `INSERT INTO tallybook.person (site, id, merged, body)
    SELECT $1, t.id, string_to_array(t.merged, ' '), t.body
    FROM unnest($2::bytea[], $3::text[], $4::text[]) AS t (id, merged, body)
    ON CONFLICT (site, id) DO UPDATE SET merged = excluded.merged, body = excluded.body`,
};

/** $1: site, $2: ids. */
export const deletePersons: Statement = {
  name: 'remove-persons',
  text: 'DELETE FROM tallybook.person WHERE site = $1 AND id = ANY ($2::bytea[])',
};

/** $1: site; of each timeline: $2: id, $3: holders, $4: body. */
export const upsertTimelines: Statement = {
  name: 'put-tags',
  text: `INSERT INTO tallybook.tag (site, id, holders, body)
    SELECT $1, t.id, string_to_array(t.holders, ' '), t.body
    FROM unnest($2::bytea[], $3::text[], $4::text[]) AS t (id, holders, body)
    ON CONFLICT (site, id) DO UPDATE SET holders = excluded.holders, body = excluded.body`,
};

/** $1: site, $2: ids. */
export const deleteTimelines: Statement = {
  name: 'remove-tags',
  text: 'DELETE FROM tallybook.tag WHERE site = $1 AND id = ANY ($2::bytea[])',
};

/** $1: site; of each group: $2: id, $3: body. */
export const upsertGroups: Statement = {
  name: 'put-groups',
  text: `INSERT INTO tallybook.grp (site, id, body)
    SELECT $1, t.id, t.body FROM unnest($2::bytea[], $3::text[]) AS t (id, body)
    ON CONFLICT (site, id) DO UPDATE SET body = excluded.body`,
};

/** $1: site, $2: ids. */
export const deleteGroups: Statement = {
  name: 'remove-groups',
  text: 'DELETE FROM tallybook.grp WHERE site = $1 AND id = ANY ($2::bytea[])',
};

/** $1: site; of each carried row: $2: id, $3: body. */
export const upsertCarried: Statement = {
  name: 'put-carried',
  text: `INSERT INTO tallybook.carried (site, id, body)
    SELECT $1, t.id, t.body FROM unnest($2::bytea[], $3::text[]) AS t (id, body)
    ON CONFLICT (site, id) DO UPDATE SET body = excluded.body`,
};

/** $1: site, $2: ids. */
export const deleteCarried: Statement = {
  name: 'remove-carried',
  text: 'DELETE FROM tallybook.carried WHERE site = $1 AND id = ANY ($2::bytea[])',
};

/** The columns of {@link upsertCarried}. */
export function carriedColumns(rows: readonly CarriedRow[]): readonly (readonly unknown[])[] {
  return [rows.map((row) => bytesOfCarried(carriedKeyOf(row))), rows.map(textOfCarried)];
}

/** The columns of {@link upsertGroups}. */
export function groupColumns(groups: readonly Group[]): readonly (readonly unknown[])[] {
  return [groups.map(({ id }) => bytesOfGroup(id)), groups.map(textOfGroup)];
}

/** The columns of {@link upsertPersons}. */
export function personColumns(persons: readonly Person[]): readonly (readonly unknown[])[] {
  return [
    persons.map(({ id }) => bytesOfPerson(id)),
    persons.map(({ alias, aliases }) =>
      [...(alias?.value === undefined ? [] : [alias.value]), ...aliases].join(' '),
    ),
    persons.map(textOfPerson),
  ];
}

/** The columns of {@link upsertTimelines}. */
export function timelineColumns(timelines: readonly Timeline[]): readonly (readonly unknown[])[] {
  return [
    timelines.map(({ tag }) => bytesOfId(tag)),
    timelines.map(({ entries }) => [...new Set(entries.flatMap(({ holder }) => holder ?? []))].join(' ')),
    timelines.map(textOfTimeline),
  ];
}

/** Equal rows have equal texts. */
export function textOfPerson(person: Person): string {
  return JSON.stringify(plainPerson(person));
}

export function textOfTimeline(timeline: Timeline): string {
  return JSON.stringify(plainTimeline(timeline));
}

export function textOfGroup(group: Group): string {
  return JSON.stringify(plainGroup(group));
}

export function textOfCarried(row: CarriedRow): string {
  return JSON.stringify(plainCarried(row));
}

/** The key of a carried row as `bytea`: its ASCII characters. */
export function bytesOfCarried(key: CarriedKey): Buffer {
  return Buffer.from(key, 'latin1');
}

function carriedOfBytes(bytes: Buffer): CarriedKey {
  return bytes.toString('latin1') as CarriedKey;
}

/** @throws {TallybookError} `STORE_CORRUPT` */
function readCarried({ id, body }: BodyRow): CarriedRow {
  const key = carriedOfBytes(id);
  return readRow(`the row ${key}`, () => {
    const read = toCarried(parseObject(body));
    if (carriedKeyOf(read) !== key) throw new TypeError('it is another row');
    return read;
  });
}

/** The id of a group as `bytea`: its UTF-8. */
export function bytesOfGroup(id: GroupId): Buffer {
  return Buffer.from(id);
}

function groupOfBytes(bytes: Buffer): GroupId {
  return bytes.toString() as GroupId;
}

/** @throws {TallybookError} `STORE_CORRUPT` */
function readGroup({ id, body }: BodyRow): Group {
  const group = groupOfBytes(id);
  return readRow(`the group ${group}`, () => {
    const read = toGroup(parseObject(body));
    if (read.id !== group) throw new TypeError('it is another group');
    return read;
  });
}

/** The id of a person as `bytea`: its ASCII characters. */
export function bytesOfPerson(id: PersonId): Buffer {
  return Buffer.from(id, 'latin1');
}

function personOfBytes(bytes: Buffer): PersonId {
  return bytes.toString('latin1') as PersonId;
}

/** @throws {TallybookError} `STORE_CORRUPT` */
function readPerson({ id, body }: BodyRow): Person {
  const person = personOfBytes(id);
  return readRow(`the person ${person}`, () => {
    const read = toPerson(parseObject(body));
    if (read.id !== person) throw new TypeError('it is another person');
    return read;
  });
}

/** @throws {TallybookError} `STORE_CORRUPT` */
function readTimeline({ id, body }: BodyRow): Timeline {
  const tag = idOfBytes(id);
  return readRow(`the timeline of the tag ${tag}`, () => {
    const read = toTimeline(parseObject(body));
    if (read.tag !== tag) throw new TypeError('it is of another tag');
    return read;
  });
}

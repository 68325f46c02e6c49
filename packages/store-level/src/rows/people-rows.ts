import { createHash } from 'node:crypto';
import {
  carriedKeyOf,
  parseCarriedKey,
  parseGroupId,
  parsePersonId,
  parseTallyId,
  plainCarried,
  plainGroup,
  plainPerson,
  plainTimeline,
  reservedTallyId,
  tagOfImplicit,
  toCarried,
  toGroup,
  toPerson,
  toTimeline,
  type CarriedKey,
  type CarriedRow,
  type Group,
  type GroupId,
  type Person,
  type PersonId,
  type TallyId,
  type Timeline,
} from '@tallybook/domain';
import { CARRIED, GROUP, PERSON, TIMELINE, type KeyRange } from './keys.js';
import { parseJson } from './service/json-value.js';

/** How the rows of a kind are stored: the id in the key, everything as JSON in the value, as `plainPerson` and its like make it. */
export interface PeopleRowKind<Id extends string, T> {
  readonly range: KeyRange;
  readonly keyOf: (id: Id) => Buffer;
  /** Throws if the key does not end in an id. */
  readonly idOf: (key: Buffer) => Id;
  readonly encode: (row: T) => Buffer;
  /** Throws if the row is not one of this kind. */
  readonly decode: (key: Buffer, value: Buffer) => T;
}

interface Parts<Id extends string, T> {
  readonly kind: number;
  readonly encoding: 'hex' | 'latin1' | 'utf8';
  readonly parseId: (text: string) => Id;
  readonly idOfRow: (row: T) => Id;
  readonly plain: (row: T) => object;
  readonly parse: (plain: unknown) => T;
}

function rowKind<Id extends string, T>(parts: Parts<Id, T>): PeopleRowKind<Id, T> {
  const { kind, encoding, parseId, idOfRow, plain, parse } = parts;
  const idOf = (key: Buffer): Id => parseId(key.toString(encoding, 1));
  return {
    range: { gte: Buffer.of(kind), lt: Buffer.of(kind + 1) },
    keyOf: (id) => {
      // Written in place, for speed: every tap and every name needs such a key.
      const key = Buffer.allocUnsafe(1 + Buffer.byteLength(id, encoding));
      key[0] = kind;
      key.write(id, 1, encoding);
      return key;
    },
    idOf,
    encode: (row) => Buffer.from(JSON.stringify(plain(row))),
    decode: (key, value) => {
      const row = parse(parseJson(value));
      if (idOfRow(row) !== idOf(key)) throw new RangeError('it is another row');
      return row;
    },
  };
}

export const personRows: PeopleRowKind<PersonId, Person> = rowKind<PersonId, Person>({
  ...{ kind: PERSON, encoding: 'latin1', parseId: parsePersonId, idOfRow: ({ id }) => id },
  ...{ plain: plainPerson, parse: toPerson },
});

export const timelineRows: PeopleRowKind<TallyId, Timeline> = rowKind<TallyId, Timeline>({
  ...{ kind: TIMELINE, encoding: 'hex', parseId: parseTallyId, idOfRow: ({ tag }) => tag },
  ...{ plain: plainTimeline, parse: toTimeline },
});

export const groupRows: PeopleRowKind<GroupId, Group> = rowKind<GroupId, Group>({
  ...{ kind: GROUP, encoding: 'utf8', parseId: parseGroupId, idOfRow: ({ id }) => id },
  ...{ plain: plainGroup, parse: toGroup },
});

export const carriedRows: PeopleRowKind<CarriedKey, CarriedRow> = rowKind<CarriedKey, CarriedRow>({
  ...{ kind: CARRIED, encoding: 'latin1', parseId: parseCarriedKey, idOfRow: carriedKeyOf },
  ...{ plain: plainCarried, parse: toCarried },
});

/** The tag of last resort of a person: see `PeopleStore`. */
export function lastResortOf(person: PersonId): TallyId {
  const tag = tagOfImplicit(person);
  if (tag === undefined) return reservedTallyId(person);
  return reservedTallyId(createHash('sha256').update(tag).digest('hex').slice(0, 14).toUpperCase());
}

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

/* Rows of persons, of the timelines of tags, of groups, and carried rows. Their values are JSON, as `plainPerson` and its like make it. */

export const timelineRange: KeyRange = { gte: Buffer.of(TIMELINE), lt: Buffer.of(TIMELINE + 1) };

export const personRange: KeyRange = { gte: Buffer.of(PERSON), lt: Buffer.of(PERSON + 1) };

export function timelineKey(tag: TallyId): Buffer {
  // Written in place, for speed: every tap and every name needs such a key.
  const key = Buffer.allocUnsafe(1 + tag.length / 2);
  key[0] = TIMELINE;
  key.write(tag, 1, 'hex');
  return key;
}

/** Throws if the key does not end in an id. */
export function tagOfTimelineKey(key: Buffer): TallyId {
  return parseTallyId(key.toString('hex', 1));
}

export function personKey(id: PersonId): Buffer {
  return Buffer.concat([Buffer.of(PERSON), Buffer.from(id)]);
}

/** Throws if the key does not end in the id of a person. */
export function personOfKey(key: Buffer): PersonId {
  return parsePersonId(key.toString('latin1', 1));
}

export function encodeTimeline(timeline: Timeline): Buffer {
  return Buffer.from(JSON.stringify(plainTimeline(timeline)));
}

/** Throws if the row is no timeline. */
export function decodeTimeline(key: Buffer, value: Buffer): Timeline {
  const timeline = toTimeline(parseJson(value));
  if (timeline.tag !== tagOfTimelineKey(key)) throw new RangeError('it is the timeline of another tag');
  return timeline;
}

export function encodePerson(person: Person): Buffer {
  return Buffer.from(JSON.stringify(plainPerson(person)));
}

/** Throws if the row is no person. */
export function decodePerson(key: Buffer, value: Buffer): Person {
  const person = toPerson(parseJson(value));
  if (person.id !== personOfKey(key)) throw new RangeError('it is another person');
  return person;
}

export const groupRange: KeyRange = { gte: Buffer.of(GROUP), lt: Buffer.of(GROUP + 1) };

export function groupKey(id: GroupId): Buffer {
  return Buffer.concat([Buffer.of(GROUP), Buffer.from(id)]);
}

/** Throws if the key does not end in the id of a group. */
export function groupOfKey(key: Buffer): GroupId {
  return parseGroupId(key.toString('utf8', 1));
}

export function encodeGroup(group: Group): Buffer {
  return Buffer.from(JSON.stringify(plainGroup(group)));
}

/** Throws if the row is no group. */
export function decodeGroup(key: Buffer, value: Buffer): Group {
  const group = toGroup(parseJson(value));
  if (group.id !== groupOfKey(key)) throw new RangeError('it is another group');
  return group;
}

export const carriedRange: KeyRange = { gte: Buffer.of(CARRIED), lt: Buffer.of(CARRIED + 1) };

export function carriedRowKey(key: CarriedKey): Buffer {
  return Buffer.concat([Buffer.of(CARRIED), Buffer.from(key, 'latin1')]);
}

/** Throws if the key does not end in the key of a carried row. */
export function carriedKeyOfRow(key: Buffer): CarriedKey {
  return parseCarriedKey(key.toString('latin1', 1));
}

export function encodeCarried(row: CarriedRow): Buffer {
  return Buffer.from(JSON.stringify(plainCarried(row)));
}

/** Throws if the row is no carried row. */
export function decodeCarried(key: Buffer, value: Buffer): CarriedRow {
  const row = toCarried(parseJson(value));
  if (carriedKeyOf(row) !== carriedKeyOfRow(key)) throw new RangeError('it is another row');
  return row;
}

/** The tag of last resort of a person: see `PeopleStore`. */
export function lastResortOf(person: PersonId): TallyId {
  const tag = tagOfImplicit(person);
  if (tag === undefined) return reservedTallyId(person);
  return reservedTallyId(createHash('sha256').update(tag).digest('hex').slice(0, 14).toUpperCase());
}

import { TallybookError, kindOf } from '../../errors.js';
import { toDay } from '../day.js';
import { parseKeptName, parseText, visible } from '../name.js';
import { STAMP_COUNTER_MAX, STAMP_MS_MAX, type Stamp } from '../stamp.js';
import { parseTallyId } from '../tally-id.js';
import { toOutsideTime } from '../timestamp.js';
import { parseGroupId, parseGroupName, type Group, type Membership } from './group.js';
import {
  GUEST_TEXT_MAX_LENGTH,
  NUMBER_MAX_LENGTH,
  parsePersonId,
  withMemberships,
  type Guest,
  type Person,
  type PersonId,
} from './person.js';
import type { Stamped } from './stamped.js';
import { timelineReasons, type Timeline, type TimelineEntry } from './timeline.js';

/*
 * Persons, timelines and groups as plain JSON, in a fixed order of fields, so that equal rows give equal texts: in stores, backups and
 * between station and centre.
 */

type Plain = Readonly<Record<string, unknown>>;

/** @param isWhole Also what belongs to this store alone: the tags, the aliases, and the doubt. */
export function plainPerson(person: Person, isWhole = true): Plain {
  const { id, removed, isUntagged, doubt, tags, aliases } = person;
  return {
    id,
    ...given({
      name: plain(person.name),
      number: plain(person.number),
      from: plain(person.from),
      until: plain(person.until),
      guest: plain(person.guest),
      groups: person.memberships?.map(plainMembership),
      alias: plain(person.alias),
    }),
    ...given({ removed: removed && plainStamp(removed), isUntagged }),
    ...(isWhole && given({ doubt })),
    ...(isWhole && { tags, aliases }),
  };
}

export function plainTimeline({ tag, entries }: Timeline, isWhole = true): Plain {
  return { tag, entries: entries.map((entry) => plainEntry(entry, isWhole)) };
}

function plainEntry(
  { since, holder, why, stamp, over, after, doubt, isUndone }: TimelineEntry,
  isWhole: boolean,
): Plain {
  return {
    since,
    why,
    stamp: plainStamp(stamp),
    ...given({ over: over && plainStamp(over), holder, after, isUndone }),
    ...(isWhole && given({ doubt })),
  };
}

export function plainGroup({ id, label, alias }: Group): Plain {
  return { id, ...given({ label: plain(label), alias: plain(alias) }) };
}

function plainMembership({ group, since, until, stamp, isUndone }: Membership): Plain {
  return { group, since, ...given({ until, isUndone }), stamp: plainStamp(stamp) };
}

function plain<T>(stamped: Stamped<T> | undefined): Plain | undefined {
  return stamped && { ...given({ value: stamped.value }), stamp: plainStamp(stamped.stamp) };
}

export function plainStamp({ ms, counter, node }: Stamp): readonly unknown[] {
  return [ms, counter, node];
}

function given(fields: Plain): Plain {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Reads a person of {@link plainPerson}, whole or not.
 *
 * @throws {TallybookError} `INVALID_PERSON`, or the code of the value that is wrong.
 */
export function toPerson(value: unknown): Person {
  const plain = toObject(value);
  const { groups = [], removed, isUntagged, doubt, tags = [], aliases = [] } = plain;
  const id = parsePersonId(plain['id']);
  return {
    id,
    ...given({
      name: toStamped(plain['name'], parseKeptName),
      number: toStamped(plain['number'], parseNumber),
      from: toStamped(plain['from'], toDay),
      until: toStamped(plain['until'], toDay),
      guest: toStamped(plain['guest'], toGuest),
      ...withMemberships(toList(groups).map(toMembership)),
      alias: toStamped(plain['alias'], (target) => smaller(parsePersonId(target), id, 'a person')),
      removed: removed === undefined ? undefined : toStamp(removed),
      isUntagged: isUntagged === true ? true : undefined,
      doubt: doubt === undefined ? undefined : parseKeptName(doubt),
    }),
    tags: toList(tags).map(parseTallyId),
    aliases: toList(aliases).map(parsePersonId),
  };
}

/** @throws {TallybookError} `INVALID_GROUP`, or the code of the value that is wrong. */
export function toGroup(value: unknown): Group {
  const { id, label, alias } = toObject(value);
  const group = parseGroupId(id);
  return {
    id: group,
    ...given({
      label: toStamped(label, parseGroupName),
      alias: toStamped(alias, (target) => smaller(parseGroupId(target), group, 'a group')),
    }),
  };
}

function toMembership(value: unknown): Membership {
  const { group, since, until, stamp, isUndone } = toObject(value);
  return {
    ...{ group: parseGroupId(group), since: toDay(since) },
    ...given({ until: until === undefined ? undefined : toDay(until) }),
    stamp: toStamp(stamp),
    ...given({ isUndone: isUndone === true ? true : undefined }),
  };
}

function toGuest(value: unknown): Guest {
  const { since, host, reason } = toObject(value);
  return {
    since: toDay(since),
    ...given({
      host: host === undefined ? undefined : parseGuestText(host),
      reason: reason === undefined ? undefined : parseGuestText(reason),
    }),
  };
}

/** @throws {TallybookError} `INVALID_PERSON`, or the code of the value that is wrong. */
export function toTimeline(value: unknown): Timeline {
  const { tag, entries } = toObject(value);
  const all = toList(entries).map(toEntry);
  if (all.some(({ since }, index) => index > 0 && since <= (all[index - 1]?.since ?? 0)))
    throw invalid('the entries of a timeline ascend by their second');
  return { tag: parseTallyId(tag), entries: all };
}

function toEntry(value: unknown): TimelineEntry {
  const { since, holder, why, stamp, over, after, doubt, isUndone } = toObject(value);
  const reason = timelineReasons.find((each) => each === why);
  if (reason === undefined) throw invalid(`an entry of a timeline is ${timelineReasons.join(', ')}`);
  return {
    ...{ since: toOutsideTime(since), why: reason, stamp: toStamp(stamp) },
    ...given({
      over: over === undefined ? undefined : toStamp(over),
      holder: toOptional(holder),
      after: toOptional(after),
      doubt: toOptional(doubt),
      isUndone: isUndone === true ? true : undefined,
    }),
  };
}

/**
 * Reads the number of a member: text of one line, brought to Unicode NFC and trimmed.
 *
 * @throws {TallybookError} `INVALID_PERSON` if it is no string, is longer than {@link NUMBER_MAX_LENGTH} code points, holds control
 * characters, or nothing that is visible.
 */
export function parseNumber(value: unknown): string {
  return parseLine(value, NUMBER_MAX_LENGTH, 'a number');
}

/**
 * Reads whom a guest visits, or why: text of one line, brought to Unicode NFC and trimmed.
 *
 * @throws {TallybookError} `INVALID_PERSON` if it is no string, is longer than {@link GUEST_TEXT_MAX_LENGTH} code points, holds
 * control characters, or nothing that is visible.
 */
export function parseGuestText(value: unknown): string {
  return parseLine(value, GUEST_TEXT_MAX_LENGTH, 'the host or reason of a guest');
}

function parseLine(value: unknown, longest: number, what: string): string {
  const text = parseText(value, longest, (reason) => invalid(`${what} ${reason}`));
  if (unwanted().test(text)) throw invalid(`${what} is one line without control characters`);
  if (!visible().test(text)) throw invalid(`${what} has something to read`);
  return text;
}

const unwanted = (): RegExp => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;

function toStamped<T>(value: unknown, read: (value: unknown) => T): Stamped<T> | undefined {
  if (value === undefined) return undefined;
  const { value: inner, stamp } = toObject(value);
  return { value: inner === undefined ? undefined : read(inner), stamp: toStamp(stamp) };
}

/** The smaller id stays, so that no two persons can be each other's alias. */
function smaller<Id extends string>(alias: Id, id: Id, what: string): Id {
  if (alias < id) return alias;
  throw invalid(`${what} is merged into one with a smaller id`);
}

function toOptional(value: unknown): PersonId | undefined {
  return value === undefined ? undefined : parsePersonId(value);
}

export function toStamp(value: unknown): Stamp {
  const [ms, counter, node] = toList(value);
  if (
    isCount(ms, STAMP_MS_MAX) &&
    isCount(counter, STAMP_COUNTER_MAX) &&
    typeof node === 'string' &&
    node.length <= 64
  )
    return { ms, counter, node };
  throw invalid('a stamp is milliseconds, a counter and a node of at most 64 characters');
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(`a list is missing; got ${kindOf(value)}`);
}

function toObject(value: unknown): Plain {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Plain;
  throw invalid(`an object is missing; got ${kindOf(value)}`);
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_PERSON', message);
}

import { quote, TallybookError } from '../../errors.js';
import type { Day } from '../day.js';
import type { Name } from '../name.js';
import { compareStamps, type Stamp } from '../stamp.js';
import { mergeMemberships, type Membership } from './group.js';
import { folded, laterOf, laterStamp, type Stamped } from './stamped.js';
import { isReservedTallyId, parseTallyId, RESERVED_PREFIX, type TallyId } from '../tally-id.js';

declare const personId: unique symbol;

/**
 * The identifier of a person: `tag-` and a TallyId for a person whom the first name of that tag made, the same at every place; or
 * 14 upper-case hex digits, 7 random bytes, for all others.
 */
export type PersonId = string & { readonly [personId]: true };

/** Somebody who is no member. They are erased some time after their last day. */
export interface Guest {
  /** The day on which they were added. */
  readonly since: Day;
  /** Whom they visit: 1 to {@link GUEST_TEXT_MAX_LENGTH} characters. */
  readonly host?: string;
  /** Why they are here: 1 to {@link GUEST_TEXT_MAX_LENGTH} characters. */
  readonly reason?: string;
}

export const GUEST_TEXT_MAX_LENGTH = 100;

/** A person as stored. Each field is merged by its own stamp. A field that was never set is absent. */
export interface Person {
  readonly id: PersonId;
  readonly name?: Stamped<Name>;
  /** The member's number: 1 to {@link NUMBER_MAX_LENGTH} characters. */
  readonly number?: Stamped<string>;
  /** First day of membership. */
  readonly from?: Stamped<Day>;
  /** Last day of membership. */
  readonly until?: Stamped<Day>;
  /** Absent or without a value for members. */
  readonly guest?: Stamped<Guest>;
  /** Ascending by group and first day. Absent if there are none. */
  readonly memberships?: readonly Membership[];
  /** The person that this one is: both were merged. The larger id points to the smaller one. */
  readonly alias?: Stamped<PersonId>;
  /** When the person was removed: values with an earlier stamp do not come back. */
  readonly removed?: Stamp;
  /** Whether the person had no tag once, so that their tag of last resort is in the mapping. Never cleared. */
  readonly isUntagged?: true;
  /** The other name of an implicit person that a merge brought, until somebody decides. Not sent to other places. */
  readonly doubt?: Name;
  /** The tags whose timelines name this person, ascending. Follows from the timelines. */
  readonly tags: readonly TallyId[];
  /** The persons whose `alias` is this one, ascending. Follows from them. */
  readonly aliases: readonly PersonId[];
}

export const NUMBER_MAX_LENGTH = 40;

const RANDOM = /^[0-9A-F]{14}$/;
const IMPLICIT_PREFIX = 'tag-';

/** @throws {TallybookError} `INVALID_PERSON` if it is no {@link PersonId}. */
export function parsePersonId(text: unknown): PersonId {
  if (typeof text === 'string') {
    if (RANDOM.test(text)) return text as PersonId;
    if (text.startsWith(IMPLICIT_PREFIX)) {
      const digits = text.slice(IMPLICIT_PREFIX.length);
      const tag = parseTallyId(digits);
      if (tag === digits && !isReservedTallyId(tag)) return text as PersonId;
    }
  }
  throw new TallybookError(
    'INVALID_PERSON',
    `the id of a person is 14 upper-case hex digits, or "tag-" and a tally id; got ${quote(text)}`,
  );
}

/** The person whom the first name of a tag makes. */
export function implicitPerson(tag: TallyId): PersonId {
  return `${IMPLICIT_PREFIX}${tag}` as PersonId;
}

/** The tag that made an implicit person; `undefined` for other persons. */
export function tagOfImplicit(id: PersonId): TallyId | undefined {
  return id.startsWith(IMPLICIT_PREFIX) ? (id.slice(IMPLICIT_PREFIX.length) as TallyId) : undefined;
}

/** The tag of last resort with these 14 digits. */
export function reservedTallyId(digits: string): TallyId {
  return `${RESERVED_PREFIX}${digits}` as TallyId;
}

/** The person of a tag of last resort, unless its timeline names an implicit one. */
export function personOfReserved(id: TallyId): PersonId {
  return id.slice(RESERVED_PREFIX.length) as PersonId;
}

const fields = ['name', 'number', 'from', 'until', 'guest', 'alias'] as const;

/**
 * Merges two states of a person: each field by its stamp. Idempotent and commutative. Derived fields and the doubt are those of
 * `here`.
 */
export function mergePersons(here: Person | undefined, other: Person): Person {
  if (here === undefined) return withoutEarlier(other);
  const removed = laterStamp(here.removed, other.removed);
  const merged: Record<string, unknown> = {};
  for (const field of fields) {
    const value = laterOf<unknown>(here[field], other[field]);
    if (value !== undefined) merged[field] = value;
  }
  return withoutEarlier({
    ...(merged as Pick<Person, (typeof fields)[number]>),
    id: here.id,
    ...withMemberships(mergeMemberships(here.memberships, other.memberships)),
    ...(removed && { removed }),
    ...((here.isUntagged === true || other.isUntagged === true) && { isUntagged: true as const }),
    ...(here.doubt && { doubt: here.doubt }),
    tags: here.tags,
    aliases: here.aliases,
  });
}

/** Leaves out the fields from before the removal. */
function withoutEarlier(person: Person): Person {
  const { removed } = person;
  if (removed === undefined) return person;
  const isGone = ([field, value]: readonly [string, unknown]): boolean =>
    fields.some((each) => each === field) && compareStamps((value as Stamped<unknown>).stamp, removed) <= 0;
  const left = Object.fromEntries(
    Object.entries(person).filter((entry) => !isGone(entry)),
  ) as unknown as Person;
  const isLater = ({ stamp }: Membership): boolean => compareStamps(stamp, removed) > 0;
  const { memberships: all, ...rest } = left;
  return { ...rest, ...withMemberships((all ?? []).filter(isLater)) };
}

export function withMemberships(memberships: readonly Membership[]): Pick<Person, 'memberships'> {
  return memberships.length === 0 ? {} : { memberships };
}

/** A person of whom nothing is known. */
export function nobodyYet(id: PersonId): Person {
  return { id, tags: [], aliases: [] };
}

/** Whether two first names are equal for people: letters in any case, with or without accents and surrounding space. */
export function isSameFirstName(one: Name, other: Name): boolean {
  return folded(one.first) === folded(other.first);
}

import { TallybookError } from '../../errors.js';
import { parseText, visible } from '../name.js';
import type { Stamp } from '../stamp.js';
import type { Day } from '../day.js';
import { folded, laterOf, type Stamped } from './stamped.js';

declare const groupId: unique symbol;

/** The identifier of a group: its first name, without capitals, accents and further spaces. Renaming does not change it. */
export type GroupId = string & { readonly [groupId]: true };

/** A group of persons, such as a class or a squad. */
export interface Group {
  readonly id: GroupId;
  /** The name, 1 to {@link GROUP_MAX_LENGTH} characters. If there is none, the id is shown. */
  readonly label?: Stamped<string>;
  /** The group that this one was merged into. The larger id points to the smaller one. */
  readonly alias?: Stamped<GroupId>;
}

/** From a day on, a person is in a group. There is one membership for each group and first day. */
export interface Membership {
  readonly group: GroupId;
  /** Included. 0: from the beginning. */
  readonly since: Day;
  /** Included. Absent: until now. */
  readonly until?: Day;
  readonly stamp: Stamp;
  /** The membership was a mistake: it says nothing. It stays, so that it does not come back. */
  readonly isUndone?: true;
}

export const GROUP_MAX_LENGTH = 60;
/** Of marks and letters that stand for several, a name may have many: memberships of a person have to fit into a line of a backup. */
const ID_MAX_LENGTH = 200;
/** Room for the number of a {@link numberedGroup}. */
const NUMBER_LENGTH = 5;
/** Maximum number of memberships of a person, with ended and undone ones. */
export const MEMBERSHIPS_MAX = 100;
/** Maximum number of groups. */
export const GROUPS_MAX = 1_000;

/** What parts the groups in a cell of a list. A class may be called 7/8. */
const SEPARATOR = /[,;]|(?:^|\s)\/(?:\s|$)/;

const readable = (): RegExp => /[\p{L}\p{N}\p{S}]/u;

const unwanted = (): RegExp => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;

/**
 * Reads the name of a group: text of one line, brought to Unicode NFC and trimmed, with single spaces.
 *
 * @throws {TallybookError} `INVALID_GROUP` if it is no string, is longer than {@link GROUP_MAX_LENGTH} code points, holds control
 * characters, or no letter, digit or symbol, or a comma, semicolon or single slash: an exported list has the same groups when it comes back.
 */
export function parseGroupName(value: unknown): string {
  const text = parseText(value, GROUP_MAX_LENGTH, (reason) => invalid(`the name of a group ${reason}`));
  if (unwanted().test(text)) throw invalid('the name of a group is one line without control characters');
  const id = groupOfName(text);
  if (!readable().test(text) || !visible().test(text) || id === '')
    throw invalid('the name of a group has a letter, a digit or a symbol');
  if (SEPARATOR.test(text))
    throw invalid(
      'the name of a group has no comma, no semicolon and no slash between spaces: these stand between groups in lists',
    );
  if (id.length > ID_MAX_LENGTH - NUMBER_LENGTH)
    throw invalid('the name of a group is too long: some of its characters stand for several');
  return text.replaceAll(/ +/g, ' ');
}

/** The group whose first name this is. */
export function groupOfName(name: string): GroupId {
  // Some characters become spaces.
  return folded(name).replaceAll(/\s+/g, ' ') as GroupId;
}

/** The group that was the n-th one to be called so first, as others have other names by now. */
export function numberedGroup(id: GroupId, n: number): GroupId {
  return `${id} ${n}` as GroupId;
}

/** @throws {TallybookError} `INVALID_GROUP` if it is no {@link GroupId}. */
export function parseGroupId(value: unknown): GroupId {
  if (typeof value === 'string' && value !== '' && value.length <= ID_MAX_LENGTH) {
    const id = groupOfName(value);
    if (id === value && !unwanted().test(value)) return id;
  }
  throw invalid('the id of a group is its first name, in small letters and without accents');
}

/** Merges two states of a group: each field by its stamp. Idempotent and commutative. */
export function mergeGroups(here: Group | undefined, other: Group): Group {
  const label = laterOf(here?.label, other.label);
  const alias = laterOf(here?.alias, other.alias);
  return { id: other.id, ...(label && { label }), ...(alias && { alias }) };
}

/** What a group is called now. */
export function groupName({ id, label }: Group): string {
  return label?.value ?? id;
}

/** The groups by what they are called now. Of groups of one name the one with the smaller id; one that was merged away only if no other one has the name. */
export function groupsByName(groups: Iterable<Group>): ReadonlyMap<GroupId, GroupId> {
  const byName = new Map<GroupId, GroupId>();
  const all = [...groups].sort((a, b) => rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1));
  for (const group of all) {
    const name = groupOfName(groupName(group));
    if (!byName.has(name)) byName.set(name, group.id);
  }
  return byName;
}

function rankOf({ alias }: Group): number {
  return alias?.value === undefined ? 0 : 1;
}

/** The memberships that count. */
export function standingMemberships(memberships: readonly Membership[]): readonly Membership[] {
  return memberships.filter(({ isUndone }) => isUndone !== true);
}

/**
 * The memberships that count, ascending by the first day, each in what its group was merged into.
 *
 * @param resolve Gives what a group was merged into.
 */
export function resolvedMemberships(
  memberships: readonly Membership[] = [],
  resolve: (group: GroupId) => GroupId,
): readonly Membership[] {
  return standingMemberships(memberships)
    .map((each) => ({ ...each, group: resolve(each.group) }))
    .sort((a, b) => a.since - b.since || (a.group < b.group ? -1 : 1));
}

/** Whether a membership holds on a day. */
export function covers({ since, until }: Pick<Membership, 'since' | 'until'>, day: Day): boolean {
  return since <= day && (until === undefined || until >= day);
}

/** Merges memberships: each (group, first day) by its stamp. In the order of groups and days. */
export function mergeMemberships(
  here: readonly Membership[] = [],
  other: readonly Membership[] = [],
): readonly Membership[] {
  const byKey = new Map<string, Membership>();
  for (const each of [...here, ...other]) {
    const key = `${each.since} ${each.group}`;
    const later = laterOf(stamped(byKey.get(key)), stamped(each));
    byKey.set(key, later?.value ?? each);
  }
  return [...byKey.values()].sort(
    (a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) || a.since - b.since,
  );
}

function stamped(membership: Membership | undefined): Stamped<Membership> | undefined {
  return membership && { value: membership, stamp: membership.stamp };
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_GROUP', message);
}

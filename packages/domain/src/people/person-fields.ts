import { TallybookError } from '../errors.js';
import type { Day } from '../values/day.js';
import type { Name } from '../values/name.js';
import { mergeMemberships, MEMBERSHIPS_MAX, type GroupId } from '../values/people/group.js';
import {
  nobodyYet,
  withMemberships,
  type Guest,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import type { Stamped } from '../values/people/stamped.js';
import { changeMemberships } from './change-memberships.js';
import { nameOfGroup, useGroup } from './group-service.js';
import { GroupView } from './group-view.js';
import type { Moment } from './moment.js';
import { notAllowed } from './people-errors.js';
import type { PeopleDraft } from './people-draft.js';

/** What is known of a person. `null` takes a value away; an absent field stays. */
export interface PersonFields {
  readonly name?: Name;
  readonly number?: string | null;
  /** First day of membership. */
  readonly from?: Day | null;
  /** Last day of membership. */
  readonly until?: Day | null;
  /** `null`: they become a member. */
  readonly guest?: Guest | null;
  /** The names, as `parseGroupName` gives them, of all groups that they are in from {@link groupsSince} on. */
  readonly groups?: readonly string[];
  /** Default: today, but from the beginning for somebody who was never in a group. */
  readonly groupsSince?: Day;
}

/** What {@link setFields} sets, and of whom. */
interface FieldChange {
  /** Not merged into another person. */
  readonly root: PersonId;
  readonly fields: PersonFields;
  /** Groups that it does not have stay as they are. Default: everything. */
  readonly view?: GroupView;
}

/** A person with these fields. A value is later than that of each person who was merged into this one, and than the removal. */
export function setFields(
  draft: PeopleDraft,
  moment: Moment,
  { root, fields, view = new GroupView(draft, undefined) }: FieldChange,
): Person {
  const { name, number, from, until, guest } = fields;
  const { doubt, ...rest } = draft.person(root) ?? nobodyYet(root);
  const whole = draft.whole(root);
  const stamped = <T>(value: T | null, field: 'name' | 'number' | 'from' | 'until' | 'guest'): Stamped<T> =>
    moment.stamped(value ?? undefined, whole?.[field]?.stamp, rest.removed);
  return {
    ...rest,
    ...(name === undefined ? doubt && { doubt } : { name: stamped(name, 'name') }),
    ...(number !== undefined && { number: stamped(number, 'number') }),
    ...(from !== undefined && { from: stamped(from, 'from') }),
    ...(until !== undefined && { until: stamped(until, 'until') }),
    ...(guest !== undefined && { guest: stamped(guest, 'guest') }),
    ...setGroups(draft, moment, { person: rest, fields, view }),
  };
}

/** The memberships of a person's own row, with the changed ones of those who were merged into them. */
function setGroups(
  draft: PeopleDraft,
  moment: Moment,
  {
    person: { id, memberships, removed },
    fields: { groups, groupsSince },
    view,
  }: { readonly person: Person; readonly fields: PersonFields; readonly view: GroupView },
): Pick<Person, 'memberships'> {
  if (groups === undefined) return {};
  const wanted = groups.map((name) => useGroup(draft, name, moment));
  const changed = changeMemberships({
    memberships: draft.whole(id)?.memberships ?? [],
    wanted: new Set(wanted),
    since: groupsSince,
    today: () => moment.today(),
    resolve: (group) => draft.resolveGroup(group),
    stampAfter: (before) => moment.stampAfter(before),
    removed,
  });
  const own = changed.filter(({ group }) => view.hasGroup(draft.resolveGroup(group)));
  const all = mergeMemberships(memberships, own);
  if (all.length > Math.max(MEMBERSHIPS_MAX, memberships?.length ?? 0))
    throw new TallybookError(
      'INVALID_GROUP',
      `a person has at most ${MEMBERSHIPS_MAX} memberships of groups, with those that ended or were undone`,
    );
  return withMemberships(all);
}

/** The fields of a new person, as somebody who is bound to these groups may set them. */
export function newFieldsWithin(
  draft: PeopleDraft,
  moment: Moment,
  { fields, within }: { readonly fields: PersonFields; readonly within: readonly GroupId[] | undefined },
): PersonFields {
  if (within === undefined) return fields;
  // Whoever is bound to one group alone need not name it.
  const [own, ...others] = within;
  const isOne = own !== undefined && others.length === 0;
  const groups = fields.groups ?? (isOne ? [nameOfGroup(draft, own)] : []);
  return fieldsWithin(draft, moment, { fields: { ...fields, groups }, within });
}

/** Fields as somebody who is bound to these groups may set them; all, for somebody who is bound to none. */
export function fieldsWithin(
  draft: PeopleDraft,
  moment: Moment,
  { fields, within }: { readonly fields: PersonFields; readonly within: readonly GroupId[] | undefined },
): PersonFields {
  const { groupsSince, ...others } = fields;
  const { groups } = fields;
  if (within === undefined) return fields;
  if (groups === undefined) return others;
  if (groupsSince !== undefined && groupsSince !== moment.today())
    throw notAllowed('since: you are bound to groups, so you change who is in them from today on');
  if (groups.length === 0)
    throw notAllowed('groups: you are bound to groups, so the person must be in one of them');
  const view = new GroupView(draft, within);
  const isOwn = (name: string): boolean => {
    const group = draft.groupNamed(name);
    return group !== undefined && view.hasGroup(group);
  };
  if (!groups.every(isOwn))
    throw notAllowed('groups: you are bound to groups, so you can put nobody into another one');
  return others;
}

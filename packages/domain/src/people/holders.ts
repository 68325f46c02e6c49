import { rootOf } from '../values/people/stamped.js';
import type { Snapshot } from '../ports/record/snapshot-source.js';
import type { Day } from '../values/day.js';
import type { Name } from '../values/name.js';
import type { TallyId } from '../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import { wholePerson, type FindPerson } from './merged-persons.js';
import {
  covers,
  groupName,
  resolvedMemberships,
  groupOfName,
  groupsByName,
  standingMemberships,
  type Group,
  type GroupId,
  type Membership,
} from '../values/people/group.js';
import {
  implicitPerson,
  personOfReserved,
  tagOfImplicit,
  type Guest,
  type Person,
  type PersonId,
} from '../values/people/person.js';
import { isReservedTallyId } from '../values/tally-id.js';
import { standing, type Timeline, type TimelineEntry } from '../values/people/timeline.js';

/** Who a tag belongs to in some second. Equal holders are the same person, or equally nobody. */
export interface TagOwner {
  /** Absent if nobody holds it. Never a person who was merged into another one. */
  readonly person?: PersonId;
  /** The tag is lost. */
  readonly isLost?: true;
}

/** A tag that a person holds now, or lost: nobody had it since. */
export interface PresentTag {
  readonly id: TallyId;
  /** The second of the present entry: of the loss, if it is lost. 0: from the beginning. */
  readonly since: Timestamp;
  readonly isLost: boolean;
}

/** A person as views show them. */
export interface KnownPerson {
  readonly id: PersonId;
  readonly name: Name | undefined;
  readonly number: string | undefined;
  /** First and last day of membership. */
  readonly from: Day | undefined;
  readonly until: Day | undefined;
  /** Absent for members. */
  readonly guest?: Guest;
  /** In the order of their first days. Merged groups are resolved. */
  readonly memberships: readonly Membership[];
  /** Ascending. */
  readonly tags: readonly PresentTag[];
}

const NO_MEMBERSHIPS: readonly Membership[] = Object.freeze([]);
const NOBODY: TagOwner = Object.freeze({});
const LOST: TagOwner = Object.freeze({ isLost: true });

/** A change of the owner of a tag. */
interface Boundary {
  readonly since: Timestamp;
  readonly owner: TagOwner;
}

/**
 * Who held which tag when, and who they are, as of one moment.
 *
 * It has each name once, and a row more only for persons and tags to which something happened.
 */
export class Holders {
  /** The names of tags without a timeline, ascending: each is a person of their own, from the beginning. */
  readonly names: ReadonlyMap<TallyId, Name>;
  /** The names of the groups, but for those that were merged into others. */
  readonly groups: ReadonlyMap<GroupId, string>;
  readonly #groupRows: ReadonlyMap<GroupId, Group>;
  #groupsByName: ReadonlyMap<GroupId, GroupId> | undefined;
  readonly #persons: ReadonlyMap<PersonId, Person>;
  readonly #timelines: ReadonlyMap<TallyId, Timeline>;
  readonly #boundaries = new Map<TallyId, readonly Boundary[]>();

  private constructor(
    persons: ReadonlyMap<PersonId, Person>,
    timelines: ReadonlyMap<TallyId, Timeline>,
    names: ReadonlyMap<TallyId, Name>,
    groups: ReadonlyMap<GroupId, Group>,
  ) {
    this.#persons = persons;
    this.#timelines = timelines;
    this.names = names;
    this.#groupRows = groups;
    this.groups = new Map(labelsOf(groups));
  }

  /**
   * Reads the persons of a snapshot. Rejects as `Snapshot` does.
   *
   * @param check Called with the number of names, persons and timelines as they are read: it throws if they are too many.
   */
  static async read(
    snapshot: Pick<Snapshot, 'names' | 'persons' | 'timelines' | 'groups'>,
    check: (count: number) => void = () => undefined,
  ): Promise<Holders> {
    const persons = new Map<PersonId, Person>();
    const timelines = new Map<TallyId, Timeline>();
    const names = new Map<TallyId, Name>();
    const groups = new Map<GroupId, Group>();
    for await (const group of snapshot.groups()) groups.set(group.id, group);
    const checkAll = (): void => check(persons.size + timelines.size + names.size);
    for await (const person of snapshot.persons()) {
      persons.set(person.id, person);
      checkAll();
    }
    for await (const timeline of snapshot.timelines()) {
      timelines.set(timeline.tag, timeline);
      checkAll();
    }
    for await (const [tag, name] of snapshot.names()) {
      // Other names are those of persons.
      if (timelines.has(tag) || isReservedTallyId(tag)) continue;
      names.set(tag, name);
      checkAll();
    }
    return new Holders(persons, timelines, names, groups);
  }

  /**
   * What somebody sees of a range of days who is bound to groups: the persons who are in one of these on a day of it, with these groups.
   * Everybody else is known only by an id, as the holder of a tag.
   *
   * @param today Of who is in none of the groups on this day, the present tags are not seen.
   */
  within(
    groups: readonly GroupId[],
    { from, to, today }: { readonly from: Day; readonly to: Day; readonly today: Day },
  ): Holders {
    const roots = new Set(groups.map((group) => this.rootOfGroup(group)));
    const isOwn = (group: GroupId): boolean => roots.has(this.rootOfGroup(group));
    const seen = new Map<PersonId, Person>();
    for (const [id, person] of this.#persons) {
      const root = wholePerson(this.#find, this.#rootOf(id));
      const its = standingMemberships(root?.memberships ?? []).filter(({ group }) => isOwn(group));
      if (!its.some(({ since, until = to }) => since <= to && until >= from)) continue;
      const memberships = person.memberships?.filter(({ group }) => isOwn(group));
      const isNow = its.some((each) => covers(each, today));
      const { memberships: _, ...rest } = person;
      seen.set(id, { ...rest, ...(memberships && { memberships }), ...(!isNow && { tags: [] }) });
    }
    const rows = [...this.#groupRows].filter(([id]) => isOwn(id));
    return new Holders(seen, this.#timelines, new Map(), new Map(rows));
  }

  /** Who held a tag in a second, or nobody. */
  holderOf(tag: TallyId, at: Timestamp): TagOwner {
    const boundaries = this.#boundariesOf(tag);
    if (boundaries !== undefined) return boundaries.findLast(({ since }) => since <= at)?.owner ?? NOBODY;
    if (isReservedTallyId(tag)) return { person: this.#rootOf(personOfReserved(tag)) };
    return this.names.has(tag) ? { person: implicitPerson(tag) } : NOBODY;
  }

  /** The seconds later than `from`, up to `to`, since which a tag has another holder, ascending. */
  boundaries(tag: TallyId, from: Timestamp, to: Timestamp): readonly Timestamp[] {
    const boundaries = this.#boundariesOf(tag);
    // Nearly every tag: nothing ever happened to it.
    if (boundaries === undefined) return [];
    return boundaries.flatMap(({ since }) => (since > from && since <= to ? [since] : []));
  }

  /** A person, by any id that was merged into theirs. `undefined` if there is none. */
  person(id: PersonId): KnownPerson | undefined {
    const tag = tagOfImplicit(id);
    const own = tag && this.names.get(tag);
    if (tag !== undefined && own !== undefined) return implicitly(tag, own);
    const root = this.#rootOf(id);
    const whole = wholePerson(this.#find, root);
    if (whole === undefined) return undefined;
    const { name, number, from, until, guest, memberships, tags } = whole;
    return {
      id: root,
      ...{ name: name?.value, number: number?.value, from: from?.value, until: until?.value },
      ...(guest?.value && { guest: guest.value }),
      memberships: resolvedMemberships(memberships, (group) => this.rootOfGroup(group)),
      tags: tags.flatMap((each) => this.#presentTag(each, root) ?? []),
    };
  }

  /** The groups in which a person is on a day, ascending by id. */
  groupsOf(id: PersonId, day: Day): readonly GroupId[] {
    const { memberships = NO_MEMBERSHIPS } = this.person(id) ?? {};
    return groupsOn(memberships, day);
  }

  /** The group that has this name now, or had it when it was merged. */
  groupNamed(name: string): GroupId | undefined {
    this.#groupsByName ??= groupsByName(this.#groupRows.values());
    const id = this.#groupsByName.get(groupOfName(name));
    return id && this.rootOfGroup(id);
  }

  /** What a group was merged into at last: itself, if it was not. */
  rootOfGroup(id: GroupId): GroupId {
    return rootOf((each) => this.#groupRows.get(each), id);
  }

  /** All persons with a name: those with rows by id, then the others by tag. */
  *all(): Generator<KnownPerson, void, undefined> {
    for (const [id, { alias }] of this.#persons) {
      const person = alias?.value === undefined ? this.person(id) : undefined;
      if (person?.name !== undefined) yield person;
    }
    for (const [tag, name] of this.names) yield implicitly(tag, name);
  }

  #presentTag(tag: TallyId, root: PersonId): PresentTag | undefined {
    if (isReservedTallyId(tag)) return undefined;
    const entries = standing(this.#timelines.get(tag) ?? { entries: [] });
    const present = entries.at(-1);
    if (present === undefined) return undefined;
    const isLost = present.why === 'lost';
    const holder = isLost ? entries.findLast((entry) => entry.holder !== undefined)?.holder : present.holder;
    if (holder === undefined || this.#rootOf(holder) !== root) return undefined;
    return { id: tag, since: present.since, isLost };
  }

  /** Those of a tag with a timeline. An entry that changes nothing is none. */
  #boundariesOf(tag: TallyId): readonly Boundary[] | undefined {
    const known = this.#boundaries.get(tag);
    if (known !== undefined) return known;
    const timeline = this.#timelines.get(tag);
    if (timeline === undefined) return undefined;
    let before = NOBODY;
    const boundaries = standing(timeline).flatMap((entry): readonly Boundary[] => {
      const owner = ownerOf(entry, (id) => this.#rootOf(id));
      const isSame = owner.person === before.person && owner.isLost === before.isLost;
      before = owner;
      return isSame ? [] : [{ since: entry.since, owner }];
    });
    this.#boundaries.set(tag, boundaries);
    return boundaries;
  }

  readonly #find: FindPerson = (id) => this.#persons.get(id);

  #rootOf(id: PersonId): PersonId {
    return rootOf(this.#find, id);
  }
}

function implicitly(tag: TallyId, name: Name): KnownPerson {
  const tags = [{ id: tag, since: BEGINNING, isLost: false }];
  return {
    ...{ id: implicitPerson(tag), name, number: undefined, from: undefined, until: undefined },
    ...{ memberships: NO_MEMBERSHIPS, tags },
  };
}

/** Who a tag belongs to by an entry of its timeline; nobody if there is none. */
export function ownerOf(
  entry: Pick<TimelineEntry, 'holder' | 'why'> | undefined,
  rootOf: (id: PersonId) => PersonId,
): TagOwner {
  if (entry?.holder !== undefined) return { person: rootOf(entry.holder) };
  return entry?.why === 'lost' ? LOST : NOBODY;
}

/** The groups of which a membership holds on a day, ascending by id. */
export function groupsOn(memberships: readonly Membership[], day: Day): readonly GroupId[] {
  return [...new Set(memberships.flatMap((each) => (covers(each, day) ? [each.group] : [])))].sort();
}

function* labelsOf(
  groups: ReadonlyMap<GroupId, Group>,
): Generator<readonly [GroupId, string], void, undefined> {
  for (const group of groups.values())
    if (group.alias?.value === undefined) yield [group.id, groupName(group)];
}

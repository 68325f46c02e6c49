import type { PeopleStore } from '../ports/people/people-store.js';
import type { Day } from '../values/day.js';
import { resolvedMemberships, type GroupId, type Membership } from '../values/people/group.js';
import type { Person, PersonId } from '../values/people/person.js';
import { entryAt, standing } from '../values/people/timeline.js';
import type { Change } from '../values/record/change.js';
import type { TallyId } from '../values/tally-id.js';
import type { Timestamp } from '../values/timestamp.js';
import { groupsOn, ownerOf, type TagOwner } from './holders.js';
import { readPeople } from './change-people.js';
import type { PeopleDraft } from './people-draft.js';

/** The memberships of a person that count, ascending by the first day. Merged groups are resolved. */
export function membershipsOf(
  draft: PeopleDraft,
  { memberships }: Pick<Person, 'memberships'>,
): readonly Membership[] {
  return resolvedMemberships(memberships, (group) => draft.resolveGroup(group));
}

/** Who a tag belongs to in a second. */
export function ownerAt(draft: PeopleDraft, tag: TallyId, at: Timestamp): TagOwner {
  return ownerOf(entryAt(draft.timeline(tag), at), (id) => draft.resolve(id));
}

/** What somebody sees who is bound to groups; or everything. */
export class GroupView {
  /** `undefined`: everything. */
  readonly #roots: ReadonlySet<GroupId> | undefined;
  readonly #draft: PeopleDraft;

  /** @param within The groups; `undefined` for somebody who is bound to none. */
  constructor(draft: PeopleDraft, within: readonly GroupId[] | undefined) {
    this.#draft = draft;
    this.#roots = within && new Set(within.map((group) => draft.resolveGroup(group)));
  }

  /** Whether it has a group that was not merged into another one. */
  hasGroup(root: GroupId): boolean {
    return this.#roots?.has(root) ?? true;
  }

  /** Those of these memberships or groups that it has. */
  memberships(all: readonly Membership[]): readonly Membership[] {
    return all.filter(({ group }) => this.hasGroup(group));
  }

  groups(all: readonly GroupId[]): readonly GroupId[] {
    return all.filter((group) => this.hasGroup(group));
  }

  /** Whether a person, who was not merged into another one, is in it on a day. */
  has(root: PersonId, day: Day): boolean {
    if (this.#roots === undefined) return true;
    const memberships = membershipsOf(this.#draft, this.#draft.whole(root) ?? {});
    return groupsOn(this.memberships(memberships), day).length > 0;
  }

  /** Whether a scan is of somebody who is in it on the day of the scan. */
  hasScan({ id, at, day }: ScanOfDay): boolean {
    if (this.#roots === undefined) return true;
    const { person } = ownerAt(this.#draft, id, at);
    return person !== undefined && this.has(person, day);
  }

  /** Whether a tag was ever held by somebody who is in it on a day. */
  hasTag(tag: TallyId, day: Day): boolean {
    const holders = standing(this.#draft.timeline(tag)).flatMap(({ holder }) => holder ?? []);
    return holders.some((holder) => this.has(this.#draft.resolve(holder), day));
  }
}

/** Those changes of the record that are about somebody in one of these groups: scans, and corrections of a tag on a day. */
export function changesWithin(
  people: PeopleStore,
  changes: readonly Change[],
  within: readonly GroupId[],
): Promise<ReadonlySet<Change>> {
  return readPeople(people, (draft) => {
    const view = new GroupView(draft, within);
    const isSeen = (change: Change): boolean =>
      (change.kind === 'scan' && view.hasScan(change)) ||
      (change.kind === 'correction' && view.hasTag(change.id, change.day));
    return new Set(changes.filter(isSeen));
  });
}

export interface ScanOfDay {
  readonly id: TallyId;
  readonly at: Timestamp;
  readonly day: Day;
}

/** Those scans whose holders are in one of these groups on the day of the scan; all if there are no groups to be bound to. */
export async function scansWithin<T extends ScanOfDay>(
  people: PeopleStore,
  scans: readonly T[],
  within: readonly GroupId[] | undefined,
): Promise<readonly T[]> {
  if (within === undefined || scans.length === 0) return scans;
  return readPeople(people, (draft) => {
    const view = new GroupView(draft, within);
    return scans.filter((scan) => view.hasScan(scan));
  });
}

import { TallybookError } from '../errors.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Stamp } from '../values/stamp.js';
import {
  groupName,
  GROUPS_MAX,
  groupOfName,
  numberedGroup,
  type Group,
  type GroupId,
} from '../values/people/group.js';
import { laterStamp, type Stamped } from '../values/people/stamped.js';
import { changePeople } from './change-people.js';
import type { PeopleDraft } from './people-draft.js';

/** Renames groups and merges them. A group is made by putting a person into it. */
export class GroupService {
  readonly #people: PeopleStore;

  constructor(people: PeopleStore) {
    this.#people = people;
  }

  /** All groups, ascending by id, but for those that were merged into others. */
  async list(): Promise<readonly Group[]> {
    return (await this.#people.groups()).filter(({ alias }) => alias?.value === undefined);
  }

  /**
   * Gives a group another name. Its id stays.
   *
   * @throws {TallybookError} `GROUP_NOT_FOUND`, or `INVALID_GROUP` if another group has this name.
   */
  rename(id: GroupId, name: string): Promise<void> {
    return changePeople(this.#people, (draft) => {
      const group = existing(draft, id);
      const wanted = groupOfName(name);
      const isOther = (other: Group): boolean =>
        other.id !== group.id && other.alias?.value === undefined && groupOfName(groupName(other)) === wanted;
      if (draft.groups().some(isOther))
        throw new TallybookError('INVALID_GROUP', 'another group has this name: merge them instead');
      draft.putGroup({ ...group, label: this.#stamped(name, group.label?.stamp) });
    });
  }

  /**
   * Merges a group into another one: whoever is or was in one of them is in that one, and its name stays. Resolves with the id that
   * stays: the smaller one.
   *
   * @throws {TallybookError} `GROUP_NOT_FOUND`, or `INVALID_GROUP` if both are one group already.
   */
  merge(id: GroupId, into: GroupId): Promise<GroupId> {
    return changePeople(this.#people, (draft) => {
      const [one, other] = [existing(draft, id), existing(draft, into)];
      if (one.id === other.id) throw new TallybookError('INVALID_GROUP', 'these are one group already');
      const [root, merged] = one.id < other.id ? [one, other] : [other, one];
      const before = laterStamp(root.label?.stamp, merged.label?.stamp);
      const named = (group: Group): Stamped<string> => this.#stamped(groupName(group), before);
      // The other name stays with the group that is no more, so that lists with that name still find this one.
      draft.putGroup({
        ...merged,
        label: named(one),
        alias: this.#stamped(root.id, merged.alias?.stamp),
      });
      draft.putGroup({ ...root, label: named(other) });
      return root.id;
    });
  }

  #stamped<T>(value: T, before: Stamp | undefined): Stamped<T> {
    return { value, stamp: this.#people.stampAfter(before) };
  }
}

function existing(draft: PeopleDraft, id: GroupId): Group {
  const root = draft.resolveGroup(id);
  const group = draft.group(root);
  if (group === undefined) throw new TallybookError('GROUP_NOT_FOUND', 'there is no such group');
  return group;
}

/** The name of a group, or of what it was merged into. */
export function nameOfGroup(draft: PeopleDraft, id: GroupId): string {
  const root = draft.resolveGroup(id);
  return groupName(draft.group(root) ?? { id: root });
}

/**
 * The group that has this name now, or had it when it was merged. If there is none, it is made: a group that was renamed leaves its
 * first name to others, so the next one of that name has a number.
 *
 * @throws {TallybookError} `INVALID_GROUP` if there are too many.
 */
export function useGroup(draft: PeopleDraft, name: string, stamps: Pick<PeopleStore, 'stampAfter'>): GroupId {
  const found = draft.groupNamed(name);
  if (found !== undefined) return found;
  const wanted = groupOfName(name);
  if (draft.groups().length >= GROUPS_MAX)
    throw new TallybookError('INVALID_GROUP', `there are at most ${GROUPS_MAX} groups; use one of them`);
  let id = wanted;
  for (let n = 2; draft.group(id) !== undefined; n++) id = numberedGroup(wanted, n);
  draft.putGroup({ id, label: { value: name, stamp: stamps.stampAfter(undefined) } });
  return id;
}

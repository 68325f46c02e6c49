import { TallybookError } from '../errors.js';
import type { PeopleStore } from '../ports/people/people-store.js';
import type { Stamp } from '../values/stamp.js';
import { GROUPS_MAX, groupOfName, type Group, type GroupId } from '../values/people/group.js';
import { laterStamp } from '../values/people/stamped.js';
import { changePeople, type PeopleDraft } from './people-draft.js';

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
   * @throws {TallybookError} `GROUP_NOT_FOUND`.
   */
  rename(id: GroupId, name: string): Promise<void> {
    return changePeople(this.#people, (draft) => {
      const group = existing(draft, id);
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
      draft.putGroup({ ...merged, alias: this.#stamped(root.id, merged.alias?.stamp) });
      const name = other.label?.value ?? other.id;
      if (root.id !== other.id)
        draft.putGroup({
          ...root,
          label: this.#stamped(name, laterStamp(root.label?.stamp, other.label?.stamp)),
        });
      return root.id;
    });
  }

  #stamped<T>(value: T, before: Stamp | undefined): { readonly value: T; readonly stamp: Stamp } {
    return { value, stamp: this.#people.stampAfter(before) };
  }
}

function existing(draft: PeopleDraft, id: GroupId): Group {
  const root = draft.resolveGroup(id);
  const group = draft.group(root);
  if (group === undefined) throw new TallybookError('GROUP_NOT_FOUND', 'there is no such group');
  return group;
}

/**
 * The group with a name or an id, which is made if there is none.
 *
 * @throws {TallybookError} `INVALID_GROUP` if there are too many.
 */
export function useGroup(draft: PeopleDraft, name: string, people: PeopleStore, count: number): GroupId {
  const id = groupOfName(name);
  if (draft.group(id) === undefined) {
    if (count >= GROUPS_MAX)
      throw new TallybookError('INVALID_GROUP', `there are at most ${GROUPS_MAX} groups; use one of them`);
    draft.putGroup({ id, label: { value: name, stamp: people.stampAfter(undefined) } });
  }
  return draft.resolveGroup(id);
}

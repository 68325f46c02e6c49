import type { PeopleKeys, PeopleStore } from '../ports/people/people-store.js';
import type { CarriedKey } from '../values/people/carried-row.js';
import type { Group, GroupId } from '../values/people/group.js';
import type { PersonId } from '../values/people/person.js';
import type { TallyId } from '../values/tally-id.js';

/** The keys of the rows that a decision has asked for. */
export class WantedKeys implements PeopleKeys {
  readonly persons: Set<PersonId> = new Set();
  readonly timelines: Set<TallyId> = new Set();
  readonly groups: Set<GroupId> = new Set();
  readonly carried: Set<CarriedKey> = new Set();
  readonly names: Set<TallyId> = new Set();
  #hasGrown = false;
  #wantsGroups = false;

  wantGroups(): void {
    this.#wantsGroups = true;
    this.#hasGrown = true;
  }

  /** All groups, if they were asked for. They may change until the write: what depends on one of them asks for that one too. */
  async groupsOf(store: PeopleStore): Promise<readonly Group[] | undefined> {
    return this.#wantsGroups ? store.groups() : undefined;
  }

  want(kind: keyof PeopleKeys, key: PersonId | TallyId | GroupId | CarriedKey): void {
    (this[kind] as Set<string>).add(key);
    this.#hasGrown = true;
  }

  takeHasGrown(): boolean {
    const hasGrown = this.#hasGrown;
    this.#hasGrown = false;
    return hasGrown;
  }
}

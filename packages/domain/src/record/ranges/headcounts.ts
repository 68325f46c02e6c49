import type { Holders } from '../../people/holders.js';
import type { Day } from '../../values/day.js';
import type { GroupId } from '../../values/people/group.js';
import { alphabet } from '../alphabet.js';

/** A group with the number of its persons on each day. */
export interface TableGroup {
  readonly id: GroupId;
  readonly name: string;
  /** In the order of the days. A day without any is left out. */
  readonly days: ReadonlyMap<Day, number>;
}

/** Counts the persons of each group on each day. */
export class Headcounts {
  readonly #people: Holders | undefined;
  readonly #counts = new Map<GroupId, Map<Day, number>>();

  constructor(people: Holders | undefined) {
    this.#people = people;
  }

  /** One more person of these groups was there. */
  count(groups: readonly GroupId[], day: Day): void {
    for (const group of groups) {
      const counts = this.#counts.get(group) ?? new Map<Day, number>();
      this.#counts.set(group, counts);
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }

  /** These groups, each once, by name. */
  ofGroups(groups: Iterable<GroupId>): readonly TableGroup[] {
    const { compare } = alphabet();
    return Array.from(new Set(groups), (id) => ({
      ...{ id, name: this.#people?.groups.get(id) ?? id },
      days: this.#counts.get(id) ?? new Map<Day, number>(),
    })).sort((a, b) => compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
  }
}

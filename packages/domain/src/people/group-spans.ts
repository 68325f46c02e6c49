import type { Day } from '../values/day.js';
import type { GroupId, Membership } from '../values/people/group.js';
import { groupsOn } from './holders.js';

/** From a day on, until the next span, a person is in these groups. */
interface GroupSpan {
  readonly since: Day;
  /** Ascending by id. */
  readonly groups: readonly GroupId[];
}

const NO_GROUPS: readonly GroupId[] = Object.freeze([]);

/** The groups of a person by day, worked out once: tables ask for each entry. */
export class GroupSpans {
  readonly #spans: readonly GroupSpan[];

  /** @param memberships With resolved groups. */
  constructor(memberships: readonly Membership[]) {
    const starts = new Set(
      memberships.flatMap(({ since, until }) => (until === undefined ? [since] : [since, until + 1])),
    ) as Set<Day>;
    this.#spans = [...starts]
      .sort((a, b) => a - b)
      .map((since) => ({ since, groups: groupsOn(memberships, since) }));
  }

  /** The groups in which the person is on a day, ascending by id. */
  on(day: Day): readonly GroupId[] {
    return this.#spans.findLast(({ since }) => since <= day)?.groups ?? NO_GROUPS;
  }

  /** The groups in which the person is on one of these days, ascending by id. */
  within(from: Day, to: Day): readonly GroupId[] {
    const later = this.#spans.filter(({ since }) => since > from && since <= to);
    if (from > to) return NO_GROUPS;
    return [...new Set([...this.on(from), ...later.flatMap(({ groups }) => groups)])].sort();
  }
}

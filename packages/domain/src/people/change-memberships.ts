import { compareStamps, type Stamp } from '../values/stamp.js';
import type { Day } from '../values/day.js';
import { covers, standingMemberships, type GroupId, type Membership } from '../values/people/group.js';

const BEGINNING = 0 as Day;

/** What {@link changeMemberships} decides on. */
export interface MembershipChange {
  /** All memberships of the person. */
  readonly memberships: readonly Membership[];
  /** The groups that the person is in from the day on, each what it was merged into. */
  readonly wanted: ReadonlySet<GroupId>;
  /** The first day; `undefined`: today, but from the beginning for somebody who was never in a group. */
  readonly since: Day | undefined;
  readonly today: () => Day;
  /** What a group was merged into. */
  readonly resolve: (group: GroupId) => GroupId;
  readonly stampAfter: (before: Stamp | undefined) => Stamp;
  /** Memberships are stamped later than this one. */
  readonly removed: Stamp | undefined;
}

/**
 * The memberships that change when a person is in exactly these groups from a day on: others end on the day before, and later ones
 * are undone.
 */
export function changeMemberships({
  memberships,
  wanted,
  since,
  today,
  resolve,
  stampAfter,
  removed,
}: MembershipChange): readonly Membership[] {
  const standing = standingMemberships(memberships);
  if (standing.length === 0 && wanted.size === 0) return [];
  const first = since ?? (standing.length === 0 ? BEGINNING : today());
  const changed: Membership[] = [];
  const kept = new Set<GroupId>();
  const put = ({ stamp: before, ...membership }: Membership): void => {
    const isLater = removed !== undefined && compareStamps(removed, before) > 0;
    changed.push({ ...membership, stamp: stampAfter(isLater ? removed : before) });
  };
  for (const each of standing) {
    const group = resolve(each.group);
    const { until, ...open } = each;
    const isOpen = until === undefined;
    if (wanted.has(group) && !kept.has(group) && (covers(each, first) || until === first - 1)) {
      kept.add(group);
      if (!isOpen) put(open);
    } else if (each.since >= first) put({ ...open, isUndone: true });
    else if (covers(each, first)) put({ ...open, until: (first - 1) as Day });
  }
  for (const group of wanted) {
    if (kept.has(group)) continue;
    const former = memberships.find((each) => each.group === group && each.since === first);
    const stamp = former?.stamp ?? removed;
    if (stamp === undefined) changed.push({ group, since: first, stamp: stampAfter(undefined) });
    else put({ group, since: first, stamp });
  }
  return dedupe(changed);
}

/** Of two changes of one (group, first day), the later one: a membership that was undone and is wanted again. */
function dedupe(changed: readonly Membership[]): readonly Membership[] {
  return [...new Map(changed.map((each) => [`${each.since} ${each.group}`, each])).values()];
}

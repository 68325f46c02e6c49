import { GroupView, membershipsOf } from '../../people/group-view.js';
import { groupsOn } from '../../people/holders.js';
import type { PeopleDraft } from '../../people/people-draft.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { GroupId, Membership } from '../../values/people/group.js';
import type { Guest, Person, PersonId } from '../../values/people/person.js';
import { holdingsOf, presentEntry, standing, type Timeline } from '../../values/people/timeline.js';
import { isReservedTallyId, type TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import type { NamedHolding } from './tag-moves.js';

/** A tag that somebody holds now, or lost. */
interface PersonTag {
  readonly id: TallyId;
  /** Since when it is theirs, or lost. */
  readonly since: Timestamp;
  readonly isLost: boolean;
}

/** A person as shown in lists. */
export interface PersonSummary {
  readonly id: PersonId;
  readonly name?: Name | undefined;
  readonly number?: string | undefined;
  readonly from?: Day | undefined;
  readonly until?: Day | undefined;
  /** The tags that they hold now, and the lost ones that were theirs last; ascending. */
  readonly tags: readonly PersonTag[];
  /** The groups that they are in today, ascending. */
  readonly groups: readonly GroupId[];
  /** `undefined` for members. */
  readonly guest?: Guest | undefined;
  /** Whether places disagree on their name, or on the holder of one of these tags. */
  readonly isInDoubt: boolean;
  readonly aliases: readonly PersonId[];
}

/** A person with all tags that they ever held. */
export interface PersonDetail extends PersonSummary {
  readonly timelines: readonly { readonly tag: TallyId; readonly holdings: readonly NamedHolding[] }[];
  /** Those that count, ascending by the first day. Merged groups are resolved. */
  readonly memberships: readonly Membership[];
  readonly doubt?: Name | undefined;
}

/** `undefined` for a person who was removed, or never was, or is not in the view today. */
export function summaryOf(
  draft: PeopleDraft,
  root: PersonId,
  today: Day,
  view: GroupView = new GroupView(draft, undefined),
): PersonSummary | undefined {
  const person = draft.whole(root);
  if (person === undefined || !view.has(root, today)) return undefined;
  const timelines = timelinesOf(draft, person);
  const tags = timelines.flatMap((timeline) => tagOf(draft, root, timeline) ?? []);
  const name = person.name?.value;
  if (name === undefined && tags.every(({ isLost }) => isLost)) return undefined;
  const isTagInDoubt = timelines
    .filter(({ tag }) => tags.some(({ id }) => id === tag))
    .some((timeline) => holdingsOf(timeline).some(({ isInDoubt }) => isInDoubt));
  return {
    ...{ id: root, name, tags, isInDoubt: person.doubt !== undefined || isTagInDoubt },
    ...{ number: person.number?.value, from: person.from?.value, until: person.until?.value },
    ...{ groups: view.groups(groupsOn(membershipsOf(draft, person), today)), guest: person.guest?.value },
    aliases: draft.idsOf(root).slice(1),
  };
}

export function detailOf(
  draft: PeopleDraft,
  root: PersonId,
  today: Day,
  view: GroupView = new GroupView(draft, undefined),
): PersonDetail | undefined {
  const summary = summaryOf(draft, root, today, view);
  const person = draft.whole(root);
  if (summary === undefined || person === undefined) return undefined;
  const timelines = timelinesOf(draft, person).map((timeline) => ({
    tag: timeline.tag,
    holdings: namedHoldings(draft, timeline).filter(
      ({ person: holder }) => holder === undefined || view.has(holder, today),
    ),
  }));
  return {
    ...summary,
    timelines,
    memberships: view.memberships(membershipsOf(draft, person)),
    doubt: person.doubt,
  };
}

/** Without the tag of last resort, which nobody carries. */
function timelinesOf(draft: PeopleDraft, { tags }: Person): readonly Timeline[] {
  return tags.filter((tag) => !isReservedTallyId(tag)).map((tag) => draft.timeline(tag));
}

function tagOf(draft: PeopleDraft, root: PersonId, timeline: Timeline): PersonTag | undefined {
  const present = presentEntry(timeline);
  if (present === undefined) return undefined;
  const isLost = present.why === 'lost';
  const holder = isLost ? lastHolderOf(timeline) : present.holder;
  if (holder === undefined || draft.resolve(holder) !== root) return undefined;
  return { id: timeline.tag, since: present.since, isLost };
}

/** Who held a tag last, before it was lost. */
function lastHolderOf(timeline: Timeline): PersonId | undefined {
  return standing(timeline).findLast(({ holder }) => holder !== undefined)?.holder;
}

export function namedHoldings(draft: PeopleDraft, timeline: Timeline): readonly NamedHolding[] {
  return holdingsOf(timeline).map(({ holder, ...holding }) => {
    if (holder === undefined) return holding;
    const person = draft.resolve(holder);
    return { ...holding, person, name: draft.whole(person)?.name?.value };
  });
}

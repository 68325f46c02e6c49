import type { PersonId } from '../values/people/person.js';
import {
  entryAt,
  presentEntry,
  standing,
  type Timeline,
  type TimelineEntry,
} from '../values/people/timeline.js';
import { isReservedTallyId, type TallyId } from '../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../values/timestamp.js';
import { existingPerson } from './existing-person.js';
import type { Moment } from './moment.js';
import { conflict, reserved } from './people-errors.js';
import type { PeopleDraft } from './people-draft.js';
import { putEntry, undoEntry } from './tag-entries.js';

/** Something that happens to a tag. */
export type TagAct =
  /** It is given, or handed on, to a person: theirs from then on. */
  | { readonly act: 'give'; readonly person: PersonId; readonly since?: Timestamp }
  /** It is lost: from then on its taps count for nobody. */
  | { readonly act: 'lost'; readonly since?: Timestamp }
  /** Its holder gave it back. */
  | { readonly act: 'returned'; readonly since?: Timestamp }
  /** A lost tag is its holder's again. */
  | { readonly act: 'found'; readonly since?: Timestamp }
  /** It was this person's all along: in place of the entry of that second, or of the present one. */
  | { readonly act: 'all-along'; readonly person: PersonId; readonly since?: Timestamp }
  /** The entry of that second, or the present one, was a mistake. */
  | { readonly act: 'undo'; readonly since?: Timestamp };

/** A timeline before and after an act. */
export interface TagChange {
  readonly before: Timeline;
  readonly after: Timeline;
}

/** A tag of the house that somebody is lent. */
export interface LentBadge {
  readonly tag: TallyId;
  /** Default: now. */
  readonly since?: Timestamp | undefined;
}

/** See `PeopleService.act`. */
export function actOnTag(
  draft: PeopleDraft,
  moment: Moment,
  { tag, act }: { readonly tag: TallyId; readonly act: TagAct },
): TagChange {
  const before = draft.timeline(tag);
  if (isReservedTallyId(tag)) throw reserved(tag);
  const present = presentEntry(before);
  if (act.act === 'undo')
    undoEntry(draft, moment, { timeline: before, entry: entryOf(before, act.since ?? present?.since) });
  else putEntry(draft, moment, { tag, ...entryOfAct(draft, moment, { timeline: before, act }) });
  markUntagged(draft, present?.holder);
  return { before, after: draft.timeline(tag) };
}

/** The entry that an act puts. */
function entryOfAct(
  draft: PeopleDraft,
  moment: Moment,
  { timeline, act }: { readonly timeline: Timeline; readonly act: Exclude<TagAct, { readonly act: 'undo' }> },
): Pick<TimelineEntry, 'since' | 'holder' | 'why'> {
  const present = presentEntry(timeline);
  switch (act.act) {
    case 'give': {
      const holder = existingPerson(draft, act.person).id;
      // What was recorded of a badge before is not that of a guest, who is erased with it.
      const isGuest = draft.whole(holder)?.guest?.value !== undefined;
      const isFirst = standing(timeline).length === 0 && !isGuest;
      return { since: moment.since(act.since ?? (isFirst ? BEGINNING : undefined)), holder, why: 'given' };
    }
    case 'lost':
    case 'returned': {
      // The tap that gives it back is still the holder's, and may be answered in its own second.
      const since = moment.since(act.since, act.act === 'returned' ? 1 : 0);
      if (entryAt(timeline, since)?.holder === undefined) throw conflict('nobody holds this tag then');
      return { since, why: act.act };
    }
    case 'found': {
      if (present?.why !== 'lost') throw conflict('this tag is not lost');
      const holder = standing(timeline).findLast((entry) => entry.holder !== undefined)?.holder;
      if (holder === undefined) throw conflict('nobody held this tag before');
      const since = moment.since(act.since);
      if (since < present.since) throw conflict('this tag was not lost then');
      return { since, holder, why: 'given' };
    }
    case 'all-along': {
      const holder = existingPerson(draft, act.person).id;
      const since = moment.since(act.since ?? present?.since ?? BEGINNING);
      if (act.since !== undefined) entryOf(timeline, act.since);
      return { since, holder, why: 'given' };
    }
  }
}

function entryOf(timeline: Timeline, since: Timestamp | undefined): TimelineEntry {
  const entry = standing(timeline).find((each) => each.since === since);
  if (entry === undefined) throw conflict('nothing happened to this tag in that second');
  return entry;
}

/** Lends a badge that nobody has to a person. */
export function lendBadge(
  draft: PeopleDraft,
  moment: Moment,
  { tag, since, holder }: LentBadge & { readonly holder: PersonId },
): void {
  if (isReservedTallyId(tag)) throw reserved(tag);
  const present = presentEntry(draft.timeline(tag));
  if (present?.holder !== undefined) throw conflict('somebody has this badge');
  if (present?.why === 'lost') throw conflict('this badge is lost');
  const from = moment.since(since);
  if (present !== undefined && from < present.since) throw conflict('somebody else had this badge then');
  putEntry(draft, moment, { tag, since: from, holder, why: 'given' });
}

/** Who is left without a tag is in the mapping with that of last resort from now on. */
export function markUntagged(draft: PeopleDraft, holder: PersonId | undefined): void {
  const root = holder && draft.resolve(holder);
  if (root === undefined || draft.heldBy(root).length > 0) return;
  const person = draft.person(root);
  if (person !== undefined && draft.whole(root)?.name?.value !== undefined)
    draft.putPerson({ ...person, isUntagged: true });
}

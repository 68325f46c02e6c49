import type { PersonId } from './person.js';
import { compareStamps, NO_STAMP, type Stamp } from '../stamp.js';
import type { TallyId } from '../tally-id.js';
import { BEGINNING, type Timestamp } from '../timestamp.js';

/**
 * Why a tag has this holder, or nobody, from then on: `given` to a person; `returned`, `lost`; `removed`: its name was taken away, or
 * its holder erased.
 */
export const timelineReasons = ['given', 'returned', 'lost', 'removed'] as const;
type TimelineReason = (typeof timelineReasons)[number];

/** From `since` on, until the next entry, a tag has this holder. There is one entry for each tag and second. */
export interface TimelineEntry {
  /** Included. 0: from the beginning. */
  readonly since: Timestamp;
  /** `undefined`: nobody. */
  readonly holder?: PersonId;
  readonly why: TimelineReason;
  readonly stamp: Stamp;
  /** The stamp of the entry of this second in whose place it was put: whoever put it knew that one. */
  readonly over?: Stamp;
  /** The holder that the tag was taken from; absent if nobody had it. */
  readonly after?: PersonId;
  /** Another holder whom a merge replaced in this second, until somebody decides. Not sent to other places. */
  readonly doubt?: PersonId;
  /** The entry was a mistake: it says nothing, and names nobody. It stays, so that it does not come back. */
  readonly isUndone?: true;
}

/** Who held a tag since when. */
export interface Timeline {
  readonly tag: TallyId;
  /** Ascending by `since`. */
  readonly entries: readonly TimelineEntry[];
}

/** A holder of a tag, or nobody, with the seconds. */
export interface Holding {
  readonly holder: PersonId | undefined;
  readonly why: TimelineReason;
  readonly since: Timestamp;
  /** The last second, included; `undefined`: until now. */
  readonly until: Timestamp | undefined;
  /** Whether a merge left it open who held the tag: see {@link isInDoubt}. */
  readonly isInDoubt: boolean;
}

/** The entry of the person whom the first name of a tag made: nobody gave it to them. */
export function fromTheBeginning(holder: PersonId): TimelineEntry {
  return { since: BEGINNING, holder, why: 'given', stamp: NO_STAMP };
}

/** A timeline in parts of at most so many entries: merging them one after another is merging it. */
export function partsOfTimeline({ tag, entries }: Timeline, most: number): readonly Timeline[] {
  const parts = Array.from({ length: Math.max(1, Math.ceil(entries.length / most)) });
  return parts.map((_, index) => ({ tag, entries: entries.slice(index * most, (index + 1) * most) }));
}

/** The entries that count. */
export function standing({ entries }: Pick<Timeline, 'entries'>): readonly TimelineEntry[] {
  return entries.filter(({ isUndone }) => isUndone !== true);
}

/** Who holds the tag, or held it. */
export function holdersIn(timeline: Timeline | undefined): ReadonlySet<PersonId> {
  return new Set(timeline === undefined ? [] : standing(timeline).flatMap(({ holder }) => holder ?? []));
}

/** The entry that holds at a moment; `undefined` before the first one. */
export function entryAt(timeline: Pick<Timeline, 'entries'>, at: Timestamp): TimelineEntry | undefined {
  return standing(timeline).findLast(({ since }) => since <= at);
}

/** The present entry. No entry is in the future. */
export function presentEntry(timeline: Pick<Timeline, 'entries'>): TimelineEntry | undefined {
  return standing(timeline).at(-1);
}

/** The holdings in the order of time. The time before the first entry has none. */
export function holdingsOf(timeline: Timeline): readonly Holding[] {
  const entries = standing(timeline);
  return entries.map((entry, index) => {
    const next = entries[index + 1];
    return {
      holder: entry.holder,
      why: entry.why,
      since: entry.since,
      until: next === undefined ? undefined : ((next.since - 1) as Timestamp),
      isInDoubt: isInDoubt(entry, entries[index - 1]),
    };
  });
}

/** Whether a merge put another holder before this entry than the one it was taken from, or replaced another holder at its second. */
function isInDoubt(entry: TimelineEntry, before: TimelineEntry | undefined): boolean {
  return entry.doubt !== undefined || (entry.since > BEGINNING && before?.holder !== entry.after);
}

/** Merges two timelines of a tag: each second by its stamp. Idempotent; all places agree on it, but for the doubts. */
export function mergeTimelines(here: Timeline | undefined, other: Timeline): Timeline {
  const bySecond = new Map<Timestamp, TimelineEntry>();
  for (const entry of here?.entries ?? []) bySecond.set(entry.since, entry);
  for (const entry of other.entries) {
    const present = bySecond.get(entry.since);
    bySecond.set(entry.since, present === undefined ? entry : laterEntry(present, entry));
  }
  const entries = [...bySecond.values()].sort((a, b) => a.since - b.since);
  return { tag: other.tag, entries };
}

function laterEntry(one: TimelineEntry, other: TimelineEntry): TimelineEntry {
  const order = compareStamps(one.stamp, other.stamp) || compareTwins(one, other);
  const [later, earlier] = order > 0 ? [one, other] : [other, one];
  // One change, before and after an erasure; or a tag from the beginning, which nobody gave.
  if (compareStamps(one.stamp, other.stamp) === 0) return later;
  const isAnother =
    earlier.holder !== undefined && later.holder !== undefined && earlier.holder !== later.holder;
  const isUnseen = later.over === undefined || compareStamps(earlier.stamp, later.over) > 0;
  return isAnother && isUnseen && later.doubt === undefined ? { ...later, doubt: earlier.holder } : later;
}

/** Of equal stamps, the one that names fewer persons: they were erased, or it was moved to another second. */
function compareTwins(one: TimelineEntry, other: TimelineEntry): number {
  for (const named of ['holder', 'after'] as const)
    if ((one[named] === undefined) !== (other[named] === undefined)) return one[named] === undefined ? 1 : -1;
  return textOf(one) >= textOf(other) ? 1 : -1;
}

function textOf({ holder, why, isUndone, after }: TimelineEntry): string {
  return `${holder ?? ''} ${why} ${isUndone === true} ${after ?? ''}`;
}

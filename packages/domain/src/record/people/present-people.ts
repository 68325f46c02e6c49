import { GroupView, membershipsOf, ownerAt } from '../../people/group-view.js';
import type { TagOwner } from '../../people/holders.js';
import { groupsOn } from '../../people/holders.js';
import { readPeople } from '../../people/change-people.js';
import type { PeopleDraft } from '../../people/people-draft.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { GroupId } from '../../values/people/group.js';
import type { PersonId } from '../../values/people/person.js';
import { standing } from '../../values/people/timeline.js';
import type { Entry } from '../../values/record/attendance-day.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { countingScans } from '../corrections/correct-day.js';
import type { CorrectionStore } from '../ports/correction-store.js';
import { divide, type HeldEntry } from '../ranges/held-days.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { Pause } from '../turns.js';

/** Entries whose persons are read at a time. The rows of a day with 300,000 tags would not fit in memory. */
const ENTRIES_AT_ONCE = 5_000;

/** Which persons are wanted. */
export interface PeopleChoice {
  readonly group?: GroupId | undefined;
  readonly within?: readonly GroupId[] | undefined;
}

/** Somebody who was there on a day, with all their tags together. */
export interface PresentPerson {
  readonly person: PersonId;
  readonly name: Name | undefined;
  /** The groups that they are in on that day, ascending. */
  readonly groups: readonly GroupId[];
  readonly isGuest: boolean;
  /** The tags with which they were there, in the order of the first scan. */
  readonly ids: readonly TallyId[];
  readonly first: Timestamp;
  readonly last: Timestamp;
  readonly scans: number;
}

interface PresentParts {
  readonly people: PeopleStore;
  readonly days: Pick<DayStore, 'scans'>;
  /** Absent if nothing is corrected. */
  readonly corrections?: Pick<CorrectionStore, 'list'>;
  /** Lets other work run. */
  readonly pause: Pause;
  /** Largest number of persons on a day for which there is memory. */
  readonly maxTags: number;
}

/**
 * Who was there, of the entries of a day, in the order of the first scan. Reads only the persons and tags of these entries. Of
 * a day with more than {@link ENTRIES_AT_ONCE} entries, a change in the meantime may be seen in a part of them.
 *
 * @throws {TallybookError} `NOT_ENOUGH_MEMORY` if there are too many.
 * @param wanted `group`: only those who are in this group on that day. `within`: only those, and the groups, that somebody sees who
 * is bound to these groups.
 */
export async function presentPeople(
  parts: PresentParts,
  { day, entries }: EntriesOfDay,
  wanted: PeopleChoice = {},
): Promise<readonly PresentPerson[]> {
  const present = new Map<PersonId, PresentPerson>();
  for await (const some of inParts(entries, parts.pause)) {
    for (const each of await presentAmong(parts, { day, entries: some }, wanted)) {
      const known = present.get(each.person);
      present.set(each.person, known === undefined ? each : joined(known, each));
    }
    requireHeapFor(`day ${day}`, present.size, parts.maxTags);
  }
  return [...present.values()].sort((a, b) => a.first - b.first);
}

interface EntriesOfDay {
  readonly day: Day;
  readonly entries: readonly Entry[];
}

async function* inParts(
  entries: readonly Entry[],
  pause: Pause,
): AsyncGenerator<readonly Entry[], void, undefined> {
  for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE) {
    if (start > 0) await pause();
    yield entries.slice(start, start + ENTRIES_AT_ONCE);
  }
}

/** Somebody with two tags, of which each is in another part. */
function joined(one: PresentPerson, other: PresentPerson): PresentPerson {
  const [earlier, later] = one.first <= other.first ? [one, other] : [other, one];
  return {
    ...earlier,
    ids: [...earlier.ids, ...later.ids],
    last: earlier.last >= later.last ? earlier.last : later.last,
    scans: sumOfCounts([one.scans, other.scans]),
  };
}

async function presentAmong(
  { people, days, corrections }: PresentParts,
  { day, entries }: EntriesOfDay,
  { group, within }: PeopleChoice,
): Promise<readonly PresentPerson[]> {
  const scans = new Map<TallyId, readonly Timestamp[]>();
  const decide = (draft: PeopleDraft): Decided => {
    // Nearly never: so nothing is read once more for it.
    const handedOn = entries.filter((entry) => !scans.has(entry.id) && isHandedOn(draft, entry));
    if (handedOn.length > 0) return { handedOn };
    const holderOf = (tag: TallyId, at: Timestamp): TagOwner => ownerAt(draft, tag, at);
    const byPerson = new Map<PersonId, HeldEntry[]>();
    for (const entry of entries) {
      const known = scans.get(entry.id);
      const parts =
        known === undefined
          ? [{ ...entry, ...holderOf(entry.id, entry.first) }]
          : divide(entry, known, { holderOf });
      for (const part of parts) {
        if (part.person === undefined) continue;
        const its = byPerson.get(part.person) ?? [];
        its.push(part);
        byPerson.set(part.person, its);
      }
    }
    const view = new GroupView(draft, within);
    const root = group === undefined ? undefined : draft.resolveGroup(group);
    const present = [...byPerson]
      .filter(([person]) => view.has(person, day))
      .map(([person, its]) => presentOf(draft, day, person, its))
      .filter(({ groups }) => root === undefined || groups.includes(root))
      .map((each) => ({ ...each, groups: view.groups(each.groups) }));
    return { present };
  };
  for (;;) {
    const { present, handedOn = [] } = await readPeople(people, decide);
    if (present !== undefined) return present;
    const corrected = (await corrections?.list(day, day)) ?? [];
    for (const { id } of handedOn) {
      const its = corrected.filter((each) => each.id === id);
      scans.set(id, countingScans(await days.scans(day, id), its));
    }
  }
}

/** Who was there; or the entries whose scans must be read for that, because their tags were handed on that day. */
interface Decided {
  readonly present?: readonly PresentPerson[];
  readonly handedOn?: readonly Entry[];
}

/** Those entries that are all of one holder who is in one of these groups on the day. */
export async function entriesWithin(
  { people, pause }: Pick<PresentParts, 'people' | 'pause'>,
  { day, entries }: EntriesOfDay,
  within: readonly GroupId[],
): Promise<readonly Entry[]> {
  const seen: Entry[] = [];
  for await (const some of inParts(entries, pause)) {
    const its = await readPeople(people, (draft) => {
      const view = new GroupView(draft, within);
      return some.filter(
        (entry) => !isHandedOn(draft, entry) && view.hasScan({ id: entry.id, at: entry.first, day }),
      );
    });
    for (const each of its) seen.push(each);
  }
  return seen;
}

function isHandedOn(draft: PeopleDraft, { id, first, last }: Entry): boolean {
  return first < last && standing(draft.timeline(id)).some(({ since }) => since > first && since <= last);
}

function presentOf(
  draft: PeopleDraft,
  day: Day,
  person: PersonId,
  entries: readonly HeldEntry[],
): PresentPerson {
  const whole = draft.whole(person);
  const parts = [...entries].sort((a, b) => a.first - b.first);
  return {
    ...{ person, name: whole?.name?.value, isGuest: whole?.guest?.value !== undefined },
    groups: groupsOn(membershipsOf(draft, whole ?? {}), day),
    ids: parts.map(({ id }) => id),
    first: Math.min(...parts.map(({ first }) => first)) as Timestamp,
    last: Math.max(...parts.map(({ last }) => last)) as Timestamp,
    scans: sumOfCounts(parts.map(({ count }) => count)),
  };
}

function sumOfCounts(counts: readonly number[]): number {
  return counts.reduce((sum, count) => Math.min(sum + count, Number.MAX_SAFE_INTEGER), 0);
}

import { mergePeople, type PeopleItem } from '../../people/merge-people.js';
import { personPages, timelinePages } from '../../people/people-pages.js';
import type { Person } from '../../values/people/person.js';
import {
  plainGroup,
  plainPerson,
  plainTimeline,
  toGroup,
  toPerson,
  toTimeline,
} from '../../values/people/plain-people.js';
import type { Timeline } from '../../values/people/timeline.js';
import type { PeopleKeys, PeopleStore } from '../../ports/people/people-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import { withoutErased } from '../../record/erased-people.js';
import type { Change } from '../../values/record/change.js';
import type { StampedName } from '../../values/stamp.js';
import type { Group } from '../../values/people/group.js';
import type { GroupItem, PersonItem, TagItem } from '../values/sync.js';

/** Entries of a timeline in an item: at most about 100 KiB. */
const ENTRIES_OF_ITEM = 500;

/** Items of the rows of a store of persons. */
export type RowItem = PersonItem | TagItem | GroupItem;

export function toPersonItem(person: Person): PersonItem {
  return { kind: 'person', person: plainPerson(person, false) };
}

/** A timeline, in parts: merging them one after another is merging it. */
function toTagItems({ tag, entries }: Timeline): readonly TagItem[] {
  const items: TagItem[] = [];
  for (let start = 0; start === 0 || start < entries.length; start += ENTRIES_OF_ITEM) {
    const part = { tag, entries: entries.slice(start, start + ENTRIES_OF_ITEM) };
    items.push({ kind: 'tag', timeline: plainTimeline(part, false) });
  }
  return items;
}

export function toPeopleName(name: StampedName): PeopleItem {
  return { kind: 'name', name };
}

export function toPeopleItem(item: RowItem): PeopleItem {
  switch (item.kind) {
    case 'person':
      return { kind: 'person', person: toPerson(item.person) };
    case 'tag':
      return { kind: 'tag', timeline: toTimeline(item.timeline) };
    case 'group':
      return { kind: 'group', group: toGroup(item.group) };
  }
}

function toGroupItem(group: Group): GroupItem {
  return { kind: 'group', group: plainGroup(group) };
}

/** The key of the row that a change is about. */
export function rowKeysOf(
  change: Extract<Change, { readonly kind: 'person' | 'tag' | 'group' }>,
): PeopleKeys {
  switch (change.kind) {
    case 'person':
      return { persons: [change.person] };
    case 'tag':
      return { timelines: [change.id] };
    case 'group':
      return { groups: [change.group] };
  }
}

/** The rows of changed persons, tags and groups, as they are now. Those that are gone were erased. */
export async function peopleItemsOf(
  people: PeopleStore | undefined,
  keys: PeopleKeys,
): Promise<readonly RowItem[]> {
  if (people === undefined) return [];
  const rows = await people.read(keys);
  return [
    ...[...rows.groups.values()].flatMap((group) => (group === undefined ? [] : [toGroupItem(group)])),
    ...[...rows.persons.values()].flatMap((person) => (person === undefined ? [] : [toPersonItem(person)])),
    ...[...rows.timelines.values()].flatMap((timeline) =>
      timeline === undefined ? [] : toTagItems(timeline),
    ),
  ];
}

/** All groups, persons and timelines. */
export async function* allPeopleItems(
  people: PeopleStore | undefined,
): AsyncGenerator<RowItem, void, undefined> {
  if (people === undefined) return;
  yield* (await people.groups()).map(toGroupItem);
  for await (const page of personPages(people)) yield* page.map(toPersonItem);
  for await (const page of timelinePages(people)) yield* page.flatMap(toTagItems);
}

/**
 * Merges items of another place that may be merged. Rejects as the store does.
 *
 * @param isNoted See `mergePeople`.
 */
export async function mergePeopleItems(
  items: readonly PeopleItem[],
  {
    people,
    erasures,
    isNoted,
  }: { readonly people: PeopleStore; readonly erasures: Refusals; readonly isNoted: boolean },
): Promise<void> {
  if (items.length === 0) return;
  await mergePeople(people, items, {
    isNoted,
    sift: (item, isNamed) => withoutErased(item, { people, erasures }, isNamed),
  });
}

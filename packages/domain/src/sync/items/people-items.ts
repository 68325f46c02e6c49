import { mergePeople, type PeopleItem } from '../../people/merge-people.js';
import { carriedPages, personPages, timelinePages } from '../../people/people-pages.js';
import { plainCarried, toCarried, type CarriedRow } from '../../values/people/carried-row.js';
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
import type { CarriedItem, GroupItem, PersonItem, TagItem } from '../values/sync.js';

/** Entries of a timeline in an item: at most about 100 KiB. */
const ENTRIES_OF_ITEM = 500;

/** Items of the rows of a store of persons. */
export type RowItem = PersonItem | TagItem | GroupItem | CarriedItem;

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
    case 'carried':
      return { kind: 'carried', row: toCarried(item.row) };
  }
}

function toGroupItem(group: Group): GroupItem {
  return { kind: 'group', group: plainGroup(group) };
}

function toCarriedItem(row: CarriedRow): CarriedItem {
  return { kind: 'carried', row: plainCarried(row) };
}

type RowChange = Extract<Change, { readonly kind: 'person' | 'tag' | 'group' | 'carried' }>;

/** Whether a change is about a row of the store of persons. */
export function isOfRow(change: Change): change is RowChange {
  return ['person', 'tag', 'group', 'carried'].includes(change.kind);
}

/** The key of the row that a change is about; none for a change that this version does not know. */
export function rowKeysOf(change: RowChange): PeopleKeys {
  switch (change.kind) {
    case 'person':
      return { persons: [change.person] };
    case 'tag':
      return { timelines: [change.id] };
    case 'group':
      return { groups: [change.group] };
    case 'carried':
      return change.row === undefined ? {} : { carried: [change.row] };
  }
}

/** The rows of changed persons, tags and groups, and carried rows, as they are now. Those that are gone were erased. */
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
    ...[...rows.carried.values()].flatMap((row) => (row === undefined ? [] : [toCarriedItem(row)])),
  ];
}

/** All groups, persons, timelines and carried rows. */
export async function* allPeopleItems(
  people: PeopleStore | undefined,
): AsyncGenerator<RowItem, void, undefined> {
  if (people === undefined) return;
  yield* (await people.groups()).map(toGroupItem);
  for await (const page of personPages(people)) yield* page.map(toPersonItem);
  for await (const page of timelinePages(people)) yield* page.flatMap(toTagItems);
  for await (const page of carriedPages(people)) yield* page.map(toCarriedItem);
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

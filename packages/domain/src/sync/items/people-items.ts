import { mergePeople, type PeopleItem, type PeopleRow } from '../../people/merge-people.js';
import { peopleRowPages } from '../../people/people-pages.js';
import { plainCarried, toCarried } from '../../values/people/carried-row.js';
import {
  plainGroup,
  plainPerson,
  plainTimeline,
  toGroup,
  toPerson,
  toTimeline,
} from '../../values/people/plain-people.js';
import { partsOfTimeline } from '../../values/people/timeline.js';
import type { PeopleKeys, PeopleStore } from '../../ports/people/people-store.js';
import type { Refusals } from '../../ports/record/refusals.js';
import { withoutErased } from '../../record/erased-people.js';
import type { Change } from '../../values/record/change.js';
import type { StampedName } from '../../values/stamp.js';
import type { CarriedItem, GroupItem, PersonItem, TagItem } from '../values/sync.js';

/** Entries of a timeline in an item: at most about 100 KiB. */
const ENTRIES_OF_ITEM = 500;

/** Items of the rows of a store of persons. */
export type RowItem = PersonItem | TagItem | GroupItem | CarriedItem;

export function toRowItem(row: PeopleRow): RowItem {
  switch (row.kind) {
    case 'person':
      return { kind: 'person', person: plainPerson(row.person, false) };
    case 'tag':
      return { kind: 'tag', timeline: plainTimeline(row.timeline, false) };
    case 'group':
      return { kind: 'group', group: plainGroup(row.group) };
    case 'carried':
      return { kind: 'carried', row: plainCarried(row.row) };
  }
}

/** The items of a row: a long timeline comes in parts. */
function toRowItems(row: PeopleRow): readonly RowItem[] {
  if (row.kind !== 'tag') return [toRowItem(row)];
  return partsOfTimeline(row.timeline, ENTRIES_OF_ITEM).map((timeline) =>
    toRowItem({ kind: 'tag', timeline }),
  );
}

export function toPeopleName(name: StampedName): PeopleItem {
  return { kind: 'name', name };
}

export function toPeopleItem(item: RowItem): PeopleRow {
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
  const { groups, persons, timelines, carried } = await people.read(keys);
  const rows: readonly PeopleRow[] = [
    ...present(groups).map((group) => ({ kind: 'group', group }) as const),
    ...present(persons).map((person) => ({ kind: 'person', person }) as const),
    ...present(timelines).map((timeline) => ({ kind: 'tag', timeline }) as const),
    ...present(carried).map((row) => ({ kind: 'carried', row }) as const),
  ];
  return rows.flatMap(toRowItems);
}

function present<Row>(rows: ReadonlyMap<unknown, Row | undefined>): readonly Row[] {
  return [...rows.values()].filter((row) => row !== undefined);
}

/** All groups, persons, timelines and carried rows. */
export async function* allPeopleItems(
  people: PeopleStore | undefined,
): AsyncGenerator<RowItem, void, undefined> {
  if (people === undefined) return;
  for await (const page of peopleRowPages(people)) yield* page.flatMap(toRowItems);
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

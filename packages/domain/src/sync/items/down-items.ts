import type { CorrectionStore } from '../../record/ports/correction-store.js';
import type { ErasureStore } from '../../record/ports/erasure-store.js';
import type { JournalEntry } from '../../ports/record/journal.js';
import type { StampedNames } from '../ports/stamped-names.js';
import type { Change } from '../../values/record/change.js';
import { DAY_MAX, type Day } from '../../values/day.js';
import type { Correction } from '../../values/record/correction.js';
import { plainErasure, type Erasure } from '../../record/values/erasure.js';
import type { PeopleStore } from '../../ports/people/people-store.js';
import type { DownItem, ErasureItem } from '../values/sync.js';
import type { TallyId } from '../../values/tally-id.js';
import { pagesOf } from '../../people/people-pages.js';
import { tagsOfPersons } from '../../people/tags-of-persons.js';
import { allPeopleItems, isOfRow, peopleItemsOf, rowKeysOf } from './people-items.js';
import { toNameItem } from './name-items.js';
import { soundCorrections, soundOr } from './sound-rows.js';

export interface DownDependencies {
  readonly stamped: StampedNames;
  readonly people?: PeopleStore | undefined;
  readonly corrections: CorrectionStore;
  readonly erasures: Pick<ErasureStore, 'list'>;
}

/** Whether a change is sent to stations. Scans are not sent: each station has its own. */
export function concernsStations(change: Change): boolean {
  switch (change.kind) {
    case 'name':
    case 'person':
    case 'tag':
    case 'group':
    case 'carried':
    case 'correction':
    case 'erased':
    case 'repaired':
      return true;
    case 'day':
      return change.action === 'removed';
    case 'scan':
    case 'provisional':
      return false;
  }
}

/** Makes items for stations from changes, with the present data: each name once, without removed or damaged data. */
export async function downItemsOf(
  entries: readonly JournalEntry[],
  { stamped, people, corrections, erasures }: DownDependencies,
): Promise<readonly DownItem[]> {
  const ids = new Set<TallyId>();
  for (const { change } of entries) if (change.kind === 'name') ids.add(change.id);
  const names = new Map((await stamped.get([...ids])).map((name) => [name.id, name]));
  // After the names: a tag may get a holder, and the holder's name, in between.
  const ofPersons = await tagsOfPersons(people, [...ids]);
  const hasErased = entries.some(({ change }) => change.kind === 'erased');
  const erased = hasErased ? await erasures.list() : [];
  // Each day is read once, however many of its corrections have changed.
  const lists = new Map<Day, readonly Correction[]>();
  const told = new Set<string>();
  const items: DownItem[] = [];
  for (const { change } of entries) {
    if (change.kind === 'name') {
      const name = names.get(change.id);
      if (name !== undefined && !ofPersons.has(name.id)) items.push(toNameItem(name));
      names.delete(change.id);
    } else if (isOfRow(change)) {
      const key = JSON.stringify(rowKeysOf(change));
      if (told.has(key)) continue;
      told.add(key);
      items.push(...(await peopleItemsOf(people, rowKeysOf(change))));
    } else if (change.kind === 'correction') {
      const { day, number } = change;
      const ofDay = lists.get(day) ?? (await soundOr(() => corrections.list(day, day))) ?? [];
      lists.set(day, ofDay);
      const correction = ofDay.find((each) => each.number === number);
      if (correction !== undefined) items.push({ kind: 'correction', correction });
    } else if (change.kind === 'erased') {
      items.push(...erased.filter(({ digest }) => digest === change.digest).map(toErasureItem));
    } else if (change.kind === 'day' && change.action === 'removed') {
      items.push({ kind: 'day', day: change.day });
    }
  }
  return items;
}

/** Makes items for stations from the whole record, without damaged data. */
export async function* allDownItems({
  stamped,
  people,
  corrections,
  erasures,
}: DownDependencies): AsyncGenerator<Exclude<DownItem, { readonly kind: 'day' }>, void, undefined> {
  for (const erasure of await erasures.list()) yield toErasureItem(erasure);
  yield* allPeopleItems(people);
  const read: StampedNames['page'] = (after, limit) => stamped.page(after, limit);
  for await (const page of pagesOf(read, ({ id }) => id)) {
    const ids = page.map(({ id }) => id);
    const ofPersons = await tagsOfPersons(people, ids);
    yield* page.filter(({ id }) => !ofPersons.has(id)).map(toNameItem);
  }
  for (const correction of await soundCorrections(corrections, 0 as Day, DAY_MAX))
    yield { kind: 'correction', correction };
}

export function toErasureItem(erasure: Erasure): ErasureItem {
  return { kind: 'erasure', erasure: plainErasure(erasure) };
}

import type { Erasure } from '../../../record/values/erasure.js';
import { eitherOf, type GuestLimit } from '../../../record/guest-limit.js';
import { withMembers } from '../../../with-members.js';
import type { NameItem, RefusedItem, SyncItem } from '../../values/sync.js';
import { lookUpTags } from '../../items/look-up-tags.js';
import { mergeCorrections } from './merge-corrections.js';
import { mergeErasures } from './merge-erasures.js';
import { mergeNames } from './merge-names.js';
import { mergePersons } from './merge-persons.js';
import { pastGuestsOf } from './past-guests.js';
import { mergeEntries, mergeScans } from './merge-scans.js';
import { Refusals, type MergeDependencies, type MergeTerms, type Merging, type Of } from './merging.js';

/** Result of merging a batch. */
export interface Merged {
  readonly refused: readonly RefusedItem[];
  readonly superseded: readonly NameItem[];
  readonly erasures: readonly Erasure[];
}

/**
 * Merges a batch of a station into the record. Merging it again changes nothing, and the order of the stations does not
 * matter: scans are a set, the latest name of a tag counts, corrections are decided once, and an erasure wins.
 *
 * With `isRepairable`, an item for a damaged row is refused, and the others are merged. For all other errors, it rejects as
 * the stores do: then a part may be merged, and the station sends the batch again.
 */
export async function mergeBatch(
  items: readonly SyncItem[],
  stores: MergeDependencies,
  terms: MergeTerms,
): Promise<Merged> {
  const parts = await withoutPastGuests(items, stores, terms.guests);
  const refusals = new Refusals(parts, terms);
  const merging: Merging = { parts, terms, refusals };
  await mergeErasures(itemsOf(items, 'erasure'), merging);
  // Before the scans: they may be of a holder after an erased one.
  await mergePersons(
    [
      ...itemsOf(items, 'group'),
      ...itemsOf(items, 'person'),
      ...itemsOf(items, 'tag'),
      ...itemsOf(items, 'carried'),
    ],
    merging,
  );
  await lookUpTags(items, parts);
  await mergeScans(itemsOf(items, 'scan'), merging);
  // After the scans: the counts of entries include them.
  for (const item of itemsOf(items, 'entries')) await mergeEntries(item, merging);
  const superseded = await mergeNames(itemsOf(items, 'name'), merging);
  await mergeCorrections(itemsOf(items, 'correction'), merging);
  return { refused: refusals.items, superseded, erasures: refusals.erasures };
}

async function withoutPastGuests(
  items: readonly SyncItem[],
  stores: MergeDependencies,
  limit: GuestLimit | undefined,
): Promise<MergeDependencies> {
  const { people, erasures } = stores;
  if (limit === undefined || people === undefined) return stores;
  const past = await pastGuestsOf(items, people, limit);
  return { ...stores, erasures: withMembers(erasures, eitherOf(erasures, past)) };
}

function itemsOf<K extends SyncItem['kind']>(items: readonly SyncItem[], kind: K): readonly Of<K>[] {
  return items.filter((item): item is Of<K> => item.kind === kind);
}

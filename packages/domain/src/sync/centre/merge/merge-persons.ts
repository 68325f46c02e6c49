import { mergePeopleItems, toPeopleItem } from '../../items/people-items.js';
import type { Merging, Of } from './merging.js';

/** Merges persons and timelines by their stamps. Those of erased persons are left out: the erasure is sent to the station. */
export async function mergePersons(
  items: readonly (Of<'person'> | Of<'tag'>)[],
  { parts: { people, erasures }, refusals }: Merging,
): Promise<void> {
  if (items.length === 0) return;
  if (people === undefined) {
    for (const { cursor } of items) refusals.refusePerson({ cursor });
    return;
  }
  await mergePeopleItems(items.map(toPeopleItem), { people, erasures, isNoted: true });
}

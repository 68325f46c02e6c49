import { SYNC_MAX_BYTES, SYNC_MAX_ITEMS } from '../values/sync.js';

/**
 * Maximum length of the items of a batch as JSON, in UTF-16 code units: each has at most three bytes in UTF-8, and the rest of
 * the batch needs some room.
 */
const MAX_LENGTH = Math.floor(SYNC_MAX_BYTES / 3) - 1_024;

/** Divides items into groups that each fit into a batch. There is at least one group, which may be empty. */
export async function* inGroups<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  let group: T[] = [];
  let length = 0;
  let hasGiven = false;
  for await (const item of items) {
    const itsLength = JSON.stringify(item).length + 1;
    if (group.length >= SYNC_MAX_ITEMS || (group.length > 0 && length + itsLength > MAX_LENGTH)) {
      yield group;
      hasGiven = true;
      [group, length] = [[], 0];
    }
    group.push(item);
    length += itsLength;
  }
  if (group.length > 0 || !hasGiven) yield group;
}

import type { Timestamp } from '../../values/timestamp.js';
import type { TallyId } from '../../values/tally-id.js';
import { requireHeapFor } from '../require-heap-for.js';
import type { HeldDay, HeldEntry } from './held-days.js';

/**
 * Gives a person a code: always the same one, and unrelated to the person. The order of the codes is unrelated to the order of
 * the persons.
 */
export type CodeOf = (person: string) => string;

/**
 * Times are rounded down to this many seconds, so that the second does not identify a person to somebody who saw them
 * come.
 */
const STEP_SECONDS = 900;

/**
 * Days without persons, and with codes in place of tags: all tags of a person have one code, and a tag that nobody held has one
 * of its own. Times are rounded down to a quarter of an hour.
 *
 * @param maxTags Largest number of tags on a day.
 */
export async function* pseudonymousDays(
  days: AsyncIterable<HeldDay>,
  codeOf: CodeOf,
  maxTags: number,
): AsyncGenerator<HeldDay, void, undefined> {
  for await (const { day, entries } of days) {
    requireHeapFor(`day ${day}`, entries.length, maxTags);
    const coded = entries.map(({ id, person, first, last, count }): HeldEntry => ({
      id: codeOf(person ?? `tag ${id}`) as TallyId,
      first: round(first),
      last: round(last),
      count,
    }));
    // Ordered by code where the times are the same: the order of the scans would tell more than the rounded times.
    coded.sort((a, b) => a.first - b.first || (a.id < b.id ? -1 : 1));
    yield { day, entries: coded };
  }
}

function round(at: Timestamp): Timestamp {
  return (at - (at % STEP_SECONDS)) as Timestamp;
}

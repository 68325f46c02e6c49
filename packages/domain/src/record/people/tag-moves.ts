import type { DayStore } from '../../ports/record/day-store.js';
import type { PersonId } from '../../values/people/person.js';
import type { Calendar } from '../../time/calendar.js';
import { DAY_MAX, type Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { TallyId } from '../../values/tally-id.js';
import type { Timestamp } from '../../values/timestamp.js';
import { unlessDamaged } from '../names/unnamed-tags.js';
import type { Pause } from '../turns.js';
import type { Holding } from '../../values/people/timeline.js';

/** Days of a span that are searched, the latest ones: ten years. */
const MOST_DAYS = 3_660;
const DAYS_OF_TURN = 50;

/** A holder of a tag with their name, or nobody. Merged persons are resolved. */
export interface NamedHolding extends Omit<Holding, 'holder'> {
  readonly person?: PersonId | undefined;
  readonly name?: Name | undefined;
}

/** A span of time whose holder becomes another one. */
export interface TagMove {
  readonly from: Timestamp;
  /** The last second, included; `undefined`: until now. */
  readonly until: Timestamp | undefined;
  /** `undefined`: nobody. */
  readonly before: MovedHolder | undefined;
  readonly after: MovedHolder | undefined;
}

interface MovedHolder {
  readonly person: PersonId;
  readonly name?: Name | undefined;
}

/** The spans whose holder differs between two timelines of a tag, ascending. */
export function movesBetween(
  before: readonly NamedHolding[],
  after: readonly NamedHolding[],
): readonly TagMove[] {
  const starts = new Set([0, ...before.map(({ since }) => since), ...after.map(({ since }) => since)]);
  const seconds = [...starts].sort((a, b) => a - b) as Timestamp[];
  const moves: TagMove[] = [];
  for (const [index, from] of seconds.entries()) {
    const next = seconds[index + 1];
    const [one, other] = [holderAt(before, from), holderAt(after, from)];
    if (one?.person === other?.person) continue;
    const until = next === undefined ? undefined : ((next - 1) as Timestamp);
    const last = moves.at(-1);
    const goesOn =
      last?.until === from - 1 && last.before?.person === one?.person && last.after?.person === other?.person;
    if (goesOn) moves.pop();
    moves.push({ from: goesOn ? last.from : from, until, before: one, after: other });
  }
  return moves;
}

function holderAt(holdings: readonly NamedHolding[], at: Timestamp): MovedHolder | undefined {
  const holding = holdings.findLast(({ since }) => since <= at);
  return holding?.person === undefined ? undefined : { person: holding.person, name: holding.name };
}

/** Number of days with a scan of a tag in a span, of the latest ten years of it. A damaged day does not count. */
export async function countDays(
  { days, calendar, pause }: { readonly days: DayStore; readonly calendar: Calendar; readonly pause: Pause },
  tag: TallyId,
  { from, until }: Pick<TagMove, 'from' | 'until'>,
): Promise<number> {
  const last: Day = until === undefined ? DAY_MAX : calendar.dayOf(until);
  const listed = (await days.list(calendar.dayOf(from), last)).slice(-MOST_DAYS);
  let count = 0;
  for (const [index, day] of listed.entries()) {
    if (index % DAYS_OF_TURN === DAYS_OF_TURN - 1) await pause();
    const scans = (await days.scans(day, tag).catch(unlessDamaged)) ?? [];
    if (scans.some((at) => at >= from && (until === undefined || at <= until))) count++;
  }
  return count;
}

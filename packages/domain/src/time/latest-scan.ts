import type { Calendar } from './calendar.js';
import { DAY_MAX, type Day } from '../values/day.js';
import type { DayStore } from '../ports/record/day-store.js';
import type { Journal } from '../ports/record/journal.js';
import type { Timekeeper } from './timekeeper.js';
import type { Timestamp } from '../values/timestamp.js';

/** A gap of more days than this, a year, does not occur on a device in use. */
const LONG_GAP = 366;
/** Maximum number of days that a wrong time can explain: it is noticed within a week. More days are a real record. */
const FEW_DAYS = 7;

/** Journal of the stores, in which the service notes what its own clock showed at its latest tap. */
export type TapTimes = Pick<Journal, 'position' | 'advance'>;

/** Name under which the journal keeps that minute, counted since 1970. */
const OWN_TAPS = 'clock';
const MINUTE = 60;

/**
 * Notes the time at a tap, to the minute. Call it in the same turn as the write of the tap: then one batch has both, and the note
 * costs no commit.
 */
export function noteTapTime(tapTimes: TapTimes | undefined, now: Timestamp): void {
  // A lost note only lowers the bound of the time.
  void tapTimes?.advance(OWN_TAPS, Math.floor(now / MINUTE)).catch(() => undefined);
}

interface Parts {
  readonly days: DayStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly tapTimes?: TapTimes | undefined;
}

/**
 * Tells the timekeeper the latest recorded scan, but none after the noted time: scans of stations and backups have the times
 * of other clocks. Without a `tapTimes`, all scans count as own ones. Rejects with the codes of
 * {@link DayStore}.
 */
export async function learnLatestScan({ days, calendar, timekeeper, tapTimes }: Parts): Promise<void> {
  const noted = tapTimes && ((await tapTimes.position(OWN_TAPS)) ?? 0) * MINUTE;
  const known = (scan: Timestamp): Timestamp => Math.min(scan, noted ?? scan) as Timestamp;
  const { now, builtAt } = timekeeper.present();
  const today = calendar.dayOf(now);
  const lastDay = await findLastDay(days, today);
  const latestScan = await latestScanOf(days, lastDay);
  let credibleScan = latestScan;
  if (lastDay !== undefined && lastDay > today + 1) {
    const builtDay = builtAt === 0 ? undefined : calendar.dayOf(builtAt);
    const credibleDay = findCredibleDay(await days.list(0 as Day, DAY_MAX), builtDay);
    if (credibleDay !== lastDay) credibleScan = await latestScanOf(days, credibleDay);
  }
  timekeeper.noteRecord({ latestScan: known(latestScan), credibleScan: known(credibleScan) });
}

/** Looks back from today, further each time, because a list of all days would grow with the years. */
async function findLastDay(days: DayStore, today: Day): Promise<Day | undefined> {
  for (let back = 1; ; back *= 4) {
    const from = Math.max(today - back, 0);
    const lastDay = (await days.list(from as Day, DAY_MAX)).at(-1);
    if (lastDay !== undefined || from === 0) return lastDay;
  }
}

async function latestScanOf(days: DayStore, day: Day | undefined): Promise<Timestamp> {
  const record = day === undefined ? undefined : await days.load(day);
  return (record?.entries ?? []).reduce(
    (latest, { last }) => (last > latest ? last : latest),
    0 as Timestamp,
  );
}

/**
 * The latest recorded day that is credible; `undefined` if there is none.
 *
 * A group of up to seven days counts as recorded under a wrong time if it begins more than a year after the release and
 * after all earlier days, unless the clock confirms it. Otherwise the right time would be in doubt for years.
 *
 * @param days Ascending.
 * @param builtDay Day of the release; `undefined` if unknown.
 */
export function findCredibleDay(days: readonly Day[], builtDay: Day | undefined): Day | undefined {
  for (let end = days.length; end > 0;) {
    const begin = findBegin(days, end);
    const earlier = [days[begin - 1], builtDay].filter((day) => day !== undefined);
    const isFar = earlier.length > 0 && (days[begin] ?? 0) - Math.max(...earlier) > LONG_GAP;
    if (!isFar || end - begin > FEW_DAYS) return days[end - 1];
    end = begin;
  }
  return undefined;
}

/** Index of the first day of the group that ends before `end`. A group has no gap of more than a year. */
function findBegin(days: readonly Day[], end: number): number {
  let begin = end - 1;
  while (begin > 0 && (days[begin] ?? 0) - (days[begin - 1] ?? 0) <= LONG_GAP) begin--;
  return begin;
}

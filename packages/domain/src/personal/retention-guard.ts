import type { Day } from '../values/day.js';

/**
 * Why days are not removed without being asked: the clock is in doubt; the clock, or the record, has made a leap, so that the
 * clock may be far ahead; or so many days would go at once that the setting may be a mistake.
 */
export type RetentionDoubt = 'clock-not-trusted' | 'leap-in-time' | 'many-days';

/** A leap, in days: a device in use has none, but for long holidays. */
const LEAP_DAYS = 60;
/** So many of the latest days with a record must be without a leap: nobody uses a device for that long under a wrong time. */
const STEADY_DAYS = 30;
/** Most days with a record that go unasked at once; a service that runs removes one a day. */
const UNASKED_DAYS = 60;

/**
 * Whether it is safe to remove days, as far as the record tells. A clock that jumps ahead by years must not empty a store, and
 * taps under that clock must not make it credible.
 *
 * @param recorded The days with a record up to today, ascending.
 * @param expired How many of them would go.
 */
export function doubtOf(
  recorded: readonly Day[],
  today: Day,
  expired: number,
): Exclude<RetentionDoubt, 'clock-not-trusted'> | undefined {
  if (expired === 0) return undefined;
  const latest = [...recorded.slice(-STEADY_DAYS - 1), today];
  const hasLeap = latest.some((day, index) => index > 0 && day - (latest[index - 1] ?? day) > LEAP_DAYS);
  if (hasLeap) return 'leap-in-time';
  return expired > UNASKED_DAYS ? 'many-days' : undefined;
}

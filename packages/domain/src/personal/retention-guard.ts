import type { Day } from '../values/day.js';

/**
 * Why days are not removed without being asked: the clock is in doubt; the clock, or the record, has made a leap, so that the
 * clock may be far ahead; or so many days, or so large a share of them, would go at once that the setting may be a mistake.
 */
export type RetentionDoubt = 'clock-not-trusted' | 'leap-in-time' | 'many-days';

/** A gap of more days than this is a leap: a device in use has none, but for long holidays. */
const LEAP_DAYS = 60;
/** So many of the latest days with a record must be without a leap: nobody uses a device for that long under a wrong time. */
const STEADY_DAYS = 30;
/** Most days and backups that go unasked at once; a service that runs removes one a day. */
const UNASKED_DAYS = 60;
/** More days than these go unasked only if they are a small share: a record may have few days, such as those of a weekly club. */
const FEW_DAYS = 7;
const LARGEST_SHARE = 1 / 3;

export interface RetentionDetails {
  /** How many backups would go too. Default: 0. */
  readonly backups?: number;
  /** Whether the setting was checked with another record, so that a large share of this one is no mistake. Default: no. */
  readonly isAskedElsewhere?: boolean;
}

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
  { backups = 0, isAskedElsewhere = false }: RetentionDetails = {},
): Exclude<RetentionDoubt, 'clock-not-trusted'> | undefined {
  if (expired + backups === 0) return undefined;
  const latest = [...recorded.slice(-STEADY_DAYS - 1), today];
  const hasLeap = latest.some((day, index) => index > 0 && day - (latest[index - 1] ?? day) > LEAP_DAYS);
  if (hasLeap) return 'leap-in-time';
  const isLargeShare = !isAskedElsewhere && expired > FEW_DAYS && expired > recorded.length * LARGEST_SHARE;
  return isLargeShare || expired + backups > UNASKED_DAYS ? 'many-days' : undefined;
}

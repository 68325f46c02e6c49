import type { Day } from '../values/day.js';

/**
 * Why days are not removed without a confirmation: the clock is not trusted; the record has a long gap shortly before now, so
 * that the clock may be far ahead; or so many days, or so large a share of them, would be removed at once that the setting
 * may be a mistake.
 */
export type RetentionDoubt = 'clock-not-trusted' | 'leap-in-time' | 'many-days';

/** Each doubt in words for people. */
export const retentionDoubts: Readonly<Record<RetentionDoubt, string>> = {
  'clock-not-trusted': 'the clock may be wrong',
  'leap-in-time':
    'the record has a gap of more than 60 days shortly before now, so the clock may be far ahead',
  'many-days': 'more than 60 days, or more than a third of all, would be removed at once',
};

/** A gap of more days than this is a leap: a device in use has none, except in very long holidays. */
const LEAP_DAYS = 60;
/**
 * Number of the latest days with a record that must be without a leap: nobody uses a device for that long under a wrong time.
 */
const STEADY_DAYS = 30;
/**
 * Maximum number of days and backups that are removed at once without a confirmation; a running service removes one a
 * day.
 */
const UNASKED_DAYS = 60;
/**
 * More days than these are removed without a confirmation only if they are a small share: a record may have few days, such as
 * those of a weekly club.
 */
const FEW_DAYS = 7;
const LARGEST_SHARE = 1 / 3;

export interface RetentionDetails {
  /** Number of backups that would be removed too. Default: 0. */
  readonly backups?: number;
  /** Number of guests who would be erased too. Many may have come on one day, so only a leap in time is a doubt. Default: 0. */
  readonly guests?: number;
  /**
   * Whether the setting was checked with another record, so that removing a large share of this record is no mistake.
   * Default: no.
   */
  readonly isAskedElsewhere?: boolean;
}

/**
 * The doubt about removing days, as far as the record shows one; `undefined` if there is none. A clock that jumps ahead by
 * years must not empty a store, even after some taps under that clock.
 *
 * @param recorded The days with a record up to today, ascending.
 * @param expired Number of the days that would be removed.
 */
export function doubtOf(
  recorded: readonly Day[],
  today: Day,
  expired: number,
  { backups = 0, guests = 0, isAskedElsewhere = false }: RetentionDetails = {},
): Exclude<RetentionDoubt, 'clock-not-trusted'> | undefined {
  if (expired + backups + guests === 0) return undefined;
  const latest = [...recorded.slice(-STEADY_DAYS - 1), today];
  const hasLeap = latest.some((day, index) => index > 0 && day - (latest[index - 1] ?? day) > LEAP_DAYS);
  if (hasLeap) return 'leap-in-time';
  const isLargeShare = !isAskedElsewhere && expired > FEW_DAYS && expired > recorded.length * LARGEST_SHARE;
  return isLargeShare || expired + backups > UNASKED_DAYS ? 'many-days' : undefined;
}

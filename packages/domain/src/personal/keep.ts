import { TallybookError, quote } from '../errors.js';
import { toDay, type Day } from '../values/day.js';

/** How long days are kept, in days, calendar months or years. */
export interface Keep {
  readonly count: number;
  readonly unit: 'days' | 'months' | 'years';
}

const SHAPE = /^([1-9][0-9]{0,4})(days?|months?|years?)$/;
/** About 100 years. */
const MOST = { days: 36_600, months: 1_200, years: 100 } as const;
const DAY_MS = 86_400_000;
/** The last day that a `Date` can hold, in days since 1970. */
const DATE_DAYS_MAX = 100_000_000;

/**
 * Reads how long days are kept: `24months`, `400days`, `2years`.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the text has another form, or means more than about 100 years.
 */
export function parseKeep(text: string): Keep {
  const [, digits, word = ''] = SHAPE.exec(text) ?? [];
  const unit = (word.endsWith('s') ? word : `${word}s`) as Keep['unit'];
  const count = Number(digits);
  if (digits !== undefined && count <= MOST[unit]) return { count, unit };
  throw new TallybookError(
    'INVALID_OPTION',
    `a time to keep days is 1 to ${MOST.days}days, 1 to ${MOST.months}months or 1 to ${MOST.years}years, such as 24months; got ${quote(text)}`,
  );
}

/** Writes it in the form of {@link parseKeep}: `24months`, `1day`. */
export function formatKeep({ count, unit }: Keep): string {
  return `${count}${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** The first kept day: that long before today. If the month found is too short, it is the last day of that month. */
export function firstKeptDay({ count, unit }: Keep, today: Day): Day {
  if (unit === 'days') return toDay(Math.max(today - count, 0));
  const date = new Date(Math.min(today, DATE_DAYS_MAX) * DAY_MS);
  const dayOfMonth = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - (unit === 'years' ? 12 * count : count));
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(dayOfMonth, lastOfMonth));
  return toDay(Math.max(Math.floor(date.getTime() / DAY_MS), 0));
}

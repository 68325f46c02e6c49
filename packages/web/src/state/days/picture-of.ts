import type { DayRange } from './days.js';
import type { PresenceOfDay } from './table-of.js';

/** A bar for each day on which somebody was there, from the first tap to the last, in minutes since midnight. */
export interface Picture {
  /** The hours between which everything lies, whole; `to` is above 24 where days end after midnight. */
  readonly hours: { readonly from: number; readonly to: number };
  /** The path of an SVG: a unit across is a day, a unit down is a minute. */
  readonly path: string;
}

/** The least height of a bar in minutes, so that a single tap can be seen. */
const LEAST = 12;
const DAY = 1_440;

/** @param wallClock As in `Formats`. */
export function pictureOf(
  days: readonly PresenceOfDay[],
  { from }: DayRange,
  wallClock: (at: number) => number,
): Picture {
  const bars = days.map(({ day, first, last }) => {
    const minuteOf = (at: number): number => Math.floor((wallClock(at) - day * 86_400) / 60);
    return { day, top: minuteOf(first), bottom: minuteOf(last) };
  });
  const tops = bars.map(({ top }) => top);
  const bottoms = bars.map(({ top, bottom }) => Math.max(bottom, top + LEAST));
  const hours = {
    from: Math.floor(Math.min(DAY, ...tops) / 60),
    to: Math.ceil(Math.max(...bottoms, 60) / 60),
  };
  const path = bars.map(({ day, top, bottom }) => {
    const height = Math.max(bottom - top, LEAST);
    return `M${day - from + 0.1} ${top}h.8v${height}h-.8z`;
  });
  return { hours, path: path.join('') };
}

/** On which days somebody was there, as the path of an SVG one unit high: a unit across is a day. */
export function stripOf(days: readonly PresenceOfDay[], { from }: DayRange): string {
  return days.map(({ day }) => `M${day - from} 0h.9v1h-.9z`).join('');
}

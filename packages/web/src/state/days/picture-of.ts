import type { DayRange } from './days.js';
import type { PresenceOfDay } from './table-of.js';

/** A bar for each day on which a person was there, from the first tap to the last, in minutes since midnight. */
export interface Picture {
  /** Whole hours between which all bars are; `to` is above 24 where days end after midnight. */
  readonly hours: { readonly from: number; readonly to: number };
  /** The path of an SVG: one unit to the right is a day, one unit down is a minute. */
  readonly path: string;
}

/** Minimum height of a bar in minutes, so that a single tap is visible. */
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

/** The days on which a person was there, as the path of an SVG one unit high: one unit to the right is a day. */
export function stripOf(days: readonly PresenceOfDay[], { from }: DayRange): string {
  return days.map(({ day }) => `M${day - from} 0h.9v1h-.9z`).join('');
}

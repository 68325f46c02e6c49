import { DAY_MAX, toDay, type Day, type Timestamp, type WallClock } from '@tallybook/domain';

const SECONDS_PER_DAY = 86_400;

/** Date and time of day in a zone. */
export interface WallTime {
  /** The date. */
  readonly date: Day;
  /** Seconds since midnight. */
  readonly seconds: number;
  /** Seconds by which the clock is ahead of UTC. */
  readonly offsetSeconds: number;
}

/**
 * Date and time of a moment on a clock. A local time before 1970, as in the west at timestamp 0, becomes 1970-01-01T00:00:00. A
 * date after the last day becomes the last day.
 */
export function wallTimeAt(clock: WallClock, at: Timestamp): WallTime {
  const offsetSeconds = clock.offsetAt(at);
  const wall = Math.max(at + offsetSeconds, 0);
  const seconds = wall % SECONDS_PER_DAY;
  return { date: toDay(Math.min((wall - seconds) / SECONDS_PER_DAY, DAY_MAX)), seconds, offsetSeconds };
}

/** `08:15:00` */
export function formatClock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
}

/** `+01:00`, with seconds if there are any, as in Liberia until 1972. */
export function formatOffset(offsetSeconds: number): string {
  const clock = formatClock(Math.abs(offsetSeconds));
  return `${offsetSeconds < 0 ? '-' : '+'}${clock.endsWith(':00') ? clock.slice(0, 5) : clock}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

import { DAY_MAX, toDay, type Day, type TallyId, type Timestamp, type WallClock } from '@tallybook/domain';

/** A moment, with the day under which it was recorded. */
export interface Moment {
  readonly at: Timestamp;
  readonly day: Day;
  /** It does not count: it is shown in parentheses. */
  readonly isOutside?: true;
}

/** A number in a column of something else. */
interface Count {
  readonly count: number;
}

/** Content of a cell: text, a number or a date (by the kind of the column), tags, a time, a count, or nothing. */
export type Cell = string | number | readonly TallyId[] | Moment | Count | undefined;

export interface Column {
  readonly title: string;
  /** Meaning and format of its cells. Tags are in a column of text. */
  readonly kind: 'text' | 'number' | 'date' | 'time';
  /** Approximate width in characters. */
  readonly width: number;
}

/** A table to write into a file. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Number of columns at the left that stay in view when the others scroll. */
  readonly frozenColumns: number;
  readonly rows: AsyncIterable<readonly Cell[]>;
}

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

/**
 * Text that a spreadsheet program may take for a formula: it begins with one of these characters, including full-width and
 * small forms, possibly after spaces. Text with apostrophes before them matches too and gets one more, so that
 * {@link unguardFormula} returns the original.
 *
 * @see OWASP, CSV Injection
 */
const FORMULA = /^'*(?:[\t\r]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212])/u;

/** Makes text that no spreadsheet program takes for a formula: adds an apostrophe in front if it could be one. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes {@link guardFormula}, for reading files again. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

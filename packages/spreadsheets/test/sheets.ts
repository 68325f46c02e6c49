import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import type { Cell, Column, Moment, Sheet } from '../src/index.js';

export const berlin = 'Europe/Berlin';

const columns: readonly Column[] = [
  { title: 'Text', kind: 'text', width: 20 },
  { title: 'Number', kind: 'number', width: 8 },
  { title: 'Date', kind: 'date', width: 12 },
  { title: 'Time', kind: 'time', width: 11 },
];

/** A sheet of a column of text, one of numbers, one of dates, and one of times. */
export function sheetOf(...rows: readonly (readonly Cell[])[]): Sheet {
  return { name: 'Attendance', columns, frozenColumns: 1, rows: each(rows) };
}

/** A sheet with only text. */
export function textSheet(...texts: readonly string[]): Sheet {
  return { ...sheetOf(...texts.map((text) => [text])), columns: columns.slice(0, 1) };
}

export const tag = (id: string): readonly [ReturnType<typeof parseTallyId>] => [parseTallyId(id)];

/** A time in UTC, recorded for the day of a date. */
export function moment(iso: string, date = iso.slice(0, 10)): Moment {
  return { at: toTimestamp(Date.parse(iso) / 1000), day: dayOf(date) };
}

export const dayOf = (date: string): ReturnType<typeof toDay> => toDay(Date.parse(date) / 86_400_000);

async function* each<T>(values: Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

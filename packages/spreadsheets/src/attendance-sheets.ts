import { formatDay } from '@tallybook/domain';
import type { AttendanceTable, NamedEntry } from '@tallybook/domain/record';
import type { Cell, Column, Sheet } from './sheet.js';
import type { Texts } from './texts.js';

/** Texts and time zone of a sheet. */
export interface Wording {
  readonly texts: Texts;
  /** IANA time zone. */
  readonly zone: string;
}

/** Columns for the person and the number of days. A column for each day follows, with its first scan. */
const FIXED_COLUMNS = 5;

/** People from top to bottom, days from left to right. A cell has the time of the person's first scan on that day. */
export function tableSheet(table: AttendanceTable, { texts, zone }: Wording): Sheet {
  const fixed: readonly Column[] = [
    { title: texts.lastName, kind: 'text', width: 20 },
    { title: texts.firstName, kind: 'text', width: 16 },
    { title: texts.number, kind: 'text', width: 10 },
    { title: texts.tags, kind: 'text', width: 17 },
    { title: texts.days(zone), kind: 'number', width: texts.days(zone).length + 2 },
  ];
  const days = table.days.map((day): Column => ({ title: formatDay(day), kind: 'time', width: 11 }));
  return {
    name: texts.attendance,
    columns: [...fixed, ...days],
    frozenColumns: FIXED_COLUMNS,
    rows: tableRows(table),
  };
}

async function* tableRows(table: AttendanceTable): AsyncGenerator<readonly Cell[], void, undefined> {
  const columns = new Map(table.days.map((day, index) => [day, FIXED_COLUMNS + index]));
  for (const [place, { name, number, ids }] of table.people.entries()) {
    const presences = await table.presencesOf(place);
    const row = new Array<Cell>(FIXED_COLUMNS + table.days.length).fill(undefined);
    row.splice(0, FIXED_COLUMNS, name?.last, name?.first, number, ids, presences.length);
    for (const { day, first } of presences) row[columns.get(day) ?? 0] = { at: first, day };
    yield row;
  }
}

/** One row for each tag on each day. */
export function entriesSheet(entries: AsyncIterable<NamedEntry>, { texts, zone }: Wording): Sheet {
  const [first, last] = [texts.firstScan(zone), texts.lastScan(zone)];
  return {
    name: texts.attendance,
    columns: [
      { title: texts.date, kind: 'date', width: 12 },
      { title: texts.lastName, kind: 'text', width: 20 },
      { title: texts.firstName, kind: 'text', width: 16 },
      { title: texts.number, kind: 'text', width: 10 },
      { title: texts.tag, kind: 'text', width: 17 },
      { title: first, kind: 'time', width: first.length + 2 },
      { title: last, kind: 'time', width: last.length + 2 },
      { title: texts.scans, kind: 'number', width: 10 },
      { title: texts.corrected, kind: 'text', width: 10 },
    ],
    frozenColumns: 0,
    rows: entryRows(entries, texts.yes),
  };
}

async function* entryRows(
  entries: AsyncIterable<NamedEntry>,
  yes: string,
): AsyncGenerator<readonly Cell[], void, undefined> {
  for await (const { day, id, name, number, first, last, count, isCorrected } of entries) {
    const times = [
      { at: first, day },
      { at: last, day },
    ] as const;
    yield [day, name?.last, name?.first, number, [id], ...times, count, isCorrected && yes];
  }
}

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
const FIXED_COLUMNS = 7;
/** Index of the column with the groups. */
const GROUPS = 4;
/** Between the groups of a person. */
const SEPARATOR = '; ';

/**
 * People from top to bottom, days from left to right. A cell has the time of the person's first scan on that day. Below is a row for
 * each group, with the number of its persons on each day.
 */
export function tableSheet(table: AttendanceTable, { texts, zone }: Wording): Sheet {
  const fixed: readonly Column[] = [
    { title: texts.lastName, kind: 'text', width: 20 },
    { title: texts.firstName, kind: 'text', width: 16 },
    { title: texts.number, kind: 'text', width: 10 },
    { title: texts.person, kind: 'text', width: 17 },
    { title: texts.groups, kind: 'text', width: 16 },
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
  const emptyRow = (): Cell[] => new Array<Cell>(FIXED_COLUMNS + table.days.length).fill(undefined);
  for (const [place, { id, name, number, lastGroups, ids }] of table.people.entries()) {
    const presences = await table.presencesOf(place);
    const row = emptyRow();
    const groups = textOf(lastGroups.map((group) => table.nameOf(group)));
    const days = presences.filter(({ isOutside }) => isOutside !== true).length;
    row.splice(0, FIXED_COLUMNS, name?.last, name?.first, number, id, groups, ids, days);
    for (const { day, first, isOutside } of presences)
      row[columns.get(day) ?? 0] = { at: first, day, ...(isOutside && { isOutside }) };
    yield row;
  }
  for (const { name, days } of table.groups) {
    const row = emptyRow();
    row[GROUPS] = name;
    for (const [day, column] of columns) row[column] = { count: days.get(day) ?? 0 };
    yield row;
  }
}

function textOf(groups: readonly string[]): string | undefined {
  return groups.length === 0 ? undefined : groups.join(SEPARATOR);
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
      { title: texts.person, kind: 'text', width: 17 },
      { title: texts.groups, kind: 'text', width: 16 },
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
  for await (const { day, id, name, number, person, groups, first, last, count, isCorrected } of entries) {
    const times = [
      { at: first, day },
      { at: last, day },
    ] as const;
    const who = [name?.last, name?.first, number, person, textOf(groups)];
    yield [day, ...who, [id], ...times, count, isCorrected && yes];
  }
}

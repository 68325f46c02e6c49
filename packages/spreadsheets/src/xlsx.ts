import { formatDay, toDay, WallClock } from '@tallybook/domain';
import type { Cell, Column, Sheet } from './sheet.js';
import { formatClock, wallTimeAt } from './wall-time.js';

export interface XlsxOptions {
  /** IANA time zone of the times. */
  readonly zone: string;
}

/**
 * A sheet as an Excel workbook, in pieces: text stays text, whatever it looks like; dates and times are what Excel counts
 * with. The titles stay in view. More rows than a sheet can have go on a second one.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the zone is unknown.
 */
export async function* writeXlsx(
  sheet: Sheet,
  { zone }: XlsxOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const clock = new WallClock(zone);
  // With the first workbook: few need it, and it is large.
  const { writeXlsxStream } = await import('./xlsx-stream.js');
  yield* writeXlsxStream(rowsOf(sheet, clock), {
    name: sheet.name,
    columns: sheet.columns.map(({ title, width, kind }) => {
      const numFmt = formats[kind];
      return { header: cleaned(title), width, ...(numFmt !== undefined && { numFmt }) };
    }),
    freezePane: { rows: 1, columns: sheet.frozenColumns },
  });
}

/** How numbers are shown; the ISO form is the same for readers of every language. */
const formats: Readonly<Record<Column['kind'], string | undefined>> = {
  text: undefined,
  number: '0',
  date: 'yyyy-mm-dd',
  time: 'hh:mm:ss',
};

async function* rowsOf({ rows, columns }: Sheet, clock: WallClock): AsyncGenerator<Value[], void, undefined> {
  for await (const row of rows) yield row.map((cell, index) => valueOf(cell, columns[index]?.kind, clock));
}

type Value = string | number | null;

function valueOf(cell: Cell, kind: Column['kind'] | undefined, clock: WallClock): Value {
  if (cell === undefined) return null;
  if (typeof cell === 'string') return cleaned(cell);
  if (typeof cell === 'number') return kind === 'date' ? (serialOf(cell) ?? formatDay(toDay(cell))) : cell;
  if (!('day' in cell)) return cell.join(', ');
  const { date, seconds } = wallTimeAt(clock, cell.at);
  const serial = serialOf(date);
  return serial === undefined
    ? `${formatDay(date)} ${formatClock(seconds)}`
    : serial + seconds / SECONDS_PER_DAY;
}

/** Excel's number of 1970-01-01, and the last one that it knows: 9999-12-31. */
const SERIAL_OF_DAY_0 = 25_569;
const SERIAL_MAX = 2_958_465;

const SECONDS_PER_DAY = 86_400;

/** The number that a date has for Excel, `undefined` if it has none. */
function serialOf(date: number): number | undefined {
  const serial = SERIAL_OF_DAY_0 + date;
  return serial > SERIAL_MAX ? undefined : serial;
}

/** XML has no U+FFFE and no U+FFFF, which old stores may hold in names; and Excel reads `_x0041_` as the letter A. */
function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD')
    .replace(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_');
}

import { formatDay, toDay, WallClock } from '@tallybook/domain';
import { formatClock, wallTimeAt, type Cell, type Column, type Sheet } from './sheet.js';
import { partsOf, sheetPath, styles } from './workbook/parts.js';
import { Peeking, sheetXml, type Value } from './workbook/sheet-xml.js';
import { zip, type ZipEntry } from './workbook/zip.js';

export interface XlsxOptions {
  /** IANA time zone of the times. */
  readonly zone: string;
}

/**
 * A sheet as an Excel workbook, in pieces. Text stays text, whatever it looks like; dates and times are numbers of Excel.
 * The titles stay in view. Rows beyond the maximum of a sheet continue on another sheet.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the zone is unknown.
 */
export async function* writeXlsx(
  sheet: Sheet,
  { zone }: XlsxOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const clock = new WallClock(zone);
  yield* zip(entriesOf(sheet, clock));
}

/** Maximum number of rows in a sheet, including the titles. */
const MOST_ROWS = 1_048_576;

/** The sheets come first: their number is known only after the last row. */
async function* entriesOf(sheet: Sheet, clock: WallClock): AsyncGenerator<ZipEntry, void, undefined> {
  const columns = sheet.columns.map(({ title, width, kind }) => ({
    title: textOf(title),
    width,
    style: styles[kind],
  }));
  const rows = new Peeking(rowsOf(sheet, clock));
  let count = 0;
  try {
    do {
      const options = { columns, frozenColumns: sheet.frozenColumns, mostRows: MOST_ROWS };
      yield { path: sheetPath(++count), data: sheetXml(rows, options) };
    } while (await rows.hasNext());
  } finally {
    await rows.close();
  }
  for (const [path, text] of Object.entries(partsOf(sheet.name, count)))
    yield { path, data: [Buffer.from(text)] };
}

async function* rowsOf({ rows, columns }: Sheet, clock: WallClock): AsyncGenerator<Value[], void, undefined> {
  for await (const row of rows) yield row.map((cell, index) => valueOf(cell, columns[index]?.kind, clock));
}

function valueOf(cell: Cell, kind: Column['kind'] | undefined, clock: WallClock): Value {
  if (cell === undefined) return undefined;
  if (typeof cell === 'string') return textOf(cell);
  if (typeof cell === 'number') return kind === 'date' ? (serialOf(cell) ?? formatDay(toDay(cell))) : cell;
  if ('count' in cell) return { number: cell.count, style: styles.number };
  if (!('day' in cell)) return textOf(cell.join(', '));
  const { date, seconds } = wallTimeAt(clock, cell.at);
  if (cell.isOutside === true) return `(${formatClock(seconds)})`;
  const serial = serialOf(date);
  return serial === undefined
    ? `${formatDay(date)} ${formatClock(seconds)}`
    : serial + seconds / SECONDS_PER_DAY;
}

/** Excel's number of 1970-01-01, and its last number, that of 9999-12-31. */
const SERIAL_OF_DAY_0 = 25_569;
const SERIAL_MAX = 2_958_465;

const SECONDS_PER_DAY = 86_400;

/** Excel's number of a date; `undefined` if it has none. */
function serialOf(date: number): number | undefined {
  const serial = SERIAL_OF_DAY_0 + date;
  return serial > SERIAL_MAX ? undefined : serial;
}

/** Maximum length of the text of a cell, in UTF-16 code units. With a longer text, Excel calls the workbook damaged. */
const CELL_MAX = 32_767;

/**
 * A text that fits into a cell; a cut text ends with `…`. `_x` is escaped where Excel would read a character code: it
 * reads `_x0041_` as A.
 */
function textOf(text: string): string {
  const half = /[\uD800-\uDBFF]$/;
  const fitting = text.length <= CELL_MAX ? text : `${text.slice(0, CELL_MAX - 1).replace(half, '')}…`;
  return fitting.replace(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_');
}

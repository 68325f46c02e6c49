import { formatDay, toDay, WallClock, type TallyId } from '@tallybook/domain';
import {
  guardFormula,
  formatClock,
  formatOffset,
  wallTimeAt,
  type Cell,
  type Column,
  type Moment,
  type Sheet,
} from './sheet.js';

export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Delimiter = keyof typeof delimiters;

/**
 * The reader of the file. `spreadsheet`: a spreadsheet program may take text for a formula, a number or a date. So text is
 * guarded, times are short, and ids have `-` between their bytes, with a `'` in front if the result looks like a date.
 * `data`: other programs get text and ids unchanged, and times with their offset.
 */
export type Profile = 'spreadsheet' | 'data';

export interface CsvOptions {
  readonly delimiter: Delimiter;
  /** Whether the file begins with U+FEFF, so that Excel recognises UTF-8. */
  readonly bom: boolean;
  readonly profile: Profile;
  /** IANA time zone of the times. */
  readonly zone: string;
}

/** Minimum length of a piece, in characters: two milliseconds of work, after which other work has its turn. */
const PIECE_LENGTH = 16_384;
const LINE_END = '\r\n';
const BOM = '\uFEFF';
/** Form of a date; an id of three bytes with `-` may look like it. */
const DATE = /^\d\d-\d\d-\d\d$/;

/**
 * A sheet as CSV, in pieces: the titles, then one line for each row, all text in quotes.
 *
 * @throws {TallybookError} `INVALID_OPTION` if the zone is unknown.
 * @see RFC 4180
 */
export async function* writeCsv(sheet: Sheet, options: CsvOptions): AsyncGenerator<string, void, undefined> {
  const { columns } = sheet;
  const format = options.profile === 'data' ? dataFormat(options.zone) : spreadsheetFormat(options.zone);
  const delimiter = delimiters[options.delimiter];
  const lineOf = (cells: readonly Cell[], kindOf: (index: number) => Column['kind']): string =>
    cells.map((cell, index) => write(cell, kindOf(index), format)).join(delimiter) + LINE_END;
  let text = options.bom ? BOM : '';
  text += lineOf(
    columns.map(({ title }) => title),
    () => 'text',
  );
  for await (const row of sheet.rows) {
    text += lineOf(row, (index) => columns[index]?.kind ?? 'text');
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

interface Format {
  readonly text: (text: string) => string;
  readonly ids: (ids: readonly TallyId[]) => string;
  readonly moment: (moment: Moment) => string;
}

function spreadsheetFormat(zone: string): Format {
  const clock = new WallClock(zone);
  return {
    text: guardFormula,
    ids: (ids) => {
      // Without `-`, the program would take 0011223344 and 12E45678 for numbers.
      const text = ids.map((id) => id.match(/../g)?.join('-') ?? id).join(', ');
      return DATE.test(text) ? `'${text}` : text;
    },
    moment: ({ at, day }) => {
      const { date, seconds } = wallTimeAt(clock, at);
      return date === day ? formatClock(seconds) : `${formatDay(date)} ${formatClock(seconds)}`;
    },
  };
}

function dataFormat(zone: string): Format {
  const clock = new WallClock(zone);
  return {
    text: (text) => text,
    ids: (ids) => ids.join(', '),
    moment: ({ at }) => {
      const { date, seconds, offsetSeconds } = wallTimeAt(clock, at);
      return `${formatDay(date)}T${formatClock(seconds)}${formatOffset(offsetSeconds)}`;
    },
  };
}

function write(cell: Cell, kind: Column['kind'], format: Format): string {
  if (cell === undefined) return '';
  if (typeof cell === 'string') return quoted(format.text(cell));
  if (typeof cell === 'number') return kind === 'date' ? formatDay(toDay(cell)) : String(cell);
  if ('count' in cell) return String(cell.count);
  if ('day' in cell)
    return cell.isOutside === true ? quoted(`(${format.moment(cell)})`) : format.moment(cell);
  return quoted(format.ids(cell));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

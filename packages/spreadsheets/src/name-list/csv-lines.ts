import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { NAME_LIST_MAX_LINES, type ListedName } from '@tallybook/domain';
import { CsvError, parse } from 'csv-parse';
import { unguardFormula } from '../formula-guard.js';
import { columnsByPosition, findColumns, type Columns } from './columns.js';
import { refuse, LINE_MAX_LENGTH, TOO_LONG } from './refuse.js';
import { findSeparator } from './separator.js';

/** Characters parsed in one turn: a few milliseconds of work, after which other work has its turn. */
const PIECE_LENGTH = 4_096;

/** Empty rows count too: some programs write them below a table. */
const MAX_ROWS = 2 * NAME_LIST_MAX_LINES;

/** The form of an id such as 12E45678 after a spreadsheet program has taken it for a number. */
const AS_NUMBER = /^\d+(?:[.,]\d+)?E\+\d+$/i;

/** A row as csv-parse gives it. */
interface Row {
  /** `lines` counts up to the last line of the row: a quoted cell may have several. */
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/** Reads CSV. The first row may have titles of the columns. Empty rows are skipped. */
export async function* readCsv(text: string): AsyncGenerator<ListedName, void, undefined> {
  const { separator, linesBefore, table } = findSeparator(text);
  let lastRead = 0;
  const parser = parse({
    delimiter: separator,
    max_record_size: LINE_MAX_LENGTH,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quotation mark within a name is a part of the name.
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    on_record: (cells, { lines }) => {
      lastRead = lines;
      return cells;
    },
  });
  try {
    yield* readRows(Readable.from(piecesOf(table)).pipe(parser) as AsyncIterable<Row>, linesBefore);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield refuse(linesBefore + lastRead + 1, reasonOf(error));
  }
}

async function* readRows(
  rows: AsyncIterable<Row>,
  linesBefore: number,
): AsyncGenerator<ListedName, void, undefined> {
  let columns: Columns | undefined;
  let count = 0;
  for await (const { info, record: cells } of rows) {
    const line = linesBefore + info.lines;
    if (++count > MAX_ROWS) {
      yield refuse(line, `the table has more than ${MAX_ROWS} rows`);
      return;
    }
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (columns === undefined) {
      const found = findColumns(cells);
      if (found === 'incomplete') {
        yield refuse(line, INCOMPLETE);
        return;
      }
      columns = found ?? columnsByPosition;
      if (found !== undefined) continue;
    }
    yield* toListed(line, cells, columns);
  }
}

const INCOMPLETE =
  'the first line names columns, but not those that are needed: "id", and "first name" or "last name"';

/** A person may have several tags. */
function toListed(line: number, cells: readonly string[], columns: Columns): readonly ListedName[] {
  const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (columns === columnsByPosition && (width < 2 || width > 3)) {
    const count = width === 1 ? 'one column' : `${width} columns`;
    return [refuse(line, `there must be id, first name and last name; there is ${count}`)];
  }
  const cell = (index: number | undefined): string =>
    index === undefined ? '' : unguardFormula((cells[index] ?? '').trim());
  const name = { first: cell(columns.first), last: cell(columns.last) };
  const ids = cell(columns.id);
  if (AS_NUMBER.test(ids)) {
    return [refuse(line, 'the id has become a number; format its column as text')];
  }
  // An export puts an apostrophe before an id that looks like a date, and people put one before numbers.
  return ids.split(',').map((id) => ({ line, id: id.trim().replace(/^'/, ''), name }));
}

async function* piecesOf(text: string): AsyncGenerator<string, void, undefined> {
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    yield text.slice(at, at + PIECE_LENGTH);
    await setImmediate();
  }
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened here, or soon after, and not closed';
  return code === 'CSV_MAX_RECORD_SIZE' ? `a cell ${TOO_LONG}` : 'the row is not CSV';
}

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Name } from '@tallybook/domain';
import { NAME_LIST_MAX_LINES, type ListedName } from '@tallybook/domain/record';
import { CsvError, parse } from 'csv-parse';
import { unguardFormula } from '../sheet.js';
import { explain, Unreadable, type ColumnChoices, type Columns } from './columns.js';
import { refuse, TOO_LONG, type ListReading } from './remarks.js';
import { CSV_OPTIONS, findTable, type FoundTable } from './table.js';

/** Characters parsed in one turn: a few milliseconds of work, after which other work has its turn. */
const PIECE_LENGTH = 4_096;

/** Empty rows count too: some programs write them below a table. */
const MAX_ROWS = 2 * NAME_LIST_MAX_LINES;

/** The form of an id such as 12E45678, or 6547886 with separators, after a spreadsheet program has taken it for a number. */
const AS_NUMBER = /^\d+(?:[.,]\d+)?E\+\d+$|^[1-9]\d{0,2}(?:,\d{3})+$/i;

/** A row below the persons begins so, or has no name, and a short number in place of the id. */
const sum = (): RegExp =>
  /^(?:summe|gesamt|anzahl|total|totale|totaal|sum|count|suma|razem|aantal)(?!\p{L})/iu;
const COUNT = /^\d{0,2}[.,]?\d{1,3}$/;

/** A row as csv-parse gives it. */
interface Row {
  /** `lines` counts up to the last line of the row: a quoted cell may have several. */
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/** Reads CSV. Empty rows are skipped. */
export async function* readCsv(
  all: string,
  choices: ColumnChoices,
  reading: ListReading,
): AsyncGenerator<ListedName, void, undefined> {
  let lastRead = 0;
  let linesBefore = 0;
  try {
    const table = findTable(all, choices, reading);
    ({ linesBefore } = table);
    const parser = parse({
      ...CSV_OPTIONS,
      delimiter: table.separator,
      info: true,
      on_record: (cells, { lines }) => {
        lastRead = lines;
        return cells;
      },
    });
    yield* readRows(Readable.from(piecesOf(table.text)).pipe(parser) as AsyncIterable<Row>, table, reading);
  } catch (error) {
    if (error instanceof Unreadable) yield refuse(1, error.message);
    else if (error instanceof CsvError) yield refuse(linesBefore + lastRead + 1, reasonOf(error));
    else throw error;
  }
}

async function* readRows(
  rows: AsyncIterable<Row>,
  { linesBefore, rowsBefore, hasTitles, columns, maxWidth }: FoundTable,
  reading: ListReading,
): AsyncGenerator<ListedName, void, undefined> {
  Object.assign(reading, { hasTitles, columns });
  const used = Object.values(columns) as readonly unknown[];
  if (hasTitles)
    reading.unused.push(
      ...reading.titles.filter((title, index) => title.trim() !== '' && !used.includes(index)),
    );
  let count = 0;
  for await (const { info, record: cells } of rows) {
    const line = linesBefore + info.lines;
    if (++count > MAX_ROWS) {
      yield refuse(line, `the table has more than ${MAX_ROWS} rows`);
      return;
    }
    if (count === rowsBefore || cells.every((cell) => cell.trim() === '')) continue;
    const person = count < rowsBefore ? 'nobody' : personOf(cells, columns);
    const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (person === 'nobody') reading.leftOut.push({ line, text: cells.join(' ').trim() });
    else if (maxWidth !== undefined && (width < 2 || width > maxWidth)) {
      const columnCount = width === 1 ? 'one column' : `${width} columns`;
      yield refuse(line, explain(`there must be id, first name and last name; there is ${columnCount}`));
    } else if (person.ids.length === 0) reading.withoutTag++;
    else yield* person.ids.map((id) => toListed(line, id, person.name));
  }
}

function toListed(line: number, id: string, name: Name): ListedName {
  return AS_NUMBER.test(id)
    ? refuse(line, 'the id has become a number; format its column as text')
    : { line, id, name };
}

interface Person {
  /** Several, if there are several tags. */
  readonly ids: readonly string[];
  readonly name: Name;
}

/** The ids in a cell, which may be of the forms 099,59822 and 00099,59822. */
const IDS = /[^,]*(?<!\d)\d{1,5},\d{5}(?!\d)|[^,]+/g;

function personOf(cells: readonly string[], columns: Columns): Person | 'nobody' {
  const cell = (index = -1): string => readCell(cells[index] ?? '');
  const name = { first: cell(columns.first), last: cell(columns.last) };
  const id = cell(columns.id);
  // A sum or a heading has words in place of an id, and no name.
  if (!/\p{L}/u.test(name.first + name.last) && (id === '' || /[^\P{L}A-Fa-f]/u.test(id))) return 'nobody';
  const names = [name.first, name.last].filter((part) => /\p{L}/u.test(part));
  if (names.length < 2 && sum().test(names[0] ?? 'sum') && COUNT.test(id)) return 'nobody';
  // An export puts an apostrophe before an id that looks like a date, and people put one before numbers.
  const ids = AS_NUMBER.test(id) ? [id] : (id.match(IDS) ?? []).map((each) => each.trim().replace(/^'/, ''));
  return { ids: ids.filter((each) => /[\p{L}\p{N}]/u.test(each)), name };
}

/** The text of a cell. Programs write ="01" so that Excel keeps the zero. */
function readCell(text: string): string {
  return unguardFormula(
    text
      .trim()
      .replace(/^="(.*)"$/, '$1')
      .trim(),
  );
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

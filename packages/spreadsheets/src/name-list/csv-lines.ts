import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ListRow } from '@tallybook/domain/record';
import { CsvError, parse, type Options } from 'csv-parse';
import { CsvError as CsvErrorAtOnce, parse as parseAtOnce } from 'csv-parse/sync';
import { isTitles, type ColumnChoices } from './columns.js';
import { findHead, HEAD_ROWS } from './head.js';
import { personsOf, type TableRow } from './persons.js';
import { LINE_MAX_LENGTH, refuse, TOO_LONG, type ListReading } from './remarks.js';

/** Characters parsed in one turn: a few milliseconds of work, after which other work has its turn. */
const PIECE_LENGTH = 4_096;

const separators = [';', '\t', ',', '|'] as const;
type Separator = (typeof separators)[number];

/** The first line may name the separator, for Excel. */
const DECLARED = /^"?sep=([;\t,|])"?(?:\r\n|\r|\n|$)/i;

const CSV_OPTIONS: Options = {
  max_record_size: LINE_MAX_LENGTH,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quotation mark within a name is a part of the name.
  relax_quotes: true,
  skip_empty_lines: true,
};

/** Reads CSV. Empty rows are skipped. */
export async function* readCsv(
  all: string,
  choices: ColumnChoices,
  reading: ListReading,
): AsyncGenerator<ListRow, void, undefined> {
  const declared = DECLARED.exec(all);
  const text = declared === null ? all : all.slice(declared[0].length);
  const linesBefore = declared === null ? 0 : 1;
  let lastRead = 0;
  try {
    const possible = declared === null ? byFrequency(text) : [declared[1] as Separator];
    const { separator, rows } = bestOf(text, possible, choices);
    const head = findHead(rows, choices, reading);
    const parser = parse({
      ...CSV_OPTIONS,
      delimiter: separator,
      info: true,
      on_record: (cells, { lines }) => {
        lastRead = lines;
        return cells;
      },
    });
    const parsed = Readable.from(piecesOf(text)).pipe(parser) as AsyncIterable<CsvRow>;
    yield* personsOf(toRows(parsed, linesBefore), head, reading);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield refuse(linesBefore + lastRead + 1, reasonOf(error));
  }
}

/** A row as csv-parse gives it. */
interface CsvRow {
  /** `lines` counts up to the last line of the row: a quoted cell may have several. */
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

async function* toRows(rows: AsyncIterable<CsvRow>, linesBefore: number): AsyncGenerator<TableRow> {
  for await (const { info, record } of rows) yield { line: linesBefore + info.lines, cells: record };
}

interface FirstRows {
  readonly separator: Separator;
  readonly rows: readonly (readonly string[])[];
}

/** The separator with which there are titles, else the most frequent one in the first line that has one. */
function bestOf(text: string, possible: readonly Separator[], choices: ColumnChoices): FirstRows {
  const all = possible.map((separator) => ({ separator, rows: firstRows(text, separator) }));
  const found = all.find(({ rows }) => rows.some((row) => isTitles(row, choices))) ?? all[0];
  return found ?? { separator: ';', rows: [] };
}

/** The first rows, up to an error, which is found again when all rows are read. */
function firstRows(text: string, separator: Separator): FirstRows['rows'] {
  const rows: string[][] = [];
  try {
    parseAtOnce(text, {
      ...{ ...CSV_OPTIONS, delimiter: separator, to: HEAD_ROWS },
      on_record: (row: string[]) => {
        rows.push(row);
        return row;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvErrorAtOnce)) throw error;
  }
  return rows;
}

/** Outside quoted cells. The first of several equally frequent separators comes first. */
function byFrequency(text: string): readonly Separator[] {
  const [line = ''] = /^.*[;\t,|].*$/m.exec(text) ?? [];
  const bare = line.slice(0, LINE_MAX_LENGTH).replaceAll(/"[^"]*"/g, '');
  return separators.toSorted((one, other) => bare.split(other).length - bare.split(one).length);
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

import { CsvError, parse, type Options } from 'csv-parse/sync';
import {
  columnsByPosition,
  columnsByTitle,
  complete,
  isTitles,
  MAX_PARTS,
  Unreadable,
  type ColumnChoices,
  type Columns,
} from './columns.js';
import { LINE_MAX_LENGTH, type ListReading } from './remarks.js';

const separators = [';', '\t', ',', '|'] as const;

type Separator = (typeof separators)[number];

/** The table in a CSV. */
export interface FoundTable {
  readonly separator: Separator;
  /** Lines before the text: one if the file begins with a `sep=` line for Excel, else none. */
  readonly linesBefore: number;
  readonly text: string;
  /** Number of rows before the first person: those above the titles, and the titles. */
  readonly rowsBefore: number;
  readonly hasTitles: boolean;
  readonly columns: Columns;
  /** Maximum number of columns, if nothing but their order says what they are. */
  readonly maxWidth: number | undefined;
}

const DECLARED = /^"?sep=([;\t,|])"?(?:\r\n|\r|\n|$)/i;

/** Rows among which the titles are: some programs write a heading or a type above them. */
const HEAD_ROWS = 10;

/** How a CSV is read. */
export const CSV_OPTIONS: Options = {
  max_record_size: LINE_MAX_LENGTH,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quotation mark within a name is a part of the name.
  relax_quotes: true,
  skip_empty_lines: true,
};

/**
 * Finds the table in a CSV: its titles, and its separator, which is that of the `sep=` line, else the one with which there
 * are titles, else the most frequent one in the first line that has one, outside quoted cells.
 *
 * @param reading Gets the titles.
 * @throws {Unreadable} if it cannot be told which columns are which.
 */
export function findTable(all: string, choices: ColumnChoices, reading: ListReading): FoundTable {
  const declared = DECLARED.exec(all);
  const text = declared === null ? all : all.slice(declared[0].length);
  const found = { text, linesBefore: declared === null ? 0 : 1 };
  const possible = declared === null ? byFrequency(text) : [declared[1] as Separator];
  const heads = possible.map((separator) => ({ separator, rows: headOf(text, separator) })) as [
    Head,
    ...Head[],
  ];
  for (const { separator, rows } of heads) {
    const at = rows.findIndex((row) => isTitles(row, choices));
    const head = rows[at];
    if (head === undefined) continue;
    reading.titles = head;
    const columns = columnsByTitle(head, choices);
    return { ...found, separator, rowsBefore: at + 1, hasTitles: true, columns, maxWidth: undefined };
  }
  const [{ separator, rows }] = heads;
  const first = Math.max(
    0,
    rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1),
  );
  const head = rows[first] ?? [];
  reading.titles = head;
  const columns = columnsByPosition(head.length, choices);
  const id = head[columns.id ?? -1]?.trim() ?? '';
  const isTitle = id !== '' && head.length > 1 && !LIKE_AN_ID.test(id);
  const isChosen = Object.values(choices).some((choice) => choice !== undefined);
  if (isTitle && !isChosen) throw new Unreadable('the first line has neither known titles nor a tag');
  // The order of names is not told by titles that are not known.
  if (isTitle && (choices.first ?? choices.last) === undefined)
    complete({ ...columns, first: undefined, last: undefined });
  const rowsBefore = isTitle ? first + 1 : 0;
  return {
    ...found,
    separator,
    rowsBefore,
    hasTitles: isTitle,
    columns,
    maxWidth: isChosen ? undefined : MAX_PARTS,
  };
}

/** All ids have digits, but for a few in hex. */
const LIKE_AN_ID = /\d|^[a-f :-]{6,}$/i;

interface Head {
  readonly separator: Separator;
  readonly rows: readonly (readonly string[])[];
}

/** The first rows, up to an error, which is found again when all rows are read. */
function headOf(text: string, separator: Separator): Head['rows'] {
  const rows: string[][] = [];
  try {
    parse(text, {
      ...{ ...CSV_OPTIONS, delimiter: separator, to: HEAD_ROWS },
      on_record: (row: string[]) => {
        rows.push(row);
        return row;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
  }
  return rows;
}

/** The first of several equally frequent separators comes first. */
function byFrequency(text: string): readonly Separator[] {
  const [line = ''] = /^.*[;\t,|].*$/m.exec(text) ?? [];
  const bare = line.slice(0, LINE_MAX_LENGTH).replaceAll(/"[^"]*"/g, '');
  return separators.toSorted((one, other) => bare.split(other).length - bare.split(one).length);
}

import {
  columnsByPosition,
  columnsByTitle,
  complete,
  isTitles,
  hasNameTitle,
  MAX_PARTS,
  Unreadable,
  type ColumnChoices,
  type Columns,
} from './columns.js';
import type { ListReading } from './remarks.js';

/** Rows among which the titles are: some programs write a heading or a type above them. */
export const HEAD_ROWS = 10;

/** Where the persons of a table begin, and what its columns are. */
export interface Head {
  /** Number of rows before the first person: those above the titles, and the titles. */
  readonly rowsBefore: number;
  /** Number of rows of titles. */
  readonly titleRows: number;
  readonly hasTitles: boolean;
  readonly columns: Columns;
  /** Maximum number of columns, if nothing but their order says what they are. */
  readonly maxWidth: number | undefined;
}

type Rows = readonly (readonly string[])[];

/**
 * The index of the row of titles, -1 if there is none. One known title is enough if it is that of a name, and nothing in the
 * first row is like an id. A list may have one column, with names.
 */
function titlesAt(rows: Rows, choices: ColumnChoices): number {
  const at = rows.findIndex((row) => isTitles(row, choices));
  if (at !== -1) return at;
  const isNarrow = rows.every((row) => widthOf(row) < 2);
  return rows.findIndex(
    (row, index) =>
      (isNarrow || index === firstOfTable(rows)) && hasNameTitle(row) && !row.some((cell) => /\d/.test(cell)),
  );
}

/** The index of the first row with several cells. */
function firstOfTable(rows: Rows): number {
  return rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1);
}

/**
 * Finds the persons and the columns of a table in its first rows.
 *
 * @param reading Gets the titles.
 * @throws {Unreadable} if it cannot be told which columns are which.
 */
export function findHead(rows: Rows, choices: ColumnChoices, reading: ListReading): Head {
  const at = titlesAt(rows, choices);
  let head = rows[at];
  if (head !== undefined) {
    // Titles over several columns may stand above others.
    let titleRows = 1;
    for (let next = rows[at + 1]; next !== undefined && isTitles(next, {}); next = rows[at + titleRows]) {
      head = merge(head, next);
      titleRows++;
    }
    reading.titles = head;
    const rowsBefore = at + titleRows;
    const columns = columnsByTitle(head, choices, rows.slice(rowsBefore));
    return { rowsBefore, titleRows, hasTitles: true, columns, maxWidth: undefined };
  }
  const first = Math.max(0, firstOfTable(rows));
  const row = rows[first] ?? [];
  reading.titles = row;
  const columns = columnsByPosition(widthOf(row), choices);
  const [id = ''] = columns.ids.map((index) => row[index]?.trim() ?? '');
  const isTitle = id !== '' && row.length > 1 && !LIKE_AN_ID.test(id);
  const isChosen = Object.values(choices).some((choice) => choice !== undefined);
  if (isTitle && !isChosen) throw new Unreadable('the first line has neither known titles nor a tag', ANY);
  // The order of names is not told by titles that are not known.
  if (isTitle && (choices.first ?? choices.last) === undefined)
    complete({ ...columns, first: undefined, last: undefined });
  if (!isChosen && widthOf(row) > MAX_PARTS) reading.questions.push(...ANY);
  const maxWidth = isChosen ? undefined : MAX_PARTS;
  return { rowsBefore: isTitle ? first + 1 : 0, titleRows: 1, hasTitles: isTitle, columns, maxWidth };
}

const ANY = (['id', 'first', 'last'] as const).map((part) => ({ part, couldBe: [] }));

/** All ids have digits, but for a few in hex. */
const LIKE_AN_ID = /\d|^[a-f :-]{6,}$/i;

/** The titles below, and those above where there are none below. */
function merge(above: readonly string[], below: readonly string[]): readonly string[] {
  const width = Math.max(above.length, below.length);
  return Array.from({ length: width }, (_, index) => {
    const title = below[index] ?? '';
    return title.trim() === '' ? (above[index] ?? '') : title;
  });
}

/** Number of cells up to the last one with a text. */
export function widthOf(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell.trim() !== '') + 1;
}

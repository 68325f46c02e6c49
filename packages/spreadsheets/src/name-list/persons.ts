import { NAME_LIST_MAX_LINES, type ListedPerson, type ListRow } from '@tallybook/domain/record';
import { unguardFormula } from '../sheet.js';
import type { Fault } from '../workbook-reading/sheet-rows.js';
import { explain, usedOf, type Columns } from './columns.js';
import { widthOf, type Head } from './head.js';
import { refuse, type ListReading } from './remarks.js';

/** A row of a table. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** What a spreadsheet program has made of cells, by their indices. */
  readonly faults?: ReadonlyMap<number, Fault>;
}

/** Empty rows of a CSV count too: some programs write them below a table. */
const MAX_ROWS = 2 * NAME_LIST_MAX_LINES;

/** The form of an id such as 12E45678, or 6547886 with separators, after a spreadsheet program has taken it for a number. */
const AS_NUMBER = /^\d+(?:[.,]\d+)?E\+\d+$|^[1-9]\d{0,2}(?:,\d{3})+$/i;

const AS_POWER = /^\d+(?:[.,]\d+)?E\+\d+$/i;

const PERSON_ID_LENGTH = 14;
const PERSON_ID = /^(?:tag-[\dA-F]+|[\dA-F]{14})$/;

/** A row below the persons begins so, or has no name, and a short number in place of the id. */
const sum = (): RegExp =>
  /^(?:summe|gesamt|anzahl|total|totale|totaal|sum|count|suma|razem|aantal)(?!\p{L})/iu;
const COUNT = /^\d{0,2}[.,]?\d{1,3}$/;

/** The persons in a table. Empty rows are skipped, and rows of nobody are left out. */
export async function* personsOf(
  rows: AsyncIterable<TableRow>,
  { rowsBefore, titleRows, hasTitles, columns, maxWidth }: Head,
  reading: ListReading,
): AsyncGenerator<ListRow, void, undefined> {
  Object.assign(reading, { hasTitles, columns });
  const used = usedOf(columns);
  if (hasTitles)
    reading.unused.push(
      ...reading.titles.filter((title, index) => title.trim() !== '' && !used.includes(index)),
    );
  let count = 0;
  for await (const row of rows) {
    const { line, cells } = row;
    if (++count > MAX_ROWS) {
      yield refuse(line, `the table has more than ${MAX_ROWS} rows`);
      return;
    }
    const isAbove = count <= rowsBefore;
    const isTitle = isAbove && count > rowsBefore - titleRows && hasTitles;
    const isEmpty = cells.every((cell) => cell.trim() === '') && (isAbove || !hasFault(row, used));
    if (isTitle || isEmpty) continue;
    const listed = isAbove ? 'nobody' : readPerson(row, columns);
    const width = widthOf(cells);
    if (listed === 'nobody') reading.leftOut.push({ line, text: cells.join(' ').trim() });
    else if (maxWidth !== undefined && (width < 2 || width > maxWidth)) {
      const columnCount = width === 1 ? 'one column' : `${width} columns`;
      yield refuse(line, explain(`there must be id, first name and last name; there is ${columnCount}`));
    } else yield listed;
  }
}

function hasFault({ faults }: TableRow, used: readonly number[]): boolean {
  return used.some((index) => faults?.has(index));
}

function readPerson(row: TableRow, columns: Columns): ListRow | 'nobody' {
  const { line } = row;
  const cell = (index = -1): string => readCell(row.cells[index] ?? '');
  const name = { first: cell(columns.first), last: cell(columns.last) };
  const ids = columns.ids.map(cell);
  const codes = {
    person: columns.person === undefined ? '' : personIn(withoutQuote(cell(columns.person))),
    ...(columns.number !== undefined && { number: withoutQuote(cell(columns.number)) }),
  };
  if (isNobody(row, columns, { ...codes, ids, name })) return 'nobody';
  const tags = ids.flatMap(tagsIn);
  const fault = faultOf(row, columns);
  if (fault !== undefined) return refuse(line, fault);
  if (tags.some((tag) => AS_NUMBER.test(tag))) return refuse(line, `the id ${BECAME_NUMBER}`);
  if (AS_POWER.test(codes.number ?? '')) return refuse(line, `the number ${BECAME_NUMBER}`);
  if (AS_POWER.test(codes.person)) return refuse(line, `the id of the person ${BECAME_NUMBER}`);
  const { person, ...rest } = codes;
  const listed: ListedPerson = { line, ...(person !== '' && { person }), tags, ...rest, name };
  if (columns.groups.length === 0) return listed;
  return { ...listed, groups: [...new Set(columns.groups.flatMap((index) => groupsIn(cell(index))))] };
}

const BECAME_NUMBER = 'has become a number; format its column as text';

/** What a program has made of a cell that is used, in words. */
function faultOf({ faults }: TableRow, columns: Columns): string | undefined {
  if (faults === undefined || faults.size === 0) return undefined;
  const { ids, first, last, number, groups, person } = columns;
  const all: readonly (readonly [string, readonly (number | undefined)[], boolean])[] = [
    ['id', ids, true],
    ['number', [number], true],
    ['id of the person', [person], true],
    ['name', [first, last], false],
    ['group', groups, false],
  ];
  for (const [what, indices, isCode] of all)
    for (const fault of indices.map((index = -1) => faults.get(index))) {
      if (fault === 'error') return `the cell of the ${what} has an error`;
      if (fault === 'date') return `the ${what} has become a date; format its column as text`;
      if (fault === 'number' && isCode) return `the ${what} ${BECAME_NUMBER}`;
    }
  return undefined;
}

interface Texts extends Pick<ListedPerson, 'name'> {
  readonly person: string;
  readonly number?: string;
  /** Of the cells with tags. */
  readonly ids: readonly string[];
}

/** Whether a row is a heading, a sum, or one that waits for a person. */
function isNobody(
  { cells, faults }: TableRow,
  columns: Columns,
  { person, number = '', ids, name }: Texts,
): boolean {
  if (PERSON_ID.test(person)) return false;
  // A table that was exported here has rows of tags that are nobody's.
  if (columns.person !== undefined && person === '' && name.first === '' && name.last === '') return true;
  const id = ids.join('');
  const names = [name.first, name.last].filter((part) => /\p{L}/u.test(part));
  const [only = 'sum'] = names;
  const hasTag = id !== '' || columns.ids.some((index) => faults?.has(index));
  // A sum or a heading has words in place of an id, and no name.
  if (names.length === 0 && (!hasTag || /[^\P{L}A-Fa-f]/u.test(id))) return true;
  if (names.length > 1) return false;
  if (sum().test(only) && (id === '' || COUNT.test(id)) && (number === '' || COUNT.test(number))) return true;
  if (hasTag || number !== '') return false;
  // A name alone in its row is a heading if it has a digit, and a row of counts if the persons of the list have ids.
  const isAlone = cells.filter((cell) => cell.trim() !== '').length === 1;
  const isCounts =
    columns.person !== undefined && cells.some((cell, index) => isCountOf(cell, index, columns));
  return (
    isCounts || (isAlone && /\d/.test(only) && columns.first !== undefined && columns.last !== undefined)
  );
}

/** Whether a cell beside those of the persons has a number. */
function isCountOf(cell: string, index: number, columns: Columns): boolean {
  return /^\d+$/.test(cell.trim()) && !usedOf(columns).includes(index);
}

/** The id of a person. Exports have `-` between its bytes, and a program may have taken one of digits for a number. */
function personIn(text: string): string {
  if (/^\d{8,13}$/.test(text)) return text.padStart(PERSON_ID_LENGTH, '0');
  const bare = text.replaceAll('-', '').toUpperCase().replace(/^TAG/, 'tag-');
  return PERSON_ID.test(bare) ? bare : text;
}

/** The ids in a cell, which may be of the forms 099,59822 and 00099,59822. */
const IDS = /[^,]*(?<!\d)\d{1,5},\d{5}(?!\d)|[^,]+/g;

function tagsIn(text: string): readonly string[] {
  if (AS_NUMBER.test(text)) return [text];
  return (text.match(IDS) ?? [])
    .map((each) => withoutQuote(each.trim()))
    .filter((each) => /[\p{L}\p{N}]/u.test(each));
}

/** The groups in a cell. A class may be called 7/8. */
function groupsIn(text: string): readonly string[] {
  return text
    .split(/[;,\n]|\s\/\s/)
    .map((group) => unguardFormula(group.trim()))
    .filter((group) => /[\p{L}\p{N}\p{S}]/u.test(group));
}

/** An export puts an apostrophe before an id that looks like a date, and people put one before numbers. */
function withoutQuote(text: string): string {
  return text.replace(/^'/, '');
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

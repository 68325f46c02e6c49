import { quote } from '@tallybook/domain';
import { parts, plainTitle, titles, type ListPart } from './titles.js';

/** Indices of the columns of a list; `undefined`, or none, if it has no such column. */
export interface Columns {
  /** Each may have several tags. */
  readonly ids: readonly number[];
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly number: number | undefined;
  readonly groups: readonly number[];
  readonly person: number | undefined;
}

/** The columns that were chosen: by title, or by number from 1; 0 is none. */
export type ColumnChoices = Readonly<Partial<Record<ListPart, string | undefined>>>;

/** A column that cannot be told, and must be chosen. */
export interface ColumnQuestion {
  readonly part: ListPart;
  /** Indices of the columns that it could be; empty if any could. */
  readonly couldBe: readonly number[];
}

const NUMERIC = /^\d{1,3}$/;
/** Further columns have no titles. */
const MAX_COLUMNS = 100;
/** Columns of a list without titles. */
export const MAX_PARTS = 3;

export const NO_COLUMNS: Columns = {
  ...{ ids: [], first: undefined, last: undefined },
  ...{ number: undefined, groups: [], person: undefined },
};

/** The indices of the columns that could be a part by their titles, the best ones: one title may be better than another. */
function byTitle(row: readonly string[], part: ListPart): readonly number[] {
  return ranked(row, part).find(({ length }) => length > 0) ?? [];
}

/** The same, by each kind of title. */
function ranked(row: readonly string[], part: ListPart): readonly (readonly number[])[] {
  const cells = row.slice(0, MAX_COLUMNS).map(plainTitle);
  return titles[part].map((title) => [...cells.keys()].filter((index) => title.test(cells[index] ?? '')));
}

/** The index of a chosen column; -1 if there is none. */
function indexOf(row: readonly string[], choice: string): number {
  if (NUMERIC.test(choice)) return Number(choice) - 1;
  return row.findIndex((cell) => cell.trim() !== '' && plainTitle(cell) === plainTitle(choice));
}

/**
 * Whether a row has titles: known ones, or a chosen one. A person may be called "Name" or "Karte", so one known title alone
 * does not make a row of titles.
 */
export function isTitles(row: readonly string[], choices: ColumnChoices): boolean {
  const isChosen = (part: ListPart): boolean => {
    const { [part]: choice = '0' } = choices;
    return !NUMERIC.test(choice) && indexOf(row, choice) !== -1;
  };
  return parts.some(isChosen) || parts.filter((part) => byTitle(row, part).length > 0).length > 1;
}

/** Whether a row has a known title of a name. */
export function hasNameTitle(row: readonly string[]): boolean {
  return byTitle(row, 'first').length > 0 || byTitle(row, 'last').length > 0;
}

/**
 * The columns as chosen, else by their titles. The values decide where a title may mean two things.
 *
 * @param below Some rows below the titles.
 * @throws {Unreadable} if they cannot be told.
 */
export function columnsByTitle(
  row: readonly string[],
  choices: ColumnChoices,
  below: readonly (readonly string[])[],
): Columns {
  const chosen = (part: ListPart): readonly number[] | undefined => {
    const { [part]: choice } = choices;
    if (choice === undefined) return undefined;
    const index = indexOf(row, choice);
    if (index === -1 && choice !== '0') throw noTitle(part, choice);
    return index === -1 ? [] : [index];
  };
  const valuesOf = (index: number): readonly string[] =>
    below.map((cells) => cells[index]?.trim() ?? '').filter((value) => value !== '');
  const areShort = (index: number): boolean => isEach(valuesOf(index), shortNumber());
  const [first] = chosen('first') ?? byTitle(row, 'first');
  const person = chosen('person') ?? byTitle(row, 'person');
  let [last] = chosen('last') ?? byTitle(row, 'last');
  // In a list of others, a person is a name.
  const isName = choices.person === undefined && (first ?? last) === undefined;
  if (isName) [last] = person;
  const [tags = [], plainIds = []] = ranked(row, 'id');
  const [numbers = [], plainNumbers = []] = ranked(row, 'number');
  const ids = chosen('id') ?? (tags.length > 0 ? tags : plainIds.filter((index) => !areShort(index)));
  if (choices.id === undefined && !areOfOneTitle(row, ids))
    throw several(row, [{ part: 'id', couldBe: ids }]);
  const others = [...plainNumbers, ...(tags.length > 0 ? [] : plainIds)].filter((n) => !ids.includes(n));
  const number = chosen('number') ?? (numbers.length > 0 ? numbers : others);
  if (number.length > 1) throw several(row, [{ part: 'number', couldBe: number }]);
  const columns: Columns = {
    ...{ ids, first, last, number: number[0], person: isName ? undefined : person[0] },
    groups: chosen('group') ?? byTitle(row, 'group'),
  };
  if (ids.length === 0 && choices.id === undefined) checkForTags(row, columns, choices, valuesOf);
  return complete(columns);
}

/** A number of a row or of a member. No id of a tag is so short. */
const shortNumber = (): RegExp => /^[^\p{L}\d]{0,2}\d{1,5}\.?$/u;
/** An id in hex with a letter, or with something between its bytes. */
const LIKE_A_TAG = /^(?=.*[a-f])(?:[\da-f]{2}){4,10}$|^[\da-f]{2}(?:[ :-][\da-f]{2}){3,9}$/i;

function isEach(values: readonly string[], form: RegExp): boolean {
  return values.length > 0 && values.every((value) => form.test(value));
}

/** Throws if a column of a list without tags could be that of the tag. */
function checkForTags(
  row: readonly string[],
  columns: Columns,
  choices: ColumnChoices,
  valuesOf: (index: number) => readonly string[],
): void {
  const used = usedOf(columns);
  const { number } = columns;
  const isPlainNumber = number !== undefined && !(ranked(row, 'number')[0] ?? []).includes(number);
  const numbers = choices.number === undefined && isPlainNumber ? [number] : [];
  const free = [...row.slice(0, MAX_COLUMNS).keys()].filter((index) => !used.includes(index));
  const couldBe = [
    ...numbers.filter((index) => valuesOf(index).length > 0 && !isEach(valuesOf(index), shortNumber())),
    ...[...numbers, ...free].filter((index) => isEach(valuesOf(index), LIKE_A_TAG)),
  ];
  const open = [...new Set(couldBe)].toSorted((one, other) => one - other);
  const isOpenNumber = open.some((index) => numbers.includes(index));
  const questions: readonly ColumnQuestion[] = [
    { part: 'id', couldBe: open },
    ...(isOpenNumber ? [{ part: 'number', couldBe: numbers } as const] : []),
  ];
  if (open.length > 0) throw several(row, questions);
}

/** The reason why columns must be chosen. The first question has all columns that are meant. */
function several(row: readonly string[], questions: readonly ColumnQuestion[]): Unreadable {
  const [{ couldBe } = { couldBe: [] }] = questions;
  const columns = couldBe.length === 1 ? 'one column' : 'several columns';
  const what = questions.map(({ part }) => wordsOf[part]).join(' or ');
  const titlesOf = couldBe.map((index) => quote(row[index])).join(', ');
  return new Unreadable(`${columns} could be ${what}: ${titlesOf}`, questions);
}

const wordsOf: Readonly<Record<ListPart, string>> = {
  ...{ id: 'the tag', first: 'the first name', last: 'the last name' },
  ...{ number: 'the number', group: 'the group', person: 'the person' },
};

/** Whether the titles are the same but for a number, as "Tag" and "Tag 2". */
function areOfOneTitle(row: readonly string[], indices: readonly number[]): boolean {
  return new Set(indices.map((index) => plainTitle(row[index] ?? '').replace(/\d+$/, ''))).size < 2;
}

/** The columns of a list without titles: as chosen; the others are id, first name and last name in this order. */
export function columnsByPosition(width: number, choices: ColumnChoices): Columns {
  for (const part of parts) {
    const { [part]: choice = '0' } = choices;
    if (!NUMERIC.test(choice)) throw noTitle(part, choice);
  }
  const chosen = (part: ListPart): number | undefined =>
    choices[part] === undefined || choices[part] === '0' ? undefined : Number(choices[part]) - 1;
  const taken = parts.map(chosen);
  const open = (['id', 'first', 'last'] as const).filter((part) => choices[part] === undefined);
  const free = [...Array(Math.max(width, MAX_PARTS)).keys()].filter((index) => !taken.includes(index));
  // With further columns, their order says nothing.
  const isByOrder = open.length === MAX_PARTS || width <= MAX_PARTS || free.length <= open.length;
  const placed = new Map(isByOrder ? open.map((part, place) => [part, free[place]]) : []);
  const of = (part: 'id' | 'first' | 'last'): number | undefined => chosen(part) ?? placed.get(part);
  return complete({
    ...{ ids: listed(of('id')), first: of('first'), last: of('last') },
    ...{ number: chosen('number'), groups: listed(chosen('group')), person: chosen('person') },
  });
}

function listed(index: number | undefined): readonly number[] {
  return index === undefined ? [] : [index];
}

/** The indices of all columns that are used. */
export function usedOf({ ids, first, last, number, groups, person }: Columns): readonly number[] {
  return [...ids, first, last, number, ...groups, person].filter((index) => index !== undefined);
}

/** Throws the reason if there is no name. */
export function complete(columns: Columns): Columns {
  if ((columns.first ?? columns.last) !== undefined) return columns;
  throw new Unreadable('no title of a column with names is known', [
    { part: 'first', couldBe: [] },
    { part: 'last', couldBe: [] },
  ]);
}

function noTitle(part: ListPart, choice: string): Unreadable {
  return new Unreadable(`no column has the title ${quote(choice)}`, [{ part, couldBe: [] }]);
}

/** Adds what to do if the columns are not known. */
export function explain(reason: string, asked: readonly ListPart[] = ['id', 'first', 'last']): string {
  const options = asked.map((part) => `${part}-column`).join(', ');
  return `${reason}; choose the columns by title or number: ${options}`;
}

/** The whole list cannot be read, for one reason, unless columns are chosen. */
export class Unreadable extends Error {
  readonly questions: readonly ColumnQuestion[];

  constructor(reason: string, questions: readonly ColumnQuestion[]) {
    const further = questions.map(({ part }) => part).filter((part) => !BASIC.includes(part));
    super(explain(reason, [...BASIC, ...further]));
    this.questions = questions;
  }
}

const BASIC: readonly ListPart[] = ['id', 'first', 'last'];

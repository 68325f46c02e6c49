import { quote } from '@tallybook/domain';

/** Index of the column of the id and of each part of a name; `undefined` if the list has no such column. */
export interface Columns {
  readonly id: number | undefined;
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** The columns that were chosen: by title, or by number from 1; 0 is none. */
export type ColumnChoices = { readonly [part in keyof Columns]?: string | undefined };

const NUMBER =
  '(?:id|ids|uid|no|nr|n|num|numero|nummer|nummern|number|numbers|numer|code|codice|codigo|kod|hex|dec)';
const OF = '(?:de|du|del|della|der|di|la|le|van|of|the)';
const TAG =
  '(?:tally|tag|uid|card|chip|badge|rfid|nfc|fob|keyfob|token|transponder|karten?|ausweis' +
  '|carte|puce|jeton|tessera|tarjeta|kaart|pas(?!s)|pasje|druppel|karta|karty|brelok|legitymacja|legitymacji)';

/**
 * Usual titles of the columns in English, German, French, Italian, Spanish, Dutch and Polish, as {@link plain} makes them.
 * A title that comes earlier in a list is taken before later ones.
 */
const titles: Readonly<Record<keyof Columns, readonly RegExp[]>> = {
  // In a list with cards, "ID" is the number of a row or of a person.
  id: [new RegExp(`^(?:${NUMBER}|${OF})*${TAG}+s?(?:${NUMBER}|${OF})*$`), /^ids?$/],
  first: [
    /^(?:first|(?:first|fore|given)names?|vornamen?|rufname|prenoms?|prenomusuel|nome|nombres?|voorna(?:am|men)|roepnaam|imi(?:e|ona))$/,
  ],
  last: [
    /^(?:last|(?:last|sur|family)names?|nachnamen?|familienname|zuname|nomde(?:famille|naissance)|nomdusage|cognome|(?:primer)?apellidos?|achternaam|familienaam|nazwisko)$/,
    // The whole name, if there is no title of a last name.
    /^(?:name|nom|naam|(?:full|display)name|vollername|nomcomplet|nometprenom|nominativo|nomecompleto|cognomeenome|nombrecompleto|apellidosynombre|volledigenaam|imieinazwisko)$/,
  ],
};

const parts = ['id', 'first', 'last'] as const;
type Part = (typeof parts)[number];

const NUMERIC = /^\d{1,3}$/;
/** Further columns have no titles. */
const MAX_COLUMNS = 100;
/** Longer cells are not titles. */
const MAX_TITLE = 60;
/** Columns of a list without titles. */
export const MAX_PARTS = 3;

/** The indices of the columns that could be a part by their titles, the best ones: one title may be better than another. */
function byTitle(row: readonly string[], part: Part): readonly number[] {
  const cells = row.slice(0, MAX_COLUMNS).map(plain);
  const found = titles[part].map((title) =>
    [...cells.keys()].filter((index) => title.test(cells[index] ?? '')),
  );
  return found.find(({ length }) => length > 0) ?? [];
}

/** The index of a chosen column; -1 if there is none. */
function indexOf(row: readonly string[], choice: string): number {
  if (NUMERIC.test(choice)) return Number(choice) - 1;
  return row.findIndex((cell) => cell.trim() !== '' && plain(cell) === plain(choice));
}

/**
 * Whether a row has titles: known ones, or a chosen one. A person may be called "Name" or "Karte", so one known title alone
 * does not make a row of titles.
 */
export function isTitles(row: readonly string[], choices: ColumnChoices): boolean {
  const isChosen = (part: Part): boolean => {
    const { [part]: choice = '0' } = choices;
    return !NUMERIC.test(choice) && indexOf(row, choice) !== -1;
  };
  return parts.some(isChosen) || parts.filter((part) => byTitle(row, part).length > 0).length > 1;
}

/** The columns as chosen, else by their titles. Throws the reason if they cannot be told. */
export function columnsByTitle(row: readonly string[], choices: ColumnChoices): Columns {
  const find = (part: Part): number | undefined => {
    const { [part]: choice } = choices;
    const index = choice === undefined ? byTitle(row, part)[0] : indexOf(row, choice);
    if (index === -1 && choice !== '0') throw new Unreadable(`no column has the title ${quote(choice)}`);
    return index === -1 ? undefined : index;
  };
  const columns = { id: find('id'), first: find('first'), last: find('last') };
  const ids = byTitle(row, 'id');
  if (choices.id === undefined && ids.length > 1) {
    throw new Unreadable(
      `several columns could be the tag: ${ids.map((index) => quote(row[index])).join(', ')}`,
    );
  }
  return complete(columns);
}

/** The columns of a list without titles: as chosen; the others are id, first name and last name in this order. */
export function columnsByPosition(width: number, choices: ColumnChoices): Columns {
  const chosen = parts.map((part) => choices[part]);
  if (chosen.every((choice) => choice === undefined)) return { id: 0, first: 1, last: 2 };
  for (const choice of chosen) {
    if (choice !== undefined && !NUMERIC.test(choice))
      throw new Unreadable(`no column has the title ${quote(choice)}`);
  }
  const free = [0, 1, 2].filter((index) => width <= MAX_PARTS && !chosen.includes(String(index + 1)));
  const [id, first, last] = chosen.map((choice) =>
    choice === undefined ? free.shift() : Number(choice) - 1,
  );
  return complete({ id, first, last });
}

/** Throws the reason if a column is missing. */
export function complete(columns: Columns): Columns {
  if (columns.id === undefined) throw new Unreadable('no title of a column with tags is known');
  if ((columns.first ?? columns.last) === undefined)
    throw new Unreadable('no title of a column with names is known');
  return columns;
}

/** Adds what to do if the columns are not known. */
export function explain(reason: string): string {
  return `${reason}; choose the columns by title or number: id-column, first-column, last-column`;
}

/** The whole list cannot be read, for one reason. */
export class Unreadable extends Error {
  constructor(reason: string) {
    super(explain(reason));
  }
}

/** A title without blanks, signs and accents, in small letters. */
function plain(title: string): string {
  if (title.length > MAX_TITLE) return '';
  const letters = title.normalize('NFKD').toLowerCase().replaceAll('\u0142', 'l').replaceAll('\u00DF', 'ss');
  return letters.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

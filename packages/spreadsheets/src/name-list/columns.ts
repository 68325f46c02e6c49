/** Index of the column of the id and of each part of a name; `undefined` if the list has no such column. */
export interface Columns {
  readonly id: number;
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** Usual titles of the columns, without blanks and signs, in small letters. */
const titles: Readonly<Record<keyof Columns, readonly string[]>> = {
  id: [
    ...[
      'id',
      'ids',
      'tallyid',
      'tag',
      'tags',
      'tagid',
      'uid',
      'card',
      'cardid',
      'cardnumber',
      'chip',
      'chips',
      'chipid',
    ],
    ...['transponder', 'karte', 'kartennr', 'kartennummer', 'chipnr', 'chipnummer'],
  ],
  first: ['first', 'firstname', 'forename', 'givenname', 'vorname', 'rufname'],
  last: ['last', 'lastname', 'surname', 'familyname', 'name', 'nachname', 'familienname', 'zuname'],
};

/** The columns of a list without titles. */
export const columnsByPosition: Columns = { id: 0, first: 1, last: 2 };

/** Further columns are ignored. */
const MAX_COLUMNS = 100;

/**
 * The columns by a row of titles; `incomplete` if a required title is missing; `undefined` if the row has no titles.
 */
export function findColumns(row: readonly string[]): Columns | 'incomplete' | undefined {
  const cells = row.slice(0, MAX_COLUMNS).map((cell) => cell.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const find = (part: keyof Columns): number | undefined => {
    const index = cells.findIndex((cell) => titles[part].includes(cell));
    return index === -1 ? undefined : index;
  };
  const { id, first, last } = { id: find('id'), first: find('first'), last: find('last') };
  if (id !== undefined && (first ?? last) !== undefined) return { id, first, last };
  // A person may be called "Name" or "Karte", so one title alone does not make a row of titles.
  return [id, first, last].filter((index) => index !== undefined).length > 1 ? 'incomplete' : undefined;
}

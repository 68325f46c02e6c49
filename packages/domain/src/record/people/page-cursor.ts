import { TallybookError } from '../../errors.js';
import { parsePersonId, type PersonId } from '../../values/people/person.js';
import { parseTallyId, type TallyId } from '../../values/tally-id.js';

/** Begins the cursor after a row of a person. */
export const AFTER_PERSON: string = 'person:';
/** Begins the cursor after the name of a tag. */
export const AFTER_NAME: string = 'name:';

/** The row after which a page of persons begins; `undefined`: at the first one. */
export function parseAfter(cursor: string = AFTER_PERSON): PersonId | undefined {
  if (!cursor.startsWith(AFTER_PERSON)) throw noEnd();
  const id = cursor.slice(AFTER_PERSON.length);
  return id === '' ? undefined : parsePersonId(id);
}

/** The tag after which a page of names begins; `undefined`: at the first one. */
export function afterName(cursor: string): TallyId | undefined {
  if (cursor === AFTER_NAME) return undefined;
  if (cursor.startsWith(AFTER_NAME)) return parseTallyId(cursor.slice(AFTER_NAME.length));
  throw noEnd();
}

function noEnd(): TallybookError {
  return new TallybookError('INVALID_PERSON', 'this is not the end of a page of persons');
}

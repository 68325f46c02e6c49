import { TallybookError } from '../errors.js';

/** Characters of an id that names a session, a token or a passkey. */
export const ID_LENGTH = 16;

export function limitReached(what: string): TallybookError {
  return new TallybookError('ACCESS_LIMIT_REACHED', `there are ${what}, which is as many as there may be`);
}

import { TallybookError } from '../errors.js';

export function limitReached(what: string): TallybookError {
  return new TallybookError('ACCESS_LIMIT_REACHED', `there are ${what}, which is as many as there may be`);
}

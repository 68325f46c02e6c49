import { TallybookError } from '../errors.js';
import type { TallyId } from '../values/tally-id.js';

export function personNotFound(): TallybookError {
  return new TallybookError('PERSON_NOT_FOUND', 'there is no such person');
}

export function notAllowed(message: string): TallybookError {
  return new TallybookError('NOT_ALLOWED', message);
}

export function conflict(message: string): TallybookError {
  return new TallybookError('PERSON_CONFLICT', message);
}

export function reserved(tag: TallyId): TallybookError {
  return new TallybookError(
    'RESERVED_TALLY_ID',
    `${tag} is the tag of last resort of a person, and is never handed on`,
  );
}

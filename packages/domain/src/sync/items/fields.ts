import { TallybookError } from '../../errors.js';
import { ValidFields } from '../../record/values/valid-fields.js';

export function invalidSync(message: string, cause?: unknown): TallybookError {
  return new TallybookError('INVALID_SYNC', message, cause === undefined ? {} : { cause });
}

/** Throws `INVALID_SYNC`. */
export const valid: ValidFields = new ValidFields((message) => invalidSync(message));

import { quote, TallybookError } from '../../errors.js';
import type { Role } from '../values/roles.js';
import { cleanLabel, LABEL_MAX_LENGTH } from '../ids-and-labels.js';
import { isRole, listOfRoles } from '../user-rules.js';

export const TOKEN_MAX_DAYS = 3_660;

/** Properties of a new token; untrusted. */
export interface TokenChoice {
  readonly label: unknown;
  readonly role: unknown;
  /** Days until the token ends; `undefined` for never. */
  readonly days?: unknown;
}

/** @throws {TallybookError} `INVALID_TOKEN`. */
export function parseTokenChoice({ label, role, days }: TokenChoice): {
  readonly label: string;
  readonly role: Role;
  readonly days: number | undefined;
} {
  const text = typeof label === 'string' ? cleanLabel(label) : '';
  if (text === '' || text !== label) {
    throw invalid(`label: 1 to ${LABEL_MAX_LENGTH} characters of one line; got ${quote(label)}`);
  }
  if (!isRole(role)) throw invalid(`role: ${listOfRoles()}; got ${quote(role)}`);
  if (
    days !== undefined &&
    !(Number.isInteger(days) && (days as number) >= 1 && (days as number) <= TOKEN_MAX_DAYS)
  ) {
    throw invalid(
      `days: 1 to ${TOKEN_MAX_DAYS}, or nothing for a token that does not end; got ${quote(days)}`,
    );
  }
  return { label: text, role, days: days as number | undefined };
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_TOKEN', message);
}

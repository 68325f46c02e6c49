import { quote, TallybookError } from '../errors.js';
import { roles, type Role } from '../values/access/roles.js';

export const LABEL_MAX_LENGTH = 100;
export const TOKEN_MAX_DAYS = 3_660;

const unprintable = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What a token is to be; untrusted. */
export interface TokenChoice {
  readonly label: unknown;
  readonly role: unknown;
  /** After how many days it ends; `undefined` for never. */
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

/** @throws {TallybookError} `INVALID_USER`. */
export function parseRole(value: unknown): Role {
  if (isRole(value)) return value;
  throw new TallybookError('INVALID_USER', `the role is ${listOfRoles()}; got ${quote(value)}`);
}

/** One line of at most 100 characters. */
export function cleanLabel(text: string): string {
  return Array.from(text.replace(unprintable(), '').trim()).slice(0, LABEL_MAX_LENGTH).join('');
}

function isRole(value: unknown): value is Role {
  return roles.includes(value as Role);
}

function listOfRoles(): string {
  return roles.map((role) => `"${role}"`).join(', ');
}

function invalid(message: string): TallybookError {
  return new TallybookError('INVALID_TOKEN', message);
}

import { quote, TallybookError, type ErrorCode } from '../errors.js';
import type { Secrets } from './ports/secrets.js';

const ID_LENGTH = 16;

/**
 * An id of a session, a token or a passkey, which is not a secret: 16 characters of base64url. It does not begin with a
 * hyphen, because commands would take it for an option.
 */
export function newId(secrets: Pick<Secrets, 'random'>): string {
  return secrets.random().replace(/^-+/, '').slice(0, ID_LENGTH);
}

export const LABEL_MAX_LENGTH = 100;

const unprintable = (): RegExp => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Label of a session, a token or a passkey in lists: one line of at most 100 characters. */
export function cleanLabel(text: string): string {
  return Array.from(text.replace(unprintable(), '').trim()).slice(0, LABEL_MAX_LENGTH).join('');
}

/** @throws {TallybookError} With this code, if the value is not a label of at least one character. */
export function parseLabel(value: unknown, code: ErrorCode): string {
  const text = typeof value === 'string' ? cleanLabel(value) : '';
  if (text !== '' && text === value) return text;
  throw new TallybookError(
    code,
    `label: 1 to ${LABEL_MAX_LENGTH} characters of one line; got ${quote(value)}`,
  );
}

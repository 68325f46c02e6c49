import { kindOf, quote, TallybookError } from '../../errors.js';
import { cleanLabel, LABEL_MAX_LENGTH } from '../ids-and-labels.js';

/** Length of the longest id that WebAuthn allows, in base64url. */
const ID_MAX_LENGTH = 1_364;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Unchecked content of an answer to a challenge. */
export interface ShownPasskey {
  readonly answer: object;
  readonly credentialId: string;
  /** The user's handle on the device, as in `UserPasskeys`. */
  readonly handle: string | undefined;
}

/** @throws {TallybookError} `INVALID_PASSKEY` */
export function parseShownPasskey(value: unknown): ShownPasskey {
  const answer = parsePasskeyAnswer(value);
  const { id, response } = answer as { readonly id?: unknown; readonly response?: unknown };
  if (!isCredentialId(id)) {
    throw invalidPasskey(`id: 1 to ${ID_MAX_LENGTH} characters of base64url; got ${kindOf(id)}`);
  }
  const { userHandle } = (response ?? {}) as { readonly userHandle?: unknown };
  return { answer, credentialId: id, handle: typeof userHandle === 'string' ? userHandle : undefined };
}

/** @throws {TallybookError} `INVALID_PASSKEY` */
export function parsePasskeyAnswer(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidPasskey(
    `the answer of the browser has to be an object, as PublicKeyCredential.toJSON() gives; got ${kindOf(value)}`,
  );
}

/** @throws {TallybookError} `INVALID_PASSKEY` */
export function parsePasskeyLabel(value: unknown): string {
  const text = typeof value === 'string' ? cleanLabel(value) : '';
  if (text !== '' && text === value) return text;
  throw invalidPasskey(`label: 1 to ${LABEL_MAX_LENGTH} characters of one line; got ${quote(value)}`);
}

export function isCredentialId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ID_MAX_LENGTH && BASE64URL.test(value);
}

export function invalidPasskey(message: string): TallybookError {
  return new TallybookError('INVALID_PASSKEY', message);
}

import type { Secrets } from './ports/secrets.js';

const ID_LENGTH = 16;

/**
 * An id of a session, a token or a passkey, which is no secret: 16 characters of base64url. It does not begin with a hyphen,
 * because commands would take it for an option.
 */
export function newId(secrets: Pick<Secrets, 'random'>): string {
  return secrets.random().replace(/^-+/, '').slice(0, ID_LENGTH);
}

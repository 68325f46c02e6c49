import type { Secrets } from '../ports/secrets.js';

const ID_LENGTH = 16;

/** An id that names a session, a token or a passkey, and opens nothing: 16 characters of base64url. */
export function newId(secrets: Pick<Secrets, 'random'>): string {
  return secrets.random().slice(0, ID_LENGTH);
}

import type { Secrets } from './ports/secrets.js';

/** Whether two texts are the same. Compares digests, so that the time does not show how many characters were right. */
export function isSameSecret(secrets: Pick<Secrets, 'digest'>, one: string, other: string): boolean {
  return secrets.digest(one) === secrets.digest(other);
}

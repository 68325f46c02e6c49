import { AuditTrail, openAll, type AuditAction, type AuditDetails } from '@tallybook/domain';
import { SystemSecrets } from '@tallybook/secrets-system';
import type { Stores } from '../config/stores.js';
import { systemTime as timekeeper } from '../config/system-time.js';

/** The trail of a store that a command has opened, by the clock of the system. */
export function trailOf(
  { audit: store }: Pick<Stores, 'audit'>,
  options: { readonly isClaimed?: () => boolean } = {},
): AuditTrail {
  const secrets = new SystemSecrets();
  return new AuditTrail({ store, digest: (text) => secrets.digest(text), timekeeper }, options);
}

/**
 * Notes what the owner of the process did to a store by a command. While there are no users, only actions are noted that
 * concern the record for good, such as erasures, as everywhere.
 *
 * Never rejects: what was done is done. Standard error says so if it could not be noted.
 */
export async function noteAsOwner(
  stores: Pick<Stores, 'audit' | 'access'>,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  try {
    const opened = await openAll([stores.access, stores.audit]);
    try {
      // If users cannot be read, there are some.
      const hasUsers = await stores.access.read().then(
        ({ users }) => users.length > 0,
        () => true,
      );
      const trail = trailOf(stores, { isClaimed: () => hasUsers });
      trail.faults.subscribe(({ error }) => warn(action, error));
      await trail.note('console', action, details);
    } finally {
      await opened.close();
    }
  } catch (error) {
    warn(action, error);
  }
}

function warn(action: AuditAction, error: unknown): void {
  process.stderr.write(
    `tallybook: could not note ${action} in the audit trail: ${(error as Error).message}\n`,
  );
}
